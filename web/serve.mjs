// Serves a folder on this machine alone: node serve.mjs FOLDER [PORT]
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, normalize } from "node:path";

const [folder = ".", port = "8000"] = process.argv.slice(2);
const types = { html: "text/html; charset=utf-8", js: "text/javascript", json: "application/json", css: "text/css", wasm: "application/wasm" };

createServer(async (request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
  try {
    const bytes = await readFile(file);
    response.writeHead(200, { "content-type": types[file.split(".").pop()] ?? "application/octet-stream" });
    response.end(bytes);
  } catch {
    response.writeHead(404).end("not here\n");
  }
}).listen(Number(port), "localhost", () => console.log(`http://localhost:${port}/`));

// Serves a folder on this machine alone: node serve.mjs FOLDER [PORT]     (port 0: any that is free)
import { readFile, realpath } from "node:fs/promises";
import { createServer } from "node:http";
import { join, sep } from "node:path";

const [given = ".", port = "8000"] = process.argv.slice(2);
const types = { html: "text/html; charset=utf-8", js: "text/javascript", json: "application/json", css: "text/css", wasm: "application/wasm" };
const root = await realpath(given);

/** The path of a request, without its query; null where it is none. */
function pathOf(request) {
  try {
    const path = decodeURIComponent(request.url.split(/[?#]/)[0]);
    return path.startsWith("/") && !path.includes("\0") ? path : null;
  } catch {
    return null; // a % that begins no byte, or bytes that are no text
  }
}

/** The file behind a path; null where there is none, or it is outside of the folder. */
async function fileOf(path) {
  try {
    const file = await realpath(join(root, path.endsWith("/") ? `${path}index.html` : path));
    return file.startsWith(root + sep) ? { bytes: await readFile(file), type: types[file.split(".").pop()] } : null;
  } catch {
    return null;
  }
}

function refuse(response, status, says) {
  response.writeHead(status, { "content-type": "text/plain" }).end(`${says}\n`);
}

async function answer(request, response) {
  if (request.method !== "GET" && request.method !== "HEAD") return refuse(response, 405, "GET and HEAD only");
  const path = pathOf(request);
  if (path === null) return refuse(response, 400, "no path");
  const file = await fileOf(path);
  if (!file) return refuse(response, 404, "not here");
  response.writeHead(200, {
    "content-type": file.type ?? "application/octet-stream", "content-length": file.bytes.length, "x-content-type-options": "nosniff" });
  response.end(request.method === "HEAD" ? undefined : file.bytes);
}

const server = createServer((request, response) => {
  response.on("error", () => {}); // the other side went away
  answer(request, response).catch(() => response.destroy());
});
server.on("error", (problem) => {
  console.error(`serve: ${problem.message}`);
  process.exit(2);
});
server.listen(Number(port), "localhost", () => console.log(`http://localhost:${server.address().port}/`));

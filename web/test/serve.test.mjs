// The server on this machine: bad requests are answered, and it goes on.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const folder = mkdtempSync(join(tmpdir(), "graze-serve-")), site = join(folder, "site");
mkdirSync(join(site, "deep"), { recursive: true });
writeFileSync(join(folder, "secret.txt"), "secret");
writeFileSync(join(folder, "site-secret.txt"), "secret");
writeFileSync(join(site, "index.html"), "<p>home");
writeFileSync(join(site, "deep", "a b.js"), "1;");
symlinkSync(join(folder, "secret.txt"), join(site, "link.txt"));
const child = spawn("node", [new URL("../serve.mjs", import.meta.url).pathname, site, "0"], { stdio: ["ignore", "pipe", "inherit"] });
const port = await new Promise((done) => child.stdout.once("data", (text) => done(Number(String(text).match(/:(\d+)\//)[1]))));
after(() => {
  child.kill();
  rmSync(folder, { recursive: true });
});

/** Sends a path as it is: fetch would mend it. */
const ask = (path, method = "GET") => new Promise((done, failed) => {
  const sent = request({ host: "localhost", port, path, method }, (response) => {
    let body = "";
    response.on("data", (part) => (body += part)).on("end", () => done({ status: response.statusCode, headers: response.headers, body }));
  });
  sent.on("error", failed).end();
});
/** Sends bytes and reads until the other side closes. */
const raw = (bytes) => new Promise((done) => {
  let said = "";
  const socket = connect(port, "localhost", () => socket.write(bytes));
  socket.on("data", (part) => (said += part)).on("close", () => done(said)).on("error", () => done(said)).setTimeout(2000, () => socket.destroy());
});
const works = async () => assert.equal((await ask("/")).body, "<p>home");

test("files are served with their types and lengths", async () => {
  await works();
  const { status, headers, body } = await ask("/deep/a%20b.js?x=%");
  assert.deepEqual([status, headers["content-type"], headers["content-length"], body], [200, "text/javascript", "2", "1;"]);
  const head = await ask("/", "HEAD");
  assert.deepEqual([head.status, head.headers["content-length"], head.body], [200, "7", ""]);
});

test("bad paths are answered by 400, what is not there by 404", async () => {
  for (const path of ["/%", "/%zz", "/%c3", "/%E0%A4%A", "/a%00b", "/%00", "*", "http://[/"]) assert.equal((await ask(path)).status, 400, path);
  for (const path of ["/nothing", "/deep", "/deep/", "//host/x", "/index.html/", `/${"a".repeat(5000)}`, "/a\\b"]) {
    assert.equal((await ask(path)).status, 404, path.slice(0, 40));
    assert.equal((await ask(path, "HEAD")).body, "");
  }
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) assert.equal((await ask("/", method)).status, 405);
  await works();
});

test("nothing outside of the folder is served", async () => {
  const ways = ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/deep/../../secret.txt", "/....//secret.txt", "/link.txt", "/../site-secret.txt",
    "/%2e%2e%2fsite-secret.txt", "/..\\secret.txt", `//${folder}/secret.txt`, "/../../../../../../../../etc/passwd"];
  for (const path of ways) {
    const { status, body } = await ask(path);
    assert.equal(status, 404, path);
    assert.doesNotMatch(body, /secret|root:/);
  }
  await works();
});

test("requests that are no HTTP, too long, or given up leave the server as it was", async () => {
  for (const bytes of ["nonsense\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\0\0\0\0", `GET /${"a".repeat(100000)} HTTP/1.1\r\nHost: x\r\n\r\n`])
    assert.match(await raw(bytes), /^(HTTP\/1\.1 4\d\d|$)/);
  await Promise.all(Array.from({ length: 50 }, () => new Promise((done) => {
    const socket = connect(port, "localhost", () => {
      socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      socket.resetAndDestroy();
      done();
    });
    socket.on("error", () => {});
  })));
  await works();
  assert.equal(child.exitCode, null);
});

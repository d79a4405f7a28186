// The documents as a site: every page is there, every link leads somewhere, the search finds, every function is in the reference.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { openBrowser } from "./browser.mjs";

const root = new URL("../../", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "graze-docs-"));
after(() => rmSync(folder, { recursive: true }));
execFileSync("node", [join(root, "web/docs/build.mjs"), folder]);
const pages = Object.fromEntries(readdirSync(folder).filter((n) => n.endsWith(".html")).map((n) => [n, readFileSync(join(folder, n), "utf8")]));

test("every document is a page", () => {
  const documents = readdirSync(join(root, "docs")).filter((n) => n.endsWith(".md"));
  for (const name of documents) assert.ok(pages[name === "start.md" ? "index.html" : name.replace(".md", ".html")], name);
});

test("every link leads to a page and a heading that are there; nothing is loaded from outside", () => {
  let links = 0;
  for (const [name, html] of Object.entries(pages)) {
    assert.doesNotMatch(html, /<(script|link|img)[^>]*(src|href)="(https?:)?\/\//, name);
    for (const [, address] of html.matchAll(/<a href="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(address)) continue;
      const [page, anchor] = address.split("#");
      assert.ok(pages[page || name], `${name}: ${address}`);
      if (anchor) assert.ok(pages[page || name].includes(`id="${anchor}"`), `${name}: ${address}`);
      links++;
    }
  }
  assert.ok(links > 100);
});

test("every function of the headers is in the reference, with its name as a heading", () => {
  for (const header of readdirSync(join(root, "include/graze"))) {
    if (header === "graze.h" || !header.endsWith(".h")) continue;
    const text = readFileSync(join(root, "include/graze", header), "utf8"), page = pages[`reference-${header.replace(".h", ".html")}`];
    for (const [, name] of text.matchAll(/^GRAZE_API [^;(]*?(graze_\w+)\(/gm))
      assert.ok(page.includes(`>${name}</h3>`), `${header}: ${name}`);
  }
});

test("the search finds without a server", async () => {
  const { page, complaints, close } = await openBrowser({ offline: true });
  try {
    await page.goto(pathToFileURL(join(folder, "index.html")).href);
    await page.fill("#search", "graze_step_back");
    await page.waitForSelector("#found a");
    await page.click("#found a");
    assert.match(await page.textContent("main"), /graze_step_back/);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

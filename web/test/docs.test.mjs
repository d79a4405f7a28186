// The documents as a site: every page is there, every link leads somewhere, the search finds, every function is in the reference.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
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

test("the folder of the sources may have blanks in its name", () => {
  const place = mkdtempSync(join(tmpdir(), "graze docs "));
  try {
    symlinkSync(root, join(place, "a clone"));
    execFileSync("node", ["--preserve-symlinks", "--preserve-symlinks-main", join(place, "a clone/web/docs/build.mjs"), join(place, "out")]);
    assert.ok(readdirSync(join(place, "out")).includes("index.html"));
  } finally {
    rmSync(place, { recursive: true });
  }
});

test("every document is a page", () => {
  const documents = readdirSync(join(root, "docs"), { recursive: true }).filter((n) => n.endsWith(".md"));
  assert.ok(documents.includes("numerics/4-directions.md"));
  for (const name of documents) assert.ok(pages[name === "start.md" ? "index.html" : name.replace("/", "-").replace(".md", ".html")], name);
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

/** Runs a test on a page of the documents, opened from the disk. */
function inBrowser(name, file, options, work) {
  test(name, async () => {
    const { page, context, complaints, close } = await openBrowser({ offline: true, ...options });
    try {
      await page.goto(pathToFileURL(join(folder, file)).href);
      await work(page, context);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  });
}

async function hits(page, words) {
  await page.fill("#search", words);
  await page.waitForSelector("#found li");
  return page.locator("#found li").allTextContents();
}

inBrowser("the search finds without a server, and names the page of what it finds", "index.html", {}, async (page) => {
  await page.fill("#search", "graze_step_back");
  await page.waitForSelector("#found a");
  await page.click("#found a");
  assert.match(await page.textContent("main"), /graze_step_back/);
  const listed = await hits(page, "friction");
  assert.ok(listed.length > 1 && listed.filter((l) => /in .*imulator/.test(l)).length > 0, listed.join("\n"));
});

inBrowser("the search says when there is nothing, and takes both spellings", "index.html", {}, async (page) => {
  assert.deepEqual(await hits(page, "xyzzyplugh"), ["no hits"]);
  for (const [here, there] of [["license", "licence"], ["tunneling", "tunnelling"], ["behavior", "behaviour"], ["color", "colour"]]) {
    const [a, b] = [await hits(page, here), await hits(page, there)];
    assert.deepEqual(a, b, here);
    assert.notDeepEqual(a, ["no hits"], here);
  }
  await page.fill("#search", "");
  assert.equal(await page.locator("#found li").count(), 0);
});

inBrowser("a block of code is copied by its button", "index.html", { permissions: ["clipboard-read", "clipboard-write"] }, async (page, context) => {
  await page.click(".copy >> nth=0");
  await page.waitForFunction(() => document.querySelector(".copy").textContent !== "copy");
  assert.equal(await page.textContent(".copy"), "copied");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.textContent("main pre code"));
  assert.equal(await page.locator("main pre").count(), await page.locator(".copy").count());
});

inBrowser("on a phone no page is wider than the screen, and the page comes before the list of pages", "index.html", { viewport: { width: 390, height: 844 } }, async (page) => {
  for (const name of Object.keys(pages)) {
    await page.goto(pathToFileURL(join(folder, name)).href);
    const [wide, title, list] = await page.evaluate(() => [document.scrollingElement.scrollWidth,
      document.querySelector("main h1").getBoundingClientRect().top, document.querySelector("nav").getBoundingClientRect().top]);
    assert.ok(wide <= 390, `${name}: ${wide} pixels`);
    assert.ok(title < 300 && title < list, `${name}: title at ${title}, list at ${list}`);
  }
});

inBrowser("long pages have contents, columns of numbers are right-aligned, pictures are there", "benchmarks.html", {}, async (page) => {
  assert.ok((await page.locator(".contents a").count()) > 2);
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector("td.number")).textAlign), "right");
  await page.goto(pathToFileURL(join(folder, "about.html")).href);
  assert.ok((await page.evaluate(() => document.querySelector("main img").naturalWidth)) > 100);
});

test("code has colors, and links that lead out are in one list", () => {
  assert.match(pages["index.html"], /<span class="code-word">/);
  assert.match(pages["reference-query.html"], /<span class="code-comment">/);
  assert.match(pages["links.html"], /<a href="https:\/\/doi.org\/10.1145\/3460775" rel="noreferrer">/);
  for (const [name, html] of Object.entries(pages))
    if (name !== "links.html") assert.doesNotMatch(html, /<a href="https?:/, name);
});

test("every page has a policy, and no comment mark of C is left in the reference", () => {
  for (const [name, html] of Object.entries(pages)) {
    assert.match(html, /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/, name);
    assert.doesNotMatch(html, /\/\/\/(&lt;|<)/, name);
  }
});

// The site and the pages of the program in a browser: every page is opened and used, answers are compared with the program
// bit for bit, and nothing is complained about or loaded from outside.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { openBrowser } from "./browser.mjs";

const here = (path) => new URL(path, import.meta.url).pathname;
const program = process.env.GRAZE_PROGRAM ?? here("../../build/graze");
const site = process.env.GRAZE_SITE ?? here("../../build/web/index.html");
const folder = mkdtempSync(join(tmpdir(), "graze-site-"));
const run = (...words) => execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
const lines = (file) => readFileSync(join(folder, file), "utf8").trim().split("\n").map((l) => JSON.parse(l));
const browser = await openBrowser({ offline: true });
const { page } = browser;
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

const address = pathToFileURL(site).href;
async function open(hash, base = address) {
  await page.goto("about:blank");
  await page.goto(`${base}${hash}`);
}
function quiet() {
  assert.deepEqual(browser.complaints.splice(0), []);
}
const files = (...names) => names.map((n) => join(folder, n));
async function choose(...names) {
  await open("#/step");
  await page.setInputFiles("#frames", files(...names));
}
const text = (selector) => page.textContent(selector);

test("every page opens in both themes and at the width of a phone, and nothing sticks out", async () => {
  const addresses = ["#/", "#/tunnelling", "#/inside", "#/query", "#/step", "#/step?example=1",
    ...["tunnelling", "roots", "inclusion", "separation", "certificates", "truth", "steps"].map((c) => `#/tutorial?chapter=${c}`)];
  for (const [width, height] of [[1280, 800], [390, 844]])
    for (const scheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme });
      for (const hash of addresses) {
        await open(hash);
        await page.waitForSelector("main h1");
        if (hash.includes("example")) await page.waitForSelector(".viewer");
        const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${hash} is ${wide} pixels too wide at ${width}`);
        assert.ok((await text("main")).length > 60, hash);
      }
    }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
  quiet();
});

test("one file of less than 2 MB that asks for nothing else", () => {
  assert.ok(statSync(site).size < 2e6, `${statSync(site).size} bytes`);
  assert.doesNotMatch(readFileSync(site, "utf8"), /(src|href)="(https?:)?\/\//);
});

test("the theme can be switched by hand", async () => {
  await open("#/");
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await paper();
  await page.click("text=Light or dark");
  assert.notEqual(await paper(), before);
});

test("tunnelling: bisection ends at the time that the library finds", async () => {
  await open("#/tunnelling?travel=0.8&lean=0.3");
  await page.waitForFunction(() => /hit at t = /.test(document.querySelector(".says")?.textContent ?? ""));
  const toi = Number((await text(".says")).match(/t = ([\d.]+)/)[1]);
  await page.click("#to-the-end");
  const found = Number((await page.locator(".says").nth(1).textContent()).match(/before t = ([\d.]+)/)[1]);
  assert.ok(found <= toi && toi - found < 2 ** -5, `${found} and ${toi}`);
  quiet();
});

test("inside a query: the boxes of the page never pass the exact time, and certificates reach it", async () => {
  await open("#/inside?delta=-6");
  await page.waitForFunction(() => /contact is at [\d.]+\d\./.test(document.body.textContent));
  const exact = Number((await text("main")).match(/contact is at ([\d.]+\d)\./)[1]);
  await page.click("#to-the-end");
  const found = Number((await text(".says")).match(/before t = ([\d.]+)/)[1]);
  assert.ok(found <= exact && exact - found < 2 ** -5, `${found} and ${exact}`);
  quiet();
});

run("handcraft", "--out", "hand", "--count", "24");
const sets = readdirSync(join(folder, "hand"), { recursive: true, withFileTypes: true })
  .filter((e) => e.isFile() && e.name.endsWith(".csv")).map((e) => join(e.parentPath ?? e.path, e.name)).sort();
const kindOf = (path) => (/edge-edge/.test(path) ? "ee" : "vf");

test("1,000 queries have the program's verdict and times, bit for bit", async () => {
  await open("#/");
  let compared = 0;
  for (const path of sets) {
    if (compared >= 1000) break;
    const kind = kindOf(path);
    run("query", path, "--kind", kind, "--out", "answers.jsonl");
    const answers = await page.evaluate(async ([bytes, k]) => {
      const { queries } = await graze.readQueries({ name: "q.csv", bytes: new TextEncoder().encode(bytes) });
      return (await graze.ccdBatch(k, queries)).map((r) => [r.verdict, String(r.toi), String(r.toiUpper)]);
    }, [readFileSync(path, "utf8"), kind]);
    const there = lines("answers.jsonl");
    assert.equal(answers.length, there.length);
    there.forEach((line, i) => assert.deepEqual(answers[i], [line.verdict, String(line.toi), String(line.toi_upper)], `${path} ${i}`));
    compared += there.length;
  }
  assert.ok(compared >= 1000, `${compared}`);
  quiet();
});

const scenes = [["cloth-ball", 4], ["n-body", 1], ["rod-twist", 2]];
for (const [scene, step] of scenes) run("scene", scene, "--out", scene, "--frames", String(step + 2), "--size", "12");
const frames = ([scene, step]) => [step, step + 1].map((k) => `${scene}/frames/${scene}_${k}.ply`);

test("three steps that are dropped have the program's verdict, time and pair", async () => {
  for (const scene of scenes) {
    const names = frames(scene), there = JSON.parse(run("step", ...names, "--mode", "all", "--json"));
    await choose(...names);
    await page.waitForSelector(".viewer");
    const bytes = names.map((n) => readFileSync(join(folder, n)).toString("base64"));
    const here = await page.evaluate(async ([a, b]) => {
      const file = (text, name) => ({ name, bytes: Uint8Array.from(atob(text), (c) => c.charCodeAt(0)) });
      const { id } = await graze.readScene(file(a, "a.ply"), file(b, "b.ply"));
      const r = await graze.step(id, "all");
      return { verdict: r.verdict, toi: String(r.toi), pair: r.pair && [r.pair.kind, r.pair.a, r.pair.b], hits: r.hits.slice(0, 2) };
    }, bytes);
    const pair = there.pair && [there.pair.kind, there.pair.a, there.pair.b];
    assert.deepEqual(here, { verdict: there.verdict, toi: String(there.toi), pair, hits: [there.hits.vf, there.hits.ee] });
    assert.match(await text(".summary"), new RegExp(`^${there.verdict}`));
  }
  quiet();
});

test("the step viewer: first contact, sorting, keyboard, colours, parts, picture", async () => {
  await choose(...frames(scenes[0]));
  await page.waitForSelector(".viewer");
  await page.click("#first-contact");
  assert.match(await text(".side"), /free until [\d.e-]+ at \(/);
  await page.click("th >> text=first touch");
  await page.click("th >> text=first touch");
  assert.equal(await page.getAttribute("th[aria-sort]", "aria-sort"), "descending");
  await page.focus(".list tbody tr");
  await page.keyboard.press("Enter");
  assert.equal(await page.getAttribute(".list tbody tr", "aria-selected"), "true");
  await page.selectOption(".choice select", "safe");
  await page.waitForFunction(() => /red: the vertex/.test(document.querySelector(".legend").textContent));
  await page.click(".groups summary");
  await page.uncheck(".groups input >> nth=0");
  for (const name of ["edges", "contacts", "z is up"]) await page.click(`label.choice:has-text("${name}") input`);
  await page.focus(".picture canvas");
  for (const key of ["ArrowLeft", "ArrowUp", "+", "-"]) await page.keyboard.press(key);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("text=Save picture")]);
  assert.equal(readFileSync(await saved.path()).subarray(1, 4).toString(), "PNG");
  quiet();
});

test("what is looked at is in the address and comes back with it", async () => {
  await open("#/query");
  await page.waitForSelector(".points");
  await page.fill(".points input >> nth=2", "3.25");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => location.hash.includes("3.25"));
  const hash = await page.evaluate(() => location.hash);
  await open(hash);
  await page.waitForSelector(".points");
  assert.equal(await page.inputValue(".points input >> nth=2"), "3.25");
  quiet();
});

test("the query explorer: pasted text, handcrafted families, every method", async () => {
  await open("#/query");
  await page.fill("#paste", '{"kind":"ee","x0":[[-1,0,1],[1,0,1],[0,-1,0],[0,1,0]],"x1":[[-1,0,-1],[1,0,-1],[0,-1,0],[0,1,0]]}');
  await page.click("#take");
  await page.waitForFunction(() => /first contact at 0.5/.test(document.body.textContent));
  await page.waitForFunction(() => document.querySelectorAll(".list tbody tr").length >= 12);
  await page.fill("#paste", "1,2,3\n");
  await page.click("#take");
  await page.waitForFunction(() => /pasted/.test(document.querySelector(".problem")?.textContent ?? ""));
  const select = page.locator("label:has-text('handcrafted') select");
  await select.selectOption({ index: 3 });
  await page.waitForFunction(() => !document.querySelector(".problem"), null, { timeout: 5000 }).catch(() => {});
  await page.click("#first-contact");
  quiet();
});

test("the tutorial counts misses", async () => {
  await open("#/tutorial?chapter=roots");
  await page.waitForSelector("#count");
  await page.click("#count");
  await page.waitForSelector("article table", { timeout: 60000 });
  const rows = await page.$$eval("article tbody tr", (list) => list.map((r) => [...r.children].map((c) => c.textContent)));
  for (const name of ["certified", "exact", "oracle", "ti", "safe"]) assert.equal(rows.find((r) => r[0] === name)[1], "0", name);
  quiet();
});

test("a broken file gives the sentence of the program; names with markup stay text", async () => {
  const evil = "<img src=x onerror=alert(1)>", faces = "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 1\nv 1 1 3\nv 2 1 3\nf 1 2 3\nf 4 5 6\n";
  mkdirSync(join(folder, "evil"));
  writeFileSync(join(folder, "evil", `${evil}_1.obj`), faces);
  writeFileSync(join(folder, "evil", `${evil}_2.obj`), faces.replace("1 1 1", "1 1 -1"));
  writeFileSync(join(folder, "bad_1.obj"), "v 1 2\n");
  writeFileSync(join(folder, "bad_2.obj"), "v 1 2\n");
  await choose("bad_1.obj", "bad_2.obj");
  let there = "";
  try {
    run("step", "bad_1.obj", "bad_2.obj");
  } catch (problem) {
    there = String(problem.stderr).trim().replace(/^graze: /, "");
  }
  await page.waitForSelector(".problem");
  assert.equal(await text(".problem"), there);
  await choose(`evil/${evil}_1.obj`, `evil/${evil}_2.obj`);
  await page.waitForSelector(".viewer");
  assert.ok((await text("h1")).includes(evil));
  assert.equal(await page.locator("img").count(), 0);
  quiet();
});

test("pages of the program open from the disk and show what it found", async () => {
  const [a, b] = frames(scenes[0]);
  run("step", a, b, "--html", "step.html");
  run("sequence", "cloth-ball", "--html", "sequence.html");
  run("view", sets[0], "--kind", kindOf(sets[0]), "--out", "queries.html");
  run("step", a, b, "--certificate", "proof.json");
  run("view", "proof.json", "--out", "proof.html");
  const there = JSON.parse(run("step", a, b, "--json"));
  const at = (name) => pathToFileURL(join(folder, name)).href;
  await open("", at("step.html"));
  await page.waitForSelector(".viewer");
  assert.match(await text(".summary"), new RegExp(`^${there.verdict}`));
  await page.click("#first-contact");
  assert.ok((await text(".side")).includes(`${there.pair.a}, ${there.pair.b}: free until ${there.toi}`));
  await open("", at("sequence.html"));
  await page.waitForSelector(".timeline .mark");
  assert.equal(await page.locator(".timeline .mark").count(), scenes[0][1] + 1);
  await page.click(".timeline .mark >> nth=1");
  await page.click("text=Play");
  await page.waitForTimeout(300);
  for (const name of ["queries.html", "proof.html"]) {
    await open("", at(name));
    await page.waitForSelector(".queries .points");
    await page.click(".queries .list tbody tr >> nth=1");
    await page.waitForFunction(() => /Exactly:/.test(document.body.textContent));
  }
  quiet();
});

test("pages of graze bench: nothing is cut at 1000 pixels or on a phone, and the contents lead to everything", async () => {
  for (const suite of ["narrow", "broad", "step"]) {
    run("bench", suite, "--quick", "--time-budget", "0.02", "--repeat", "1", "--out", "report");
    for (const [width, scheme] of [[1000, "light"], [1000, "dark"], [390, "light"]]) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: scheme });
      await open("", pathToFileURL(join(folder, `report/bench-${suite}.html`)).href);
      const wide = await page.evaluate(() => [document.scrollingElement, ...document.querySelectorAll(".scroll")]
        .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.parentElement?.id));
      if (width >= 1000) assert.deepEqual(wide, [], suite);
      else assert.ok(!wide.includes(undefined) && !wide.includes(""), `${suite} is too wide for a phone`);
    }
    const lost = await page.evaluate(() => Array.from(document.querySelectorAll("main h2, main section, main figure"))
      .filter((part) => !document.querySelector(`nav a[href="#${part.id}"]`)).length);
    assert.equal(lost, 0);
    await page.click(".legend button >> nth=0");
    assert.ok((await page.locator("figure .quiet").count()) > 0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  quiet();
});

test("a file server is enough, and only this machine is asked", async () => {
  const port = 18000 + (process.pid % 2000);
  const server = spawn("node", [here("../serve.mjs"), join(site, ".."), String(port)]);
  await new Promise((done) => server.stdout.once("data", done));
  const online = await openBrowser();
  try {
    const begin = performance.now();
    await online.page.goto(`http://localhost:${port}/#/tunnelling`);
    await online.page.waitForFunction(() => /hit at t = /.test(document.querySelector(".says")?.textContent ?? ""));
    console.log(`interactive after ${(performance.now() - begin).toFixed(0)} ms`);
    assert.deepEqual(online.complaints, []);
    assert.equal((await fetch(`http://localhost:${port}/../package.json`)).status, 404);
  } finally {
    await online.close();
    server.kill();
  }
});

// The site and the pages of the program in a browser: every page is opened and used, answers are compared with the program
// bit for bit, and nothing is complained about or loaded from outside.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { bits, packagePair, writtenPair } from "./bits.mjs";
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

const chapters = ["tunnelling", "roots", "inclusion", "code", "limits", "separation", "certificates", "truth", "steps", "own"];

test("every page opens in both themes and at the width of a phone, and nothing sticks out", async () => {
  const addresses = ["#/", "#/tunnelling", "#/inside", "#/query", "#/step", "#/articulated",
    ...chapters.map((c) => `#/tutorial?chapter=${c}`)];
  for (const [width, height] of [[1400, 850], [1000, 800], [390, 844]])
    for (const scheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme });
      for (const hash of addresses) {
        await open(hash);
        await page.waitForSelector("main h1");
        if (/^#\/(step|articulated)/.test(hash)) await page.waitForSelector(".viewer");
        if (hash === "#/articulated" && width < 400) await page.waitForSelector(".timeline .mark");
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
  assert.notEqual(await page.locator(".says strong >> nth=0").getAttribute("class"), "clear"); // a miss is not green
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

/** The sentence that the program ends with. */
function complaint(...words) {
  try {
    run(...words);
  } catch (problem) {
    return String(problem.stderr).trim().replace(/^graze: /, "");
  }
  return "";
}

/** Answers of a page and of the program for one file of queries, each as a list of texts. */
async function bothAnswers(where, path) {
  const kind = kindOf(path);
  run("query", path, "--kind", kind, "--out", "answers.jsonl");
  const answers = await where.evaluate(async ([content, k]) => {
    const { queries } = await graze.readQueries({ name: "q.csv", bytes: new TextEncoder().encode(content) });
    return graze.ccdBatch(k, queries);
  }, [readFileSync(path, "utf8"), kind]);
  const word = (r, upper) => [r.verdict, ...[r.toi, upper, r.u, r.v].map(bits)].join();
  return [answers.map((r) => word(r, r.toiUpper)), lines("answers.jsonl").map((r) => word(r, r.toi_upper))];
}

test("1,000 queries have the program's verdict and times, bit for bit", async () => {
  await open("#/");
  let compared = 0;
  for (const path of sets) {
    if (compared >= 1000) break;
    const [here, there] = await bothAnswers(page, path);
    assert.deepEqual(here, there, path);
    compared += there.length;
  }
  assert.ok(compared >= 1000, `${compared}`);
  quiet();
});

test("a browser without SIMD has the same bits", async () => {
  const old = await openBrowser({ offline: true, more: ["--js-flags=--no-enable-sse4-1"] });
  try {
    await old.page.goto(address);
    await page.goto(address);
    assert.deepEqual(await Promise.all([old.page, page].map((p) => p.evaluate(async () => (await graze.about()).isa))), ["scalar", "wasm"]);
    for (const path of sets.slice(0, 6)) {
      const [here, there] = await bothAnswers(old.page, path);
      assert.deepEqual(here, there, path);
    }
    await old.page.waitForFunction(() => /without SIMD/.test(document.body.textContent));
    assert.deepEqual(old.complaints, []);
  } finally {
    await old.close();
  }
});

const scenes = [["cloth-ball", 4, 6], ["n-body", 1, 3], ["rod-twist", 5, 10]];
for (const [scene, , count] of scenes) run("scene", scene, "--out", scene, "--frames", String(count), "--size", "12");
const frames = ([scene, step]) => [step, step + 1].map((k) => `${scene}/frames/${scene}_${k}.ply`);

test("three steps have the program's verdict, times and pairs, bit for bit, and the viewer says them", async () => {
  for (const scene of scenes) {
    const names = frames(scene), there = JSON.parse(run("step", ...names, "--mode", "all", "--json"));
    run("step", ...names, "--pairs-out", "pairs.json");
    const pairs = JSON.parse(readFileSync(join(folder, "pairs.json"), "utf8"));
    await choose(...names);
    await page.waitForSelector(".viewer");
    const bytes = names.map((n) => readFileSync(join(folder, n)).toString("base64"));
    const here = await page.evaluate(async ([a, b]) => {
      const file = (content, name) => ({ name, bytes: Uint8Array.from(atob(content), (c) => c.charCodeAt(0)) });
      const { id } = await graze.readScene(file(a, "a.ply"), file(b, "b.ply"));
      return graze.step(id, "all");
    }, bytes);
    const named = (pair) => pair && [pair.kind, pair.a, pair.b];
    assert.deepEqual(
      [here.verdict, bits(here.toi), bits(here.toiUpper), named(here.pair), here.hits.slice(0, 2)],
      [there.verdict, bits(there.toi), bits(there.toi_upper), named(there.pair), [there.hits.vf, there.hits.ee]]);
    assert.ok(pairs.length > 0, `${scene[0]}: no pair touches`);
    assert.deepEqual(here.pairs.map(packagePair), pairs.map(writtenPair));
    assert.match(await text(".summary"), new RegExp(`^${there.verdict} .*; ${pairs.length} pairs touch`));
    await page.click("#first-contact");
    assert.ok((await text(".side")).includes(`${there.pair.a}, ${there.pair.b}: free until ${there.toi} at`), `${scene[0]}: the limiting pair`);
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
  await page.selectOption("label.choice:has-text('color by') select", "safe");
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

/** Pixels of the picture whose colour is near one, as [red, green, blue]. */
const pixelsOf = (colour) => page.evaluate(([r, g, b]) => {
  const copy = document.createElement("canvas"), { canvas } = grazePicture;
  [copy.width, copy.height] = [canvas.width, canvas.height];
  grazePicture.drawNow();
  const pen = copy.getContext("2d");
  pen.drawImage(canvas, 0, 0);
  const { data } = pen.getImageData(0, 0, copy.width, copy.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (Math.hypot(data[i] - r, data[i + 1] - g, data[i + 2] - b) < 45) count++;
  return count;
}, colour);

test("what intersects already has a colour of its own, contacts have theirs, and hidden parts show neither", async () => {
  const violet = [162, 59, 196], red = [209, 36, 47];
  const step = JSON.parse(run("sequence", "rod-twist", "--json")).steps.find((s) => s.start.intersections > 0);
  await choose(...[step.step, step.step + 1].map((k) => `rod-twist/frames/rod-twist_${k}.ply`));
  await page.waitForSelector(".viewer");
  assert.match(await text(".summary"), new RegExp(`${step.start.intersections} pairs of faces intersect already`));
  const box = (name) => page.click(`label.choice:has-text("${name}") input`);
  assert.ok((await pixelsOf(violet)) > 50, "no face is marked");
  await box("intersections");
  assert.equal(await pixelsOf(violet), 0);
  await choose(...frames(scenes[0]));
  await page.waitForSelector(".viewer");
  assert.ok((await pixelsOf(red)) > 20, "no contact is marked");
  await page.click(".groups summary");
  for (const part of await page.$$(".groups input")) await part.uncheck();
  assert.equal(await pixelsOf(red), 0);
  await page.check(".groups input >> nth=0");
  assert.ok((await pixelsOf(red)) > 20, "contacts of a part that is shown again");
  quiet();
});

/** Two sheets of one shape, one just below the other; half of it moves down by a little. */
function sheets(gap, drop, up) {
  const n = 30, lines = [];
  for (const lower of [0, 1])
    for (let i = 0; i <= n; i++)
      for (let j = 0; j <= n; j++) {
        const x = (2 * i) / n - 1, z = (2 * j) / n - 1, height = 0.3 * Math.cos(2 * x + z) - lower * gap - drop;
        lines.push(`v ${(up === "y" ? [x, height, z] : [x, z, height]).join(" ")}`);
      }
  for (const lower of [0, 1])
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        const a = 1 + lower * (n + 1) ** 2 + i * (n + 1) + j, b = a + n + 1;
        lines.push(`f ${a} ${a + 1} ${b}`, `f ${b} ${a + 1} ${b + 1}`);
      }
  return lines.join("\n") + "\n";
}

test("a sheet that is just above another hides it: depth is fine enough for what is proven to be free", async () => {
  for (const [k, drop] of [0, 0.01].entries()) writeFileSync(join(folder, `sheet_${k}.obj`), sheets(1e-3, drop, "y"));
  assert.equal(JSON.parse(run("step", "sheet_0.obj", "sheet_1.obj", "--json")).verdict, "clear");
  await choose("sheet_0.obj", "sheet_1.obj");
  await page.waitForSelector(".viewer");
  const seen = () => page.evaluate(() => {
    const copy = document.createElement("canvas"), { canvas } = grazePicture, count = { upper: 0, lower: 0 };
    [copy.width, copy.height] = [canvas.width, canvas.height];
    grazePicture.drawNow();
    const pen = copy.getContext("2d");
    pen.drawImage(canvas, 0, 0);
    const { data } = pen.getImageData(0, 0, copy.width, copy.height);
    for (let i = 0; i < data.length; i += 4) if (data[i + 3]) count[data[i + 2] > data[i] ? "upper" : "lower"]++; // blue, or tan
    return count;
  });
  const { upper, lower } = await seen();
  assert.ok(upper > 10000 && lower < upper / 200, `${upper} pixels of the upper sheet, ${lower} of the lower`);
  quiet();
});

test("the axis that points up is the one that a file names, that a reader chose, or along which things fall", async () => {
  const isZ = () => page.isChecked('label.choice:has-text("z is up") input');
  const dropped = async (...names) => {
    await choose(...names);
    await page.waitForSelector(".viewer");
    return isZ();
  };
  await page.goto(address);
  await page.evaluate(() => localStorage.clear());
  for (const up of ["y", "z"]) for (const k of [0, 1]) writeFileSync(join(folder, `${up}up_${k}.obj`), sheets(0.1, 0.05 * k, up));
  assert.deepEqual([await dropped("yup_0.obj", "yup_1.obj"), await dropped("zup_0.obj", "zup_1.obj")], [false, true]);
  assert.equal(await dropped(...frames(scenes[0])), true); // written by graze scene
  run("view", ...frames(scenes[0]), "--out", "up.html");
  await open("", pathToFileURL(join(folder, "up.html")).href);
  await page.waitForSelector(".viewer");
  assert.equal(await isZ(), true);
  await dropped("yup_0.obj", "yup_1.obj");
  await page.click('label.choice:has-text("z is up") input');
  assert.equal(await dropped("yup_0.obj", "yup_1.obj"), true, "the choice is remembered");
  await page.evaluate(() => localStorage.clear());
  quiet();
});

test("the pages for steps and models open with an example, and what touches alone has a colour", async () => {
  await open("#/step");
  await page.waitForFunction(() => /^hit/.test(document.querySelector(".summary")?.textContent ?? ""));
  await open("#/articulated");
  await page.waitForFunction(() => /^hit/.test(document.querySelector(".summary")?.textContent ?? ""));
  const marked = await page.evaluate(() => {
    const shares = [];
    grazePicture.scene.traverse((o) => {
      const mark = o.geometry?.getAttribute?.("mark");
      if (mark) shares.push(mark.array.reduce((sum, x) => sum + x, 0) / mark.count);
    });
    return shares.filter((x) => x > 0).sort();
  });
  assert.ok(marked.length === 2 && marked[0] < 0.05 && marked[1] === 1, `${marked}`);
  quiet();
});

test("the first page has a live picture and ways to the documents", async () => {
  await open("#/");
  await page.waitForSelector(".live canvas");
  await page.waitForFunction(() => /hit. Nothing touches before t = 0\./.test(document.querySelector(".live").textContent));
  await page.fill(".live input", "0.3");
  assert.equal(await text(".live output"), "0.3000");
  const ways = await page.$$eval(".ways a", (links) => links.map((a) => a.getAttribute("href")));
  const pages = execFileSync("node", [here("../docs/build.mjs"), join(folder, "docs")]) && readdirSync(join(folder, "docs"));
  for (const way of ways) assert.ok(pages.includes(way.replace("docs/", "")), way);
  assert.match(await text("main .code"), /dev build/);
  quiet();
});

test("settings of dropped steps answer as the program's options do, and are in the address", async () => {
  const names = frames(scenes[0]);
  const settings = [
    ["separation", "0.03", ["--separation", "0.03"]], ["thickness", "0.01", ["--thickness", "0.01"]],
    ["relative", "0.5", ["--relative-separation", "0.5"]], ["method", "safe", ["--method", "safe"]]];
  for (const [field, value, options] of settings) {
    const there = JSON.parse(run("step", ...names, "--mode", "all", "--json", ...options));
    await choose(...names);
    await page.waitForSelector(".viewer");
    const before = await text(".side .soft");
    await page.click(".settings summary");
    if (field === "method") await page.selectOption(".settings select", value);
    else {
      await page.fill(`.settings input[name=${field}]`, value);
      await page.keyboard.press("Tab");
    }
    await page.waitForFunction((note) => document.querySelector(".side .soft").textContent !== note, before);
    await page.click("#first-contact");
    assert.ok((await text(".side")).includes(`${there.pair.a}, ${there.pair.b}: free until ${there.toi} at`), `${field}: ${there.toi}`);
    assert.match(await text(".summary"), new RegExp(`^hit .*; ${there.hits.vf + there.hits.ee} pairs touch`), field);
    await page.waitForFunction((part) => location.hash.includes(part), `${field}=${value}`);
    if (field !== "separation") continue;
    run("step", ...names, "--mode", "vertices", ...options, "--json");
    await page.selectOption("label.choice:has-text('color by') select", "safe");
    await page.waitForFunction(() => /red: the vertex/.test(document.querySelector(".legend").textContent));
  }
  await page.fill(".settings input[name=separation]", "-1");
  await page.keyboard.press("Tab");
  await page.waitForSelector(".viewer .problem");
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
  const sides = await page.$$eval(".list tbody tr:first-child td", (cells) => cells.map((cell) => getComputedStyle(cell).textAlign));
  assert.deepEqual(sides, ["left", "left", "right", "right", "right", "right"]); // numbers to the right
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

test("chapters have formulas that the build has typeset, steps, code, exercises and what to take away", async () => {
  const source = readFileSync(site, "utf8"), count = { formula: 0, exercise: 0, take: 0, steps: 0, code: 0 };
  assert.doesNotMatch(source, /@font-face|katex|\\\\mathbf/i);
  for (const chapter of chapters) {
    await open(`#/tutorial?chapter=${chapter}`);
    await page.waitForSelector("article h1");
    const found = await page.evaluate(() => ({
      formula: document.querySelectorAll(".formula > math").length, exercise: document.querySelectorAll("article .exercise").length, take: document.querySelectorAll("article .take li").length,
      steps: document.querySelectorAll("article .steps li").length, code: document.querySelectorAll("article .code pre").length,
      broken: document.querySelectorAll("parsererror, merror").length, flat: [...document.querySelectorAll(".formula > math")].filter((m) => m.getBoundingClientRect().height < 12).length }));
    assert.deepEqual([found.broken, found.flat], [0, 0], chapter);
    assert.ok(found.exercise > 0 && found.take > 0, chapter);
    for (const name of Object.keys(count)) count[name] += found[name];
  }
  assert.ok(count.formula >= 18 && count.steps >= 12 && count.code === 4, JSON.stringify(count));
  await open("#/tutorial?chapter=code");
  for (const name of ["first_contact.c", "first_contact.py"])
    for (const part of [name, `${name}.txt`])
      assert.ok((await page.locator(".code pre").allTextContents()).includes(readFileSync(here(`../../examples/tutorial/${part}`), "utf8")), part);
  quiet();
});

test("the chosen box says whether the origin is inside, and a box that is thrown away never holds it", async () => {
  await open("#/tutorial?chapter=inclusion");
  await page.waitForSelector("#next-level");
  const about = () => page.locator(".says").nth(1).textContent();
  assert.match(await about(), /the origin is inside/);
  for (let level = 0; level < 4; level++) await page.click("#next-level");
  const said = new Set();
  for (let k = 0; k < 12; k++) {
    await page.click("text=box ›");
    said.add((await about()).match(/inside|outside/)[0]);
  }
  assert.deepEqual([...said].sort(), ["inside", "outside"]);
  const before = Number((await text(".says")).match(/before t = ([\d.]+)/)[1]);
  await page.click('label.choice:has-text("zoom to what is left") input');
  assert.equal(Number((await text(".says")).match(/before t = ([\d.]+)/)[1]), before);
  quiet();
});

test("a cap ends in unresolved with a time that is safe, and a tolerance that scales answers alike in all units", async () => {
  await open("#/tutorial?chapter=limits");
  await page.waitForFunction(() => /unresolved|hit/.test(document.querySelector(".says")?.textContent ?? ""));
  const exact = await page.evaluate(async () => (await graze.truth("vf", Float64Array.of(0.3, 0.4, 1, -1, -1, 0, 2, -1, 0.2, -1, 2, -0.1, 0.1, -0.1, -1.2, -1, -1, 0.1, 2, -1, 0, -1, 2, 0))).lower);
  const input = page.locator("article input[type=range]");
  const verdicts = [];
  for (const k of [1, 4, 13]) {
    await input.fill(String(k));
    const said = await text(".says");
    verdicts.push(said.match(/: (\w+),/)[1]);
    assert.ok(Number(said.match(/t = ([\d.]+)/)[1]) <= exact + 1e-6, said);
  }
  assert.deepEqual(verdicts, ["unresolved", "unresolved", "hit"]);
  await page.waitForSelector("article table tbody tr");
  const rows = await page.$$eval("article table tbody tr", (list) => list.map((r) => [...r.children].map((c) => c.textContent)));
  assert.deepEqual([new Set(rows.map((r) => r[1])).size, new Set(rows.map((r) => r[3])).size, new Set(rows.map((r) => r[4])).size], [2, 1, 1], JSON.stringify(rows));
  assert.ok(rows.every((r) => r[5] === "clear"));
  quiet();
});

test("texts and marks have contrast, pictures have words, and every control has a name", async () => {
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    await open("#/");
    const weak = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement), light = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)
        .map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)).reduce((sum, x, i) => sum + [0.2126, 0.7152, 0.0722][i] * x, 0);
      const of = (name) => light(style.getPropertyValue(`--${name}`).trim()), ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      return ["ink", "soft", "accent", "hit", "clear", "unresolved", "crossing"].flatMap((name) => ["page", "panel"].map((under) => [name, under, ratio(of(name), of(under))])).filter((x) => !(x[2] >= 4.5));
    });
    assert.deepEqual(weak, [], scheme);
  }
  await page.emulateMedia({ colorScheme: "light" });
  for (const hash of ["#/", "#/tunnelling", "#/inside", "#/query", "#/step", "#/articulated", ...chapters.map((c) => `#/tutorial?chapter=${c}`)]) {
    await open(hash);
    await page.waitForSelector("main h1");
    if (/step$|articulated/.test(hash)) await page.waitForSelector(".viewer");
    const nameless = await page.evaluate(() => {
      const named = (e) => (e.getAttribute("aria-label") ?? e.textContent ?? "").trim() || e.getAttribute("title") || [...(e.labels ?? [])].map((l) => l.textContent.trim()).join("");
      return [...document.querySelectorAll("canvas[role], img, svg[role], button, input, select, textarea, a")].filter((e) => !named(e) && !e.closest("[aria-hidden]")).map((e) => e.outerHTML.slice(0, 90));
    });
    assert.deepEqual(nameless, [], hash);
    assert.equal(await page.locator("h1").count(), 1, hash);
  }
  await open("#/tutorial?chapter=inclusion");
  await page.waitForSelector("#next-level");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await page.focus("#next-level");
  await page.keyboard.press("Enter");
  assert.match(await text(".says"), /^level 1/);
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
  await page.waitForSelector(".problem");
  assert.equal(await text(".problem"), complaint("step", "bad_1.obj", "bad_2.obj"));
  await choose(`evil/${evil}_1.obj`, `evil/${evil}_2.obj`);
  await page.waitForSelector(".viewer");
  assert.ok((await text("h1")).includes(evil));
  assert.equal(await page.locator("img").count(), 0);
  quiet();
});

// a spike whose tip touches a wall, on each kind of joint
const spike = "v 0 0.05 0\nv 0 -0.05 0.04\nv 0 -0.05 -0.04\nv 1 0 0\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
writeFileSync(join(folder, "spike.obj"), spike);
writeFileSync(join(folder, "wall.obj"), "v -9 0.8 -9\nv 9 0.8 -9\nv 0 0.8 9\nf 1 2 3\n");
const modelFile = (joint, motion, more = {}) => ({
  models: [
    { name: "arm", links: [
      { name: "tip", parent: "base", joint, origin: { position: [0.1, 0, 0.2], rotation: [0.9, 0.1, 0, 0.1] }, meshes: [{ mesh: "spike.obj", scale: [1, 1, 0.5] }] },
      { name: "base", mesh: null }] },
    { name: "wall", mesh: "wall.obj" }],
  motion: { arm: motion }, ...more });
const modelFiles = {
  revolute: modelFile({ kind: "revolute", axis: [0, 0.1, 1] }, { from: [0], to: [1.4] }),
  prismatic: modelFile({ kind: "prismatic", axis: [0, 2, 0.5] }, { from: [0], to: [1] }, { separation: 0.05 }),
  spherical: modelFile({ kind: "spherical" }, { from: [0, 0.1, 0], to: [0.2, 0.3, 1.4] }),
  planar: modelFile({ kind: "planar" }, { from: [0, 0, 0.1], to: [0.1, 0.5, 0.8] }),
  free: modelFile({ kind: "free" }, { from: [0, 0, 0, 0, 0, 0.2], to: [0, 0.3, 0.1, 0, 0, 0.2], turn: { tip: [0.1, 0.2, 1] } }),
  cubic: modelFile({ kind: "revolute", axis: [0, 0, 1] }, { cubic: [[0, 0.1, 1.2, 1.3]] }),
  named: modelFile({ kind: "revolute", axis: [0, 0, 1], name: "turn" }, { from: {}, to: { turn: 1.3 } }),
  path: modelFile({ kind: "revolute", axis: [0, 0, 1] }, { path: [[0], [0.3], [1.5]] }),
};
const modelAnswer = (name, ...more) => {
  const answer = JSON.parse(run("articulate", name, "--json", ...more));
  return answer.segments?.[answer.first] ?? answer;
};
async function chooseModel(...names) {
  await open("#/articulated");
  await page.setInputFiles("#model-files", files(...names));
}

test("articulated models: first contact and the links that limit it are the program's, and are drawn where they touch", async () => {
  for (const [name, model] of Object.entries(modelFiles)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(model));
    const there = modelAnswer(`${name}.json`);
    assert.deepEqual([there.verdict, there.pair?.kind], ["hit", "vf"], name);
    await chooseModel(`${name}.json`, "spike.obj", "wall.obj");
    await page.waitForFunction(() => /^(hit|clear|unresolved) –/.test(document.querySelector(".summary")?.textContent ?? ""));
    if (name === "path") {
      await page.waitForSelector(".mark");
      assert.match(await text(".side"), /2 segments: 1 hit, 1 clear/);
      await page.click(".mark >> nth=1");
      await page.waitForFunction(() => /^hit –/.test(document.querySelector(".summary").textContent));
    }
    const said = await text(".summary"), named = there.links.map((l) => (l.model === "wall" ? "wall" : `${l.model}/${l.link}`)).join(" and ");
    const ends = ["touch", "come within the tolerance"].map((how) => `before t = ${there.toi}; then ${named} ${how}`);
    assert.ok(ends.some((end) => said.includes(end)), `${name}: ${said}`);
    await page.click("#first-contact");
    const drawn = await page.evaluate(([vertex, t]) => grazeVertex({ model: 0, link: 1 }, vertex, t), [there.pair.a, there.toi]);
    const away = Math.hypot(...drawn.map((x, c) => x - there.point[c]));
    assert.ok(away < (model.separation ?? 0) + 1e-9, `${name}: drawn ${drawn}, touches at ${there.point}`);
    await page.click("#play");
  }
  quiet();
});

test("articulated models: a padded point is drawn as a ball, and a padded segment as a capsule", async () => {
  writeFileSync(join(folder, "dot.obj"), "v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n");
  writeFileSync(join(folder, "rod.obj"), "v 0 0 -1\nv 0 0 1\nv 0 0 1\nf 1 2 3\n");
  const pictureOf = async (mesh, padding) => {
    writeFileSync(join(folder, "thin.json"), JSON.stringify({ models: [{ name: "thin", links: [{ name: "l", mesh, padding }] }, { name: "wall", mesh: "wall.obj" }] }));
    await chooseModel("thin.json", mesh, "wall.obj");
    await page.waitForSelector(".viewer");
    return page.evaluate(() => {
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [200, 150];
      grazePicture.lookAt([0, 0, 0], 4);
      grazePicture.drawNow();
      const pen = copy.getContext("2d");
      pen.drawImage(grazePicture.canvas, 0, 0, copy.width, copy.height);
      return [...pen.getImageData(0, 0, copy.width, copy.height).data];
    });
  };
  const differences = (a, b) => a.filter((x, i) => Math.abs(x - b[i]) > 20).length;
  const none = await pictureOf("dot.obj", 0), ball = await pictureOf("dot.obj", 0.5), capsule = await pictureOf("rod.obj", 0.5);
  const found = [differences(none, await pictureOf("rod.obj", 0)), differences(none, ball), differences(ball, capsule)];
  assert.ok(found[0] < 50 && found[1] > 200 && found[2] > 200, `${found} differences`);
  quiet();
});

test("a broken model file is refused with a sentence that names it, as the program does", async () => {
  const good = modelFiles.revolute, arm = good.models[0], wall = good.models[1];
  const withTip = (change) => ({ ...good, models: [{ ...arm, links: [{ ...arm.links[0], ...change }, arm.links[1]] }, wall] });
  const broken = {
    "syntax.json": '{"models": [\n}', "list.json": "[]", "colon.json": '{"models"\n: [1, 2,\n "a"; 3]}', "after.json": '{"models": []}\n\nx', "none.json": "{}", "unnamed.json": JSON.stringify({ models: [{}] }),
    "joint.json": JSON.stringify(withTip({ joint: { kind: "hinge" } })), "axis.json": JSON.stringify(withTip({ joint: { kind: "revolute", axis: [0, 0, 0] } })),
    "parent.json": JSON.stringify(withTip({ parent: "nobody" })), "cycle.json": JSON.stringify(withTip({ parent: "tip" })),
    "empty.json": JSON.stringify(withTip({ meshes: [] })), "origin.json": JSON.stringify(withTip({ origin: { rotation: [0, 0, 0, 0] } })),
    "twice.json": JSON.stringify({ ...good, models: [wall, wall] }), "mover.json": JSON.stringify({ ...good, motion: { leg: {} } }),
    "values.json": JSON.stringify({ ...good, motion: { arm: { from: [0], to: [1, 2] } } }), "skip.json": JSON.stringify({ ...good, skip: [["arm/tip", "leg"]] }),
    "short.json": JSON.stringify({ ...good, motion: { arm: { path: [[0]] } } }), "minus.json": JSON.stringify({ ...good, separation: -1 }),
    "mesh.json": JSON.stringify(withTip({ meshes: ["torn.obj"] })),
  };
  writeFileSync(join(folder, "torn.obj"), "v 1 2\n");
  for (const [name, content] of Object.entries(broken)) {
    writeFileSync(join(folder, name), content);
    await chooseModel(name, "spike.obj", "wall.obj", "torn.obj");
    await page.waitForSelector(".problem");
    const file = name === "mesh.json" ? "torn.obj" : name;
    assert.ok((await text(".problem")).includes(file) && complaint("articulate", name).includes(file), `${name}: ${await text(".problem")}`);
  }
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
  run("view", "free.json", "--out", "model.html");
  await open("", at("model.html"));
  await page.waitForFunction(() => /^hit –/.test(document.querySelector(".summary")?.textContent ?? ""));
  assert.ok((await text(".summary")).includes(`before t = ${modelAnswer("free.json").toi}; then arm/tip and wall `));
  const rest = [[0], [0], [0]];
  writeFileSync(join(folder, "plan.json"), JSON.stringify({ times: [2, 3, 5], positions: [[0], [0.2], [1.4]], velocities: rest, accelerations: rest }));
  run("view", "revolute.json", "--plan", "plan.json", "--out", "plan.html");
  const planned = JSON.parse(run("articulate", "revolute.json", "--plan", "plan.json", "--json"));
  assert.deepEqual([planned.verdict, planned.segment], ["hit", 1]);
  await open("", at("plan.html"));
  await page.waitForFunction(() => /^hit –/.test(document.querySelector(".summary")?.textContent ?? "")); // it opens where it first touches
  await page.click("#first-contact");
  assert.ok((await text(".summary")).includes(`of segment 1, at ${planned.time.toFixed(6)} s; then arm/tip and wall `), await text(".summary"));
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

test("a policy lets the page's own script and style alone run, on the site and on pages of the program", async () => {
  run("step", ...frames(scenes[0]), "--html", "step.html");
  for (const where of [address, pathToFileURL(join(folder, "step.html")).href]) {
    await open("", where);
    await page.waitForSelector("main h1, .viewer");
    quiet();
    const ran = await page.evaluate(async () => {
      const script = document.createElement("script"), body = document.body;
      script.textContent = "window.ran = 'a script'";
      body.append(script);
      body.insertAdjacentHTML("beforeend", "<img src=x onerror=\"window.ran = 'a handler'\"><p id=styled style='color: rgb(1, 2, 3)'>p</p>");
      const asked = await fetch("data:,x").then(() => "fetched", () => null);
      await new Promise((done) => setTimeout(done, 100));
      return [window.ran ?? null, asked, getComputedStyle(document.getElementById("styled")).color === "rgb(1, 2, 3)"];
    });
    assert.deepEqual(ran, [null, null, false], where);
    assert.ok(browser.complaints.splice(0).every((said) => /Content Security Policy/.test(said)));
  }
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

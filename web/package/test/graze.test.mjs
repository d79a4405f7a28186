// The package in Node: what it answers is what the program answers, bit for bit.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Graze } from "../dist/graze.js";

const program = process.env.GRAZE_PROGRAM ?? new URL("../../../build/graze", import.meta.url).pathname;
const graze = await Graze.load(readFileSync(new URL("../dist/graze.wasm", import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), "graze-package-"));
after(() => rmSync(folder, { recursive: true }));
const run = (...words) => execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
const json = (...words) => JSON.parse(run(...words, "--json"));

run("handcraft", "--out", "hand", "--count", "6");
const files = run("query", "hand", "--json") && readdirSync(join(folder, "hand"), { recursive: true, withFileTypes: true })
  .filter((e) => e.isFile() && e.name.endsWith(".csv")).map((e) => join(e.parentPath ?? e.path, e.name));
const kindOf = (path) => (/edge-edge|ee\.csv$/.test(path) ? "ee" : "vf");
const read = (path) => ({ name: path, bytes: readFileSync(path) });

test("every method gives the program's verdict and times on handcrafted queries", () => {
  let compared = 0;
  for (const method of ["certified", "exact", "oracle", "ti", "safe", "accd"])
    for (const file of files) {
      const kind = kindOf(file);
      const options = { method, maxChecks: method === "ti" ? 2000 : 0 };
      const here = graze.ccdBatch(kind, graze.readQueries(read(file)).queries, options);
      run("query", file, "--kind", kind, "--method", method, "--max-checks", String(options.maxChecks), "--out", "lines.jsonl");
      const there = readFileSync(join(folder, "lines.jsonl"), "utf8").trim().split("\n").map((l) => JSON.parse(l));
      assert.equal(here.length, there.length);
      there.forEach((line, i) => {
        assert.equal(here[i].verdict, line.verdict, `${method} ${file} ${i}`);
        assert.ok(Object.is(here[i].toi, line.toi), `${method} ${file} ${i}: ${here[i].toi} and ${line.toi}`);
        assert.ok(Object.is(here[i].toiUpper, line.toi_upper ?? null), `${method} ${file} ${i}: toi_upper`);
        compared++;
      });
    }
  assert.ok(compared > 1000, `${compared} compared`);
});

test("exact truth has the program's bracket and polynomial", () => {
  const file = files.find((f) => kindOf(f) === "ee");
  run("truth", file, "--kind", "ee", "--out", "truth.jsonl");
  const lines = readFileSync(join(folder, "truth.jsonl"), "utf8").trim().split("\n").map((l) => JSON.parse(l));
  const { queries } = graze.readQueries(read(file));
  lines.forEach((line, i) => {
    const truth = graze.truth("ee", queries.slice(24 * i, 24 * i + 24));
    assert.equal(truth.hit, line.hit);
    assert.deepEqual(truth.hit ? [truth.lower, truth.upper] : null, line.hit ? [line.toi_lower, line.toi_upper] : null);
    if (line.hit) assert.deepEqual(truth.polynomial.map(String), line.polynomial);
  });
});

test("steps of three scenes have the program's verdict, times and pairs", () => {
  for (const [scene, step] of [["cloth-ball", 3], ["n-body", 1], ["rod-twist", 2]]) {
    run("scene", scene, "--out", scene, "--frames", String(step + 2), "--size", "12");
    const [a, b] = [step, step + 1].map((k) => `${scene}/frames/${scene}_${k}.ply`);
    const opened = graze.readScene(...[a, b].map((f) => read(join(folder, f))));
    for (const mode of ["earliest", "all", "vertices"]) {
      const there = json("step", a, b, "--mode", mode), here = graze.step(opened, mode);
      assert.equal(here.verdict, there.verdict, `${scene} ${mode}`);
      assert.ok(Object.is(here.toi, there.toi), `${scene} ${mode}: ${here.toi} and ${there.toi}`);
      if (there.pair) assert.deepEqual([here.pair.kind, here.pair.a, here.pair.b], [there.pair.kind, there.pair.a, there.pair.b]);
      if (mode === "vertices") assert.deepEqual([...here.vertexToi], there.vertex_toi);
      if (mode === "all") {
        run("step", a, b, "--pairs-out", "pairs.json");
        const pairs = JSON.parse(readFileSync(join(folder, "pairs.json"), "utf8"));
        assert.deepEqual(
          here.pairs.map((p) => [p.kind, p.a, p.b, p.result.verdict, p.result.toi, p.result.toiUpper]),
          pairs.map((p) => [p.kind, p.a, p.b, p.verdict, p.toi, p.toi_upper]));
      }
    }
  }
});

test("lines beside faces are pairs, as in the program", () => {
  const lines = (z) => `v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 ${z}\nv 2 1 ${z}\nf 1 2 3\nl 4 5\n`;
  writeFileSync(join(folder, "l0.obj"), lines(1));
  writeFileSync(join(folder, "l1.obj"), lines(-1));
  const there = json("step", "l0.obj", "l1.obj", "--mode", "all");
  const scene = graze.readScene(...["l0.obj", "l1.obj"].map((f) => read(join(folder, f))));
  assert.deepEqual([...scene.lines], [3, 4]);
  const again = graze.makeScene(scene.x0, scene.x1, scene.faces, scene.lines);
  for (const s of [scene, again]) {
    const here = graze.step(s, "all");
    assert.equal(there.verdict, "hit");
    assert.deepEqual([here.verdict, here.toi, here.hits], [there.verdict, there.toi, [there.hits.vf, there.hits.ee, there.hits.pe, there.hits.pp]]);
  }
});

test("a broken file gives the sentence of the program", () => {
  const broken = { "a.obj": "v 1 2\n", "b.off": "OFF\n1 1 0\n0 0 0\n3 0 1 2\n", "c.ply": "ply\nformat ascii 1.0\n", "d.msh": "$MeshFormat\n", "e.txt": "?" };
  for (const [name, text] of Object.entries(broken)) {
    const file = { name, bytes: new TextEncoder().encode(text) };
    let there = "";
    try {
      execFileSync("sh", ["-c", `printf %s "$2" >"$1" && "$0" step "$1" "$1"`, program, name, text], { cwd: folder, stdio: "pipe" });
    } catch (problem) {
      there = String(problem.stderr).trim().replace(/^graze: /, "");
    }
    assert.notEqual(there, "");
    assert.throws(() => graze.readScene(file, file), { message: there });
  }
});

test("a certificate joins from 0 to the time that is proven", () => {
  const query = Float64Array.of(0, 0, 1, -1, -1, 0, 2, -1, 0, -1, 2, 0, 0, 0, -1, -1, -1, 0, 2, -1, 0, -1, 2, 0);
  const { result, entries } = graze.certificate("vf", query);
  assert.equal(entries[0].t0, 0);
  entries.slice(1).forEach((e, i) => assert.equal(e.t0, entries[i].t1));
  assert.equal(entries.at(-1).t1, result.toi);
});

test("two scenes may be asked in turn", () => {
  const still = Float64Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1, 1, 1, 3, 2, 1, 3);
  const faces = Uint32Array.of(0, 1, 2, 3, 4, 5);
  const moved = still.slice();
  for (const v of [3, 4, 5]) moved[3 * v + 2] -= 2;
  const touches = graze.makeScene(still, moved, faces), rests = graze.makeScene(still, still, faces);
  assert.equal(graze.step(touches).verdict, "hit");
  assert.equal(graze.step(rests).verdict, "clear");
  assert.equal(graze.step(touches).toi <= 0.5 && graze.step(touches).verdict, "hit");
  assert.throws(() => graze.ccd("vf", new Float64Array(24).fill(NaN)), /.+/);
  assert.throws(() => graze.ccd("vf", new Float64Array(24), { method: "none" }), /unknown method 'none'/);
});

// The package in Node: what it answers is what the program answers, bit for bit.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { bits, packagePair, writtenPair } from "../../test/bits.mjs";
import { Graze, hasSimd } from "../dist/graze.js";

const program = process.env.GRAZE_PROGRAM ?? new URL("../../../build/graze", import.meta.url).pathname;
const load = (name) => Graze.load(readFileSync(new URL(`../dist/${name}`, import.meta.url)));
const graze = await load("graze.wasm"), plain = await load("graze-plain.wasm");
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

test("without SIMD the bits are the same", () => {
  assert.deepEqual([graze.isa, plain.isa, hasSimd()], ["wasm", "scalar", true]);
  const answers = (module, file, method) =>
    module.ccdBatch(kindOf(file), module.readQueries(read(file)).queries, { method, maxChecks: 2000 })
      .map((r) => [r.verdict, ...[r.toi, r.toiUpper, r.u, r.v].map(bits)].join());
  for (const method of ["certified", "safe"])
    for (const file of files) assert.deepEqual(answers(plain, file, method), answers(graze, file, method), `${method} ${file}`);
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
  for (const [scene, step, count] of [["cloth-ball", 3, 5], ["n-body", 1, 3], ["rod-twist", 5, 10]]) {
    run("scene", scene, "--out", scene, "--frames", String(count), "--size", "12");
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
        assert.ok(here.pairs.length > 0, `${scene}: no pair touches`);
        const pairs = JSON.parse(readFileSync(join(folder, "pairs.json"), "utf8"));
        assert.deepEqual(here.pairs.map(packagePair), pairs.map(writtenPair));
        assert.deepEqual(plain.step(opened, mode).pairs.map(packagePair), pairs.map(writtenPair));
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

// ---- articulated models ----

const still = { position: [0, 0, 0], rotation: [1, 0, 0, 0] };
const faces = Uint32Array.of(0, 1, 2, 0, 1, 3, 1, 2, 3, 2, 0, 3);
const thorn = { vertices: Float64Array.of(0, 0.05, 0, 0, -0.05, 0.04, 0, -0.05, -0.04, 1, 0, 0), faces, origin: still, scale: [1, 1, 1] };
const objOf = ({ vertices, faces: f }) =>
  Array.from({ length: vertices.length / 3 }, (_, i) => `v ${[...vertices.subarray(3 * i, 3 * i + 3)].join(" ")}\n`).join("") +
  Array.from({ length: f.length / 3 }, (_, i) => `f ${[...f.subarray(3 * i, 3 * i + 3)].map((v) => v + 1).join(" ")}\n`).join("");
const linkOf = (name, parent, joint, position, more = {}) =>
  ({ name, parent, joint, origin: { ...still, position }, axis: [0, 0, 1], padding: 0, meshes: [thorn], ...more });

test("articulated models have the program's answer in every mode, with and without SIMD", () => {
  const models = [
    { name: "arm", links: [linkOf("upper", -1, "revolute", [0, 0, 0]), linkOf("lower", 0, "revolute", [1, 0, 0], { padding: 0.01 })] },
    { name: "body", links: [linkOf("body", -1, "free", [0.3, 1.2, 0.01])] },
    { name: "post", links: [linkOf("post", -1, "fixed", [1.2, 0.9, -0.02])] }];
  const motions = [
    { from: [0, 0], to: [1.5, -0.7] },
    { from: [0, 0, 0, 0, 0, 0], to: [0.2, -0.4, 0, 0, 0, 0], turns: [[0, 0.1, 2]] }, { from: [], to: [] }];
  writeFileSync(join(folder, "thorn.obj"), objOf(thorn));
  const fileLink = (l, links) => ({
    name: l.name, parent: links[l.parent]?.name ?? null, joint: { kind: l.joint, axis: l.axis }, origin: l.origin, padding: l.padding, mesh: "thorn.obj" });
  writeFileSync(join(folder, "model.json"), JSON.stringify({
    models: models.map((m) => ({ name: m.name, links: m.links.map((l) => fileLink(l, m.links)) })),
    motion: { arm: motions[0], body: { from: motions[1].from, to: motions[1].to, turn: { body: motions[1].turns[0] } } },
  }));
  const place = (c, linkNames) => [c.verdict, bits(c.toi), bits(c.toiUpper ?? c.toi_upper), ...linkNames, c.pair.kind, c.pair.a, c.pair.b,
    ...[...c.point, ...c.normal].map(bits)].join();
  const here = (c) => place(c, c.links.map(({ model, link }) => `${models[model].name}/${models[model].links[link].name}`));
  const there = (c) => place(c, c.links.map(({ model, link }) => `${model}/${link}`));
  let touching = 0;
  for (const separation of [0, 0.02]) {
    const options = ["articulate", "model.json", "--separation", String(separation)];
    const first = json(...options), all = json(...options, "--mode", "all");
    for (const module of [graze, plain]) {
      const answer = module.articulate(models, motions, { separation }), every = module.articulate(models, motions, { separation, mode: "all" });
      assert.deepEqual([answer.verdict, bits(answer.toi), bits(answer.toiUpper)], [first.verdict, bits(first.toi), bits(first.toi_upper)]);
      assert.equal(here(answer.contact), there(first));
      assert.deepEqual(every.contacts.map(here), all.pairs.map(there));
      assert.equal(module.articulate(models, motions, { separation, mode: "any" }).verdict, "hit");
    }
    touching += all.pairs.length;
  }
  assert.ok(touching >= 4, `${touching} pairs of links touch`);
  const nothing = new Uint8Array(16);
  assert.equal(graze.articulate(models, motions, { linkPairs: nothing }).verdict, "clear");
  assert.throws(() => graze.articulate(models, [{ from: [0], to: [0] }, ...motions.slice(1)]), /1 values for the 2 of model 'arm'/);
});

test("built-in examples move", () => {
  const { models, poses, summary } = graze.example("arm-sweep");
  assert.equal(models.length, 2);
  assert.match(summary, /arm/);
  const verdicts = [0, 1, 2, 3].map((f) => graze.articulate(models, models.map((_, m) => ({ from: poses[f][m], to: poses[f + 1][m] }))).verdict);
  assert.ok(verdicts.every((v) => v !== "unresolved"), `${verdicts}`);
  assert.ok(graze.examples.includes("falling-train"));
  assert.throws(() => graze.example("none"), /unknown example 'none'/);
});

// ---- memory that does not grow ----

const lebOf = (n) => (n < 128 ? [n] : [(n & 127) | 128, ...lebOf(n >>> 7)]);
const readLeb = (bytes, at) => {
  for (let value = 0, shift = 0, i = at; ; shift += 7) {
    value |= (bytes[i] & 127) << shift;
    if (!(bytes[i++] & 128)) return [value, i];
  }
};

/** The module with a memory that begins with some pages more than it needs to start, and then stays as it is. */
function withPages(bytes, more) {
  for (let at = 8; at < bytes.length; ) {
    const [size, body] = readLeb(bytes, at + 1);
    if (bytes[at] === 5) {
      const [least] = readLeb(bytes, body + 2), section = [1, 1, ...lebOf(least + more), ...lebOf(least + more)];
      return Buffer.concat([bytes.subarray(0, at), Uint8Array.from([5, section.length, ...section]), bytes.subarray(body + size)]);
    }
    at = body + size;
  }
  throw new Error("the module has no memory");
}

test("a memory that does not grow gives an error or an answer that is not better, and the module answers on", async () => {
  const bytes = readFileSync(new URL("../dist/graze.wasm", import.meta.url));
  const side = 200, count = 60000, x0 = new Float64Array(3 * side * side), sheet = [];
  for (let i = 0; i < side * side; i++) x0.set([i % side, Math.floor(i / side), (i % 7) * 0.01], 3 * i);
  for (let i = 0; i + side + 1 < side * side; i++) if ((i + 1) % side) sheet.push(i, i + 1, i + side);
  const x1 = x0.map((x, k) => (k % 3 === 2 ? -2 * x : x)), faces = Uint32Array.from(sheet);
  const queries = Float64Array.from({ length: 24 * count }, (_, k) => Math.sin(k * k));
  const asks = {
    batch: (g) => g.ccdBatch("vf", queries, { method: "exact" }),
    step: (g) => g.step(g.makeScene(x0, x1, faces), "earliest"),
    truth: (g) => g.truth("ee", queries.slice(0, 24)),
  };
  const whole = Object.fromEntries(Object.entries(asks).map(([name, ask]) => [name, ask(graze)]));
  const small = Float64Array.of(0, 0, 1, -1, -1, 0, 2, -1, 0, -1, 2, 0, 0, 0, -1, -1, -1, 0, 2, -1, 0, -1, 2, 0);
  let refused = 0, answered = 0;
  for (const pages of [0, 64, 128, 256, 512, 1024, 2048]) {
    let g;
    try {
      g = await Graze.load(withPages(bytes, pages));
    } catch (error) {
      refused++;
      continue;
    }
    for (const [name, ask] of Object.entries(asks)) {
      let answer;
      try {
        answer = ask(g);
      } catch (error) {
        assert.match(error.message, /memory/, `${name} with ${pages} pages: ${error.message}`);
        refused++;
        continue;
      }
      answered++;
      const each = (all) => (Array.isArray(all) ? all : [all]);
      each(answer).forEach((one, i) => {
        const known = each(whole[name])[i];
        if (one.verdict === "unresolved") return assert.ok(one.toi <= known.toi, `${name} ${i} with ${pages} pages`);
        assert.deepEqual([one.verdict ?? one.hit, one.toi ?? one.lower], [known.verdict ?? known.hit, known.toi ?? known.lower], `${name} ${i}`);
      });
    }
    try {
      assert.equal(g.ccd("vf", small).verdict, "hit");
    } catch (error) {
      assert.match(error.message, /memory/);
    }
  }
  assert.ok(refused > 3 && answered > 3, `${refused} refused, ${answered} answered`);
});

// Whatever a caller hands over is converted exactly or refused: no entry point answers about numbers that nobody gave.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { Graze, valuesOf } from "../dist/graze.js";

const read = (path) => readFileSync(new URL(path, import.meta.url));
const graze = await Graze.load(read("../dist/graze.wasm"));

// ---- every entry point with good arguments; all doubles in them are floats, so that a Float32Array holds them, too ----

const query = Float64Array.of(0.25, 0, 1, -1, -1, 0, 2, -1, 0, -1, 2, 0, 0.25, 0, -1, -1, -1, 0, 2, -1, 0, -1, 2, 0);
const clear = query.map((x, i) => (i === 14 ? 0.5 : x));
const x0 = Float64Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1, 1, 1, 3, 2, 1, 3, 8, 8, 8, 9, 9, 9);
const x1 = x0.map((x, i) => (i >= 9 && i < 18 && i % 3 === 2 ? x - 2 : x));
const sceneOf = () => ({ x0: x0.slice(), x1: x1.slice(), faces: Uint32Array.of(0, 1, 2, 3, 4, 5), lines: Uint32Array.of(6, 7) });
const fileOf = (name, text) => ({ name, bytes: Uint8Array.from(Buffer.from(text)) });
const obj = (z) => `v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 ${z}\nv 2 1 ${z}\nv 1 2 ${z}\nf 1 2 3\nf 4 5 6\n`;
const place = (...position) => ({ position, rotation: [1, 0, 0, 0] });
const thorn = () => ({
  vertices: Float64Array.of(0, 0.0625, 0, 0, -0.0625, 0.03125, 0, -0.0625, -0.03125, 1, 0, 0),
  faces: Uint32Array.of(0, 1, 2, 0, 1, 3, 1, 2, 3, 2, 0, 3), origin: place(0, 0, 0), scale: [1, 1, 1] });
const link = (parent, joint, ...at) => ({ parent, joint, origin: place(...at), axis: [0, 0, 1], padding: 0.0078125, meshes: [thorn()] });
const modelsOf = () => [{ links: [link(-1, "revolute", 0, 0, 0), link(0, "revolute", 1, 0, 0)] }, { links: [link(-1, "free", 0.5, 1, 0)] }];
const motionsOf = () => [
  { from: [0, 0], to: [1.5, -0.75], turns: [null, null] },
  { from: [0, 0, 0, 0, 0, 0], to: [0.25, -0.5, 0, 0, 0, 0], turns: [[0, 0.125, 2]] }];
const cubicsOf = () => [
  { cubic: [[0, 0.5, 1, 1.5], [0, -0.25, -0.5, -0.75]] }, { from: [0, 0, 0, 0, 0, 0], to: [0.25, -0.5, 0, 0, 0, 0] }];
const narrow = () => ({ method: "certified", separation: 0.0625, tMax: 0.875, tolerance: 0.0009765625, maxChecks: 4096 });
const ask = (name, ...good) => ({ name, good: () => structuredClone(good) });
const csv = Array.from({ length: 8 }, (_, i) => `${i},1,${i % 3},1,${i % 2},1\n`).join("");

const entries = [
  ask("ccd", "vf", query, narrow()), ask("ccdBatch", "vf", Float64Array.of(...query, ...clear), narrow()),
  ask("truth", "vf", query, { separation: 0.0625, tMax: 0.875 }), ask("certificate", "vf", clear, narrow()),
  ask("handcrafted", graze.families[0].name, "ee", 3, 2),
  ask("readQueries", fileOf("q.csv", csv)), ask("readScene", fileOf("a.obj", obj(1)), fileOf("b.obj", obj(-1))),
  ask("readMesh", fileOf("a.obj", obj(1))),
  ask("makeScene", ...Object.values(sceneOf())),
  ...["earliest", "all", "vertices"].map((mode) =>
    ask("step", sceneOf(), mode, { ...narrow(), thickness: new Float64Array(8).fill(0.03125) })),
  ask("step", sceneOf(), "any", { thickness: 0.03125 }), ask("step", sceneOf(), "all", { ...narrow(), relativeSeparation: 0.125 }), ask("intersections", sceneOf()),
  ask("articulate", modelsOf(), motionsOf(),
    { mode: "all", separation: 0.0625, tMax: 0.875, tolerance: 0.0009765625, maxChecks: 100000, linkPairs: new Uint8Array(9).fill(1) }),
  ask("articulate", modelsOf(), cubicsOf(), { linkPairs: null }), ask("example", "arm-sweep"),
];

const ask1 = ({ name }, args) => {
  const answer = graze[name](...args);
  if (answer && "ms" in answer) delete answer.ms;
  return answer;
};

test("motions of every degree are the same motion, and bad ones are refused", () => {
  const [arm, box] = cubicsOf(), quintic = arm.cubic.map(([a, , , d]) => [0, 1, 2, 3, 4, 5].map((k) => a + (k / 5) * (d - a)));
  const straight = { from: quintic.map((row) => row[0]), to: quintic.map((row) => row[5]) };
  const [line, curve] = [straight, { bezier: quintic }].map((motion) => graze.articulate(modelsOf(), [motion, box]));
  assert.deepEqual([curve.verdict, curve.contact?.links], [line.verdict, line.contact?.links]);
  assert.ok(Math.abs(curve.toi - line.toi) < 1e-6, `${curve.toi}, ${line.toi}`);
  const same = [arm, { bezier: arm.cubic }].map((motion) => graze.articulate(modelsOf(), [motion, box]).toi);
  assert.equal(same[0], same[1]);
  const refused = (motion, kind) => assert.throws(() => graze.articulate(modelsOf(), [motion, box]), kind);
  refused({ ...arm, bezier: quintic }, TypeError);
  refused({ bezier: [quintic[0]] }, RangeError);
  refused({ bezier: [[1], [1]] }, RangeError);
  refused({ bezier: quintic.map((row) => [...row, 0, 0, 0]) }, RangeError);
  refused({ bezier: [quintic[0], quintic[1].slice(1)] }, RangeError);
  refused({ bezier: [quintic[0], quintic[1].map(() => NaN)] }, RangeError);
});

test("every public function of a module is in the table", () => {
  const names = Object.getOwnPropertyNames(Graze.prototype).filter((n) => n !== "constructor");
  const inside = ["listMethods", "listFamilies", "row", "options", "answers", "enter", "currentScene", "open", "openModels"];
  assert.deepEqual(names.filter((n) => !inside.includes(n)).sort(), [...new Set(entries.map((e) => e.name))].sort());
});

// ---- every place in the arguments ----

const isTyped = (x) => ArrayBuffer.isView(x);
/** Paths to everything inside: arguments, fields, elements of lists; numbers of a typed array are one place. */
function places(value, path = []) {
  const inner = isTyped(value) || typeof value !== "object" || value === null ? [] : Object.keys(value);
  return [...(path.length ? [path] : []), ...inner.flatMap((key) => places(value[key], [...path, key]))];
}
const at = (args, path) => path.reduce((x, key) => x[key], args);
function withValue(entry, path, value) {
  const args = entry.good();
  at(args, path.slice(0, -1))[path.at(-1)] = value;
  return args;
}
const isNumbers = (x) => isTyped(x) || (Array.isArray(x) && x.length > 0 && x.every((v) => typeof v === "number"));

function detached(of) {
  const array = of.slice();
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}
const holed = (list) => {
  const made = [...list];
  delete made[list.length - 1];
  return made;
};
const replaced = (list, x) => [...list].with?.(0, x) ?? [x, ...[...list].slice(1)];

const neverRight = () => [
  ["true", true], ["a bigint", 12n], ["a symbol", Symbol("s")], ["a function", () => 1], ["a date", new Date(0)],
  ["a map", new Map([["separation", 1]])], ["an ArrayBuffer", new ArrayBuffer(192)], ["a DataView", new DataView(new ArrayBuffer(192))],
  ["a BigInt64Array", new BigInt64Array(24)], ["a BigUint64Array", new BigUint64Array(24)], ["an array-like", { length: 24, 0: 1 }],
  ["a String", new String("vf")], ["a Number", new Number(1)], ["NaN", NaN], ["a text", "seven"], ["a promise", Promise.resolve(query)],
];
const wrongNumbers = (list) => [
  ["a detached array", detached(Float64Array.from(list))], ["a detached Float32Array", detached(Float32Array.from(list))],
  ["a hole", holed(list)], ["a text inside", replaced(list, "1")], ["a bigint inside", replaced(list, 1n)],
  ["null inside", replaced(list, null)], ["an array inside", replaced(list, [1])], ["NaN inside", replaced(list, NaN)],
  ["NaN in a Float64Array", Float64Array.from(replaced(list, NaN))], ["infinity in a Float32Array", Float32Array.from(replaced(list, Infinity))],
  ["nested rows", [[...list]]], ["one too few", [...list].slice(0, -1)], ["one too many", Float64Array.of(...list, 0)],
];
const nullIsRight = (path) => ["linkPairs"].includes(path.at(-1)) || path.at(-2) === "turns";

function wrongAt(entry, path) {
  const good = at(entry.good(), path), all = neverRight();
  if (!nullIsRight(path)) all.push(["null", null]);
  if (isNumbers(good)) all.push(...wrongNumbers(good));
  if (path.at(-1) === "name") return all.filter(([what]) => what !== "a text");
  if (good instanceof Uint8Array && path.at(-1) === "bytes") return [...all.filter(([what]) => !/few|many/.test(what)), ["an array", [...good]]];
  if (Array.isArray(good) && good.length && path.at(-1) !== "turns") all.push(["a hole in a list", holed(good)]);
  if (typeof good !== "number") all.push(["a number", path.at(-1) === "thickness" ? -1 : 7]);
  else all.push(["infinity", Infinity], ["a text of it", String(good)], ["a list of it", [good]]);
  return all;
}

const refused = (error) => error instanceof TypeError || error instanceof RangeError;
function assertRefused(entry, args, what) {
  let answer;
  try {
    answer = ask1(entry, args);
  } catch (error) {
    assert.ok(refused(error), `${what}: ${error.name}: ${error.message}`);
    assert.ok(error.message.length > 5, what);
    return;
  }
  assert.fail(`${what}: answered ${JSON.stringify(answer, (_, x) => (typeof x === "bigint" ? `${x}` : x)).slice(0, 200)}`);
}

test("a wrong kind in any place of any entry point is a TypeError or a RangeError, and the module answers on", () => {
  let tried = 0;
  for (const entry of entries) {
    const right = ask1(entry, entry.good());
    for (const path of places(entry.good()))
      for (const [what, value] of wrongAt(entry, path)) {
        assertRefused(entry, withValue(entry, path, value), `${entry.name} ${path.join(".")}: ${what}`);
        tried++;
      }
    assert.deepEqual(ask1(entry, entry.good()), right, entry.name);
  }
  assert.ok(tried > 5000, `${tried} tried`);
});

test("arguments that are left out are refused where they have no default", () => {
  for (const entry of entries)
    for (let count = 0; count < entry.good().length; count++) {
      const args = entry.good().slice(0, count), needed = { handcrafted: 3, makeScene: 3, step: 1, ccd: 2, ccdBatch: 2, truth: 2, certificate: 2, articulate: 2 };
      if (count < (needed[entry.name] ?? entry.good().length)) assertRefused(entry, args, `${entry.name} with ${count} arguments`);
    }
});

// ---- options ----

const slips = (word) => [word.slice(0, -1), `${word}s`, word[0] + word.slice(2), word.toUpperCase(), word.replace(/a|e/, "i")].filter((w) => w !== word);

test("an unknown option is a TypeError that names the nearest one", () => {
  for (const entry of entries) {
    const options = entry.good().at(-1), last = entry.good().length - 1;
    if (typeof options !== "object" || !("separation" in options || "thickness" in options || "linkPairs" in options)) continue;
    for (const key of Object.keys(options))
      for (const slip of slips(key)) {
        const args = entry.good();
        args[last] = { ...options, [slip]: options[key] };
        assert.throws(() => ask1(entry, args), (e) => e instanceof TypeError && e.message.includes(`'${slip}'`) && e.message.includes(`'${key}'`), slip);
      }
    for (const odd of [{ [Symbol("separation")]: 1 }, Object.create({ separation: 1 }), { toString: 1 }, JSON.parse('{"__proto__": 1}')])
      assertRefused(entry, [...entry.good().slice(0, -1), odd], `${entry.name}: odd options`);
  }
  assert.throws(() => graze.ccd("vf", query, { seperation: 0.5 }), { name: "TypeError", message: "unknown option 'seperation': did you mean 'separation'?" });
  assert.throws(() => graze.ccd("vf", query, { method: "certifed" }), { name: "RangeError", message: /did you mean 'certified'/ });
  assert.throws(() => graze.ccd("fv", query), { name: "RangeError", message: /unknown kind 'fv'/ });
  assert.throws(() => graze.articulate(modelsOf(), [{ ...motionsOf()[0], turn: [] }, motionsOf()[1]]), { name: "TypeError", message: /'turn'.*'turns'/ });
});

test("values outside their range are RangeErrors", () => {
  const options = { separation: [-1, -1e-300, Infinity, 1e300], tMax: [-0.1, 1.0001], tolerance: [-1, Infinity], maxChecks: [-1, 0.5, 2 ** 53, Infinity] };
  for (const [name, values] of Object.entries(options))
    for (const value of values) {
      for (const call of [() => graze.ccd("vf", query, { [name]: value }), () => graze.step(sceneOf(), "all", { [name]: value })])
        assert.throws(call, RangeError, `${name} ${value}`);
    }
  for (const value of [1, 2, -0.5]) assert.throws(() => graze.step(sceneOf(), "all", { relativeSeparation: value }), RangeError);
  for (const faces of [[0, 1, 8], [0, 1, -1], [0, 1, 0.5], [0, 1, 2 ** 32], Int32Array.of(0, 1, -1), Float32Array.of(0, 1, 2.5)])
    assert.throws(() => graze.makeScene(x0, x1, faces), RangeError, `${faces}`);
  assert.throws(() => graze.handcrafted(graze.families[0].name, "pp", 0), RangeError);
  assert.throws(() => graze.ccd("vf", Float64Array.of(...query, ...query)), { name: "RangeError", message: /48 numbers/ });
  assert.throws(() => graze.ccd("pp", query, { method: "ti" }), RangeError);
  assert.throws(() => graze.ccd("vf", query.map((x) => x * 2 ** 200)), RangeError);
});

// ---- right kinds ----

const otherRealm = vm.runInNewContext("({ f64: Float64Array, list: Array })");
const inShared = (list) => {
  const made = new Float64Array(new SharedArrayBuffer(8 * list.length));
  made.set(list);
  return made;
};
/** A part of a longer buffer, other numbers before and after. */
function inTheMiddle(list, Kind) {
  const whole = new Kind(list.length + 5).fill(77);
  whole.set(list, 3);
  return whole.subarray(3, 3 + list.length);
}
class Longer extends Float64Array {
  get length() { return 4 * super.length; }
}
const holders = (list) => [
  ["an array", [...list]], ["a Float64Array", Float64Array.from(list)], ["a Float32Array", Float32Array.from(list)],
  ["a part of a Float64Array", inTheMiddle(list, Float64Array)], ["a part of a Float32Array", inTheMiddle(list, Float32Array)],
  ["a shared array", inShared(list)], ["an array of another window", otherRealm.f64.from(list)], ["a list of another window", otherRealm.list.from(list)],
  ["a frozen list", Object.freeze([...list])], ["a proxy of a list", new Proxy([...list], {})], ["a subclass", Longer.from([...list])],
  ...[Int8Array, Int16Array, Int32Array].filter((Kind) => [...list].every((x) => Number.isInteger(x))).map((Kind) => [Kind.name, Kind.from(list)]),
];

test("numbers in any array give the answer of a Float64Array", () => {
  let tried = 0;
  for (const entry of entries) {
    const right = ask1(entry, entry.good());
    for (const path of places(entry.good())) {
      const good = at(entry.good(), path);
      if (!isNumbers(good) || path.at(-1) === "bytes") continue;
      for (const [what, value] of holders([...good])) {
        assert.deepEqual(ask1(entry, withValue(entry, path, value)), right, `${entry.name} ${path.join(".")}: ${what}`);
        tried++;
      }
    }
  }
  assert.ok(tried > 300, `${tried} tried`);
  const tenths = Float32Array.from(query, (x) => x / 10);
  assert.deepEqual(graze.ccd("vf", tenths), graze.ccd("vf", Float64Array.from(tenths)));
  assert.notDeepEqual(graze.ccd("vf", tenths, { separation: 0.01 }).toi, graze.ccd("vf", query.map((x) => x / 10), { separation: 0.01 }).toi);
});

// ---- what the module holds ----

test("arrays that change between calls are read again", () => {
  const scene = sceneOf(), models = modelsOf(), motions = motionsOf();
  assert.equal(graze.step(scene).verdict, "hit");
  scene.x1.set(scene.x0);
  assert.equal(graze.step(scene).verdict, "clear");
  assert.equal(graze.articulate(models, motions).verdict, "hit");
  for (const l of models.flatMap((m) => m.links)) l.meshes[0].scale = [0.01, 0.01, 0.01];
  assert.equal(graze.articulate(models, motions).verdict, "clear");
});

test("a scene that cannot be read leaves the one before as it was", () => {
  const broken = fileOf("c.obj", "v 1 2\n");
  const attempts = [() => graze.readScene(broken, broken), () => graze.makeScene([NaN, 0, 0], [0, 0, 0], []), () => graze.makeScene(x0, x1, [0, 1, 99])];
  for (const attempt of attempts) {
    const scene = graze.makeScene(...Object.values(sceneOf())), before = graze.step(scene);
    try {
      attempt();
    } catch { /* tested elsewhere */ }
    assert.deepEqual([graze.step(scene).verdict, graze.step(scene).toi], [before.verdict, before.toi]);
  }
  const models = modelsOf(), motions = motionsOf(), before = graze.articulate(models, motions);
  assert.throws(() => graze.articulate([{ links: [{ ...link(-1, "revolute", 0, 0, 0), axis: [0, 0, 0] }] }], [{ from: [0], to: [1] }]), RangeError);
  assert.deepEqual(graze.articulate(models, motions), before);
});

test("what is not graze.wasm is not loaded", async () => {
  for (const wrong of [null, undefined, 7, "graze.wasm", [1, 2], {}, new Map(), Promise.resolve(read("../dist/graze.wasm"))])
    await assert.rejects(Graze.load(wrong), TypeError);
  await assert.rejects(Graze.load(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)), { name: "TypeError", message: /not graze\.wasm/ });
  for (const wrong of [null, 7, {}, { links: 3 }, { links: [null] }, { links: [{ joint: "hinge" }] }]) assert.throws(() => valuesOf(wrong), refused);
});

test("the package holds the license, the types and both modules", () => {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const [packed] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  const names = packed.files.map((file) => file.path);
  for (const name of ["LICENSE", "README.md", "dist/graze.js", "dist/graze.d.ts", "dist/graze.wasm", "dist/graze-plain.wasm"]) assert.ok(names.includes(name), name);
});

test("the package has the version of the library", () => {
  const header = String(read("../../../include/graze/base.h"));
  const version = ["MAJOR", "MINOR", "PATCH"].map((part) => header.match(new RegExp(`GRAZE_VERSION_${part} (\\d+)`))[1]).join(".");
  assert.deepEqual([JSON.parse(read("../package.json")).version, graze.version], [version, version]);
});

// ---- fuzz ----

let state = Number(process.env.GRAZE_SEED ?? 1);
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const below = (n) => Math.floor(random() * n);
const pick = (list) => list[below(list.length)];
const someNumber = () => pick([0, -0, 1, -1, 0.5, 2, 3, 24, 1e-300, 1e300, 255, 256, 2 ** 31, 2 ** 32, 2 ** 53, NaN, Infinity, -Infinity, random(), 1 / 3]);
const someArray = () => {
  const list = Array.from({ length: pick([0, 1, 2, 3, 4, 6, 8, 9, 16, 23, 24, 25, 48]) }, someNumber);
  return pick([() => list, () => pick(holders(list))[1], () => [list], () => detached(Float64Array.from(list)), () => Float32Array.from(list)])();
};
const someValue = () =>
  pick([someNumber, someArray, () => pick(neverRight())[1], () => null, () => undefined, () => ({}), () => [],
    () => pick(["vf", "ee", "all", "certified", "free", ""])])();
/** The answer, or the name of the error. */
function outcome(entry, args) {
  try {
    return { answer: ask1(entry, args) };
  } catch (error) {
    assert.ok(refused(error) || ["readQueries", "readScene", "readMesh"].includes(entry.name), `${entry.name}: ${error.stack}`);
    return { error: true };
  }
}
function isNumberArray(x) {
  if (Array.isArray(x)) return [...x].every((v) => typeof v === "number");
  if (!isTyped(x) || /Big|DataView/.test(Object.prototype.toString.call(x))) return false;
  try {
    return new Float64Array(x).length >= 0;
  } catch {
    return false; // its buffer was given away
  }
}

test("a fuzz of kinds gives the answer of Float64Arrays or an error", () => {
  let answered = 0, errors = 0;
  for (let round = 0; round < 6000; round++) {
    const entry = pick(entries), path = pick(places(entry.good())), good = at(entry.good(), path), value = someValue();
    const given = outcome(entry, withValue(entry, path, value));
    if (isNumbers(good) && path.at(-1) !== "bytes" && path.at(-1) !== "thickness" && !(value === undefined || value === null)) {
      // an array of numbers answers as its doubles do; nothing else answers
      const doubles = isNumberArray(value) ? outcome(entry, withValue(entry, path, Float64Array.from([...value]))) : { error: true };
      assert.deepEqual(given, doubles, `seed ${state}: ${entry.name} ${path.join(".")}`);
    }
    if (given.error) errors++;
    else answered++;
  }
  assert.ok(answered > 100 && errors > 1000, `${answered} answered, ${errors} refused`);
});

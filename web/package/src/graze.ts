/**
 * Continuous collision detection that never misses a contact: libgraze as a WebAssembly module.
 *
 * Every point moves on a straight line from t = 0 to t = 1. The answers have the bits that the C library gives.
 */
import {
  between, bytes, type Check, type Checks, fieldsOf, indices, length, type Numbers, numbers, numbersOf, oneOf, points, record, rows, sameArrays, text, whole,
} from "./arguments.js";
import { type ArticulatedExample, enterModels, exampleNames, type Model, modelArrays, type Motion, motionArrays, readExample } from "./articulated.js";
import { RawModule } from "./module.js";

export type { Numbers } from "./arguments.js";
export {
  type ArticulatedExample, type JointKind, jointKinds, jointValues, type Link, type LinkMesh, type Model, type Motion, type Placement, still, valuesOf,
} from "./articulated.js";

export type Kind = "vf" | "ee" | "pe" | "pp";
export type Verdict = "clear" | "hit" | "unresolved";
export type Mode = "earliest" | "any" | "vertices" | "all";
export type Vector = [number, number, number];

/** Options of a query. Fields that are left out take the library's defaults. */
export interface Options {
  method?: string;
  /** Distance that counts as contact, Euclidean, ≥ 0. */
  separation?: number;
  /** End of the time looked at, in [0, 1]. */
  tMax?: number;
  /** Gap at which an unproven hit is reported, a length; 0: the method's own. */
  tolerance?: number;
  /** Work allowed to one query; 0: the method's own. */
  maxChecks?: number;
}

/** Options of an exact decision. */
export type TruthOptions = Pick<Options, "separation" | "tMax">;

/** Options of a step. */
export interface StepOptions extends Options {
  /** A radius for all vertices, or one for each: faces and edges are the hulls of the balls around their vertices. */
  thickness?: number | Numbers;
  /** Part of the distance that a pair starts at which it has to keep, where that is more than the separation; up to 0.999. */
  relativeSeparation?: number;
}

export interface Result {
  verdict: Verdict;
  /** Why, where the verdict is unresolved. */
  reason: "budget" | "memory" | "cancelled" | "precision" | null;
  /** A hit whose contact at or before toiUpper is proven. */
  proven: boolean;
  /** Proven: no contact in [0, toi). */
  toi: number;
  toiUpper: number | null;
  u: number | null;
  v: number | null;
  point: Vector | null;
  normal: Vector | null;
  checks: number;
}

export interface Method {
  name: string;
  summary: string;
  available: boolean;
  conservative: boolean;
  exact: boolean;
  givesToi: boolean;
  kinds: Kind[];
}

/** A family of degenerate or nearly degenerate queries. */
export interface Family {
  name: string;
  summary: string;
}

/** Exact truth: adjacent doubles around the first contact, and the integer polynomial it is a root of. */
export interface Truth {
  hit: boolean;
  lower: number | null;
  upper: number | null;
  /** Constant term first. */
  polynomial: bigint[];
}

/** On [t0, t1] the two primitives are apart along `direction`; null: see graze/certificate.h. */
export interface CertificateEntry {
  direction: Vector | null;
  /** A zero direction: vertex and plane, or lines, are apart. */
  volume: boolean;
  t0: number;
  t1: number;
}

export interface Pair {
  kind: Kind;
  a: number;
  b: number;
  /** Ids of the rows of the query. */
  vertices: number[];
  result: Result;
}

export interface StepResult {
  verdict: Verdict;
  reason: Result["reason"];
  toi: number;
  toiUpper: number | null;
  /** The pair that limits the step. */
  pair: Pair | null;
  /** Mode all: every pair that touches. */
  pairs: Pair[];
  candidates: (number | null)[];
  hits: (number | null)[];
  /** Mode vertices: a time for each vertex. */
  vertexToi: Float64Array | null;
  ms: number;
}

/** Options of a motion of articulated models. */
export interface ArticulatedOptions {
  /** earliest: the first contact; any: the verdict alone; all: every pair of links that touches. */
  mode?: "earliest" | "any" | "all";
  separation?: number;
  tMax?: number;
  tolerance?: number;
  maxChecks?: number;
  /** Links × links over all models in order, symmetric: 0 where a pair is not tested. */
  linkPairs?: Numbers | null;
}

/** A link of one of the models, by index. */
export interface LinkId {
  model: number;
  link: number;
}

/** A contact of two links; the first carries `a` of the pair, the second `b`. */
export interface LinkContact {
  verdict: Verdict;
  reason: Result["reason"];
  proven: boolean;
  toi: number;
  toiUpper: number | null;
  links: [LinkId, LinkId];
  pair: { kind: Kind; a: number; b: number } | null;
  point: Vector | null;
  normal: Vector | null;
}

export interface ArticulatedResult {
  verdict: Verdict;
  reason: Result["reason"];
  toi: number;
  toiUpper: number | null;
  /** The one that limits the motion. */
  contact: LinkContact | null;
  /** Mode all: sorted by links. */
  contacts: LinkContact[];
  checks: number;
}

export interface NamedFile {
  name: string;
  bytes: Uint8Array;
}

const kinds: Kind[] = ["vf", "ee", "pe", "pp"];
const verdicts: Verdict[] = ["unresolved", "clear", "hit"];
const reasons: Result["reason"][] = [null, "budget", "memory", "cancelled", "precision"];
const modes: Mode[] = ["earliest", "any", "vertices", "all"];
const RESULT = 14;
const ROW = 7 + RESULT;
const LINK_CONTACT = 19;
const articulatedModes: NonNullable<ArticulatedOptions["mode"]>[] = ["earliest", "any", "all"];
const QUERY = 24;

const finite = (x: number): number | null => (Number.isFinite(x) ? x : null);

function vector(fields: Float64Array, at: number): Vector | null {
  const v: Vector = [fields[at]!, fields[at + 1]!, fields[at + 2]!];
  return v.every(Number.isFinite) ? v : null;
}

function resultOf(fields: Float64Array): Result {
  return {
    verdict: verdicts[fields[0]!]!,
    reason: reasons[fields[1]!]!,
    proven: fields[2] !== 0,
    toi: fields[3]!,
    toiUpper: finite(fields[4]!),
    u: finite(fields[5]!),
    v: finite(fields[6]!),
    point: vector(fields, 7),
    normal: vector(fields, 10),
    checks: fields[13]!,
  };
}

function pairOf(row: Float64Array): Pair {
  return {
    kind: kinds[row[0]!]!,
    a: row[1]!,
    b: row[2]!,
    vertices: [...row.subarray(3, 7)].filter((id) => id >= 0),
    result: resultOf(row.subarray(7)),
  };
}

function linkContactOf(row: Float64Array): LinkContact {
  return {
    verdict: verdicts[row[0]!]!,
    reason: reasons[row[1]!]!,
    proven: row[2] !== 0,
    toi: row[3]!,
    toiUpper: finite(row[4]!),
    links: [{ model: row[5]!, link: row[6]! }, { model: row[7]!, link: row[8]! }],
    pair: row[9] ? { kind: kinds[row[10]!]!, a: row[11]!, b: row[12]! } : null,
    point: row[9] ? vector(row, 13) : null,
    normal: row[9] ? vector(row, 16) : null,
  };
}

function entryOf(fields: Float64Array): CertificateEntry {
  const direction = vector(fields, 0);
  const volume = direction !== null && direction.every((c) => c === 0);
  return { direction: volume ? null : direction, volume, t0: fields[3]!, t1: fields[4]! };
}

function countOf(x: number): number | null {
  return x < 0 ? null : x;
}

const kindIndex = (kind: unknown): number => oneOf(kind, kinds, "kind");

const checksAllowed = whole(0, Number.MAX_SAFE_INTEGER);
const partOfTime = between(0, 1);
const truthChecks: Checks<TruthOptions> = { separation: length, tMax: partOfTime };
const articulatedChecks: Checks<ArticulatedOptions> = {
  mode: (value) => articulatedModes[oneOf(value, articulatedModes, "mode")]!,
  ...truthChecks, tolerance: length, maxChecks: checksAllowed,
  linkPairs: (value) => (value === null ? null : Uint8Array.from(indices(value, "linkPairs", 1, 256))),
};
const stepChecks = {
  thickness: (value: unknown, name: string) => (typeof value === "number" ? length(value, name) : numbers(value, name)),
  relativeSeparation: partOfTime,
};

function fileOf(file: unknown): { name: Uint8Array; bytes: Uint8Array } {
  const given = record(file, "file");
  return { name: new TextEncoder().encode(text(given.name, "name")), bytes: bytes(given.bytes, "bytes") };
}

/** Positions at both ends, faces, lines. */
type SceneArrays = [Float64Array, Float64Array, Uint32Array, Uint32Array];

function sceneArrays(x0: unknown, x1: unknown, faces: unknown, lines: unknown): SceneArrays {
  const start = points(x0, "x0"), end = points(x1, "x1"), count = start.length / 3;
  if (end.length !== start.length) throw new RangeError(`x1 has ${end.length} numbers; it must have the ${start.length} of x0`);
  return [start, end, indices(faces, "faces", 3, count), indices(lines, "lines", 2, count)];
}

// a function that answers a vector of 16 bytes
const simdProbe = Uint8Array.of(
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0, 10, 8, 1, 6, 0, 0x41, 0, 0xfd, 0x0f, 0x0b);

/** True if graze.wasm starts here; else graze-plain.wasm gives the same bits, only later. */
export function hasSimd(): boolean {
  return WebAssembly.validate(simdProbe);
}

export class Graze {
  readonly version: string;
  /** "wasm": with SIMD; "scalar": without. */
  readonly isa: string;
  readonly methods: Method[];
  readonly families: Family[];
  /** Names of built-in articulated models in motion. */
  readonly examples: string[];
  private readonly checks: Checks<Options>;
  /** Arrays that the module holds: a copy, so that a caller may change arrays between calls. */
  private entered: SceneArrays | null = null;
  private models: (Float64Array | Uint32Array)[] | null = null;

  private constructor(private readonly raw: RawModule) {
    this.version = raw.text(raw.call("version"));
    this.isa = raw.text(raw.call("isa"));
    this.methods = this.listMethods();
    this.families = this.listFamilies();
    this.examples = exampleNames(raw);
    const method: Check<string> = (value, name) => this.methods[oneOf(value, this.methods.map((m) => m.name), name)]!.name;
    this.checks = { method, ...truthChecks, tolerance: length, maxChecks: checksAllowed };
  }

  /** Starts the module from the bytes of graze.wasm or graze-plain.wasm, or from one that is compiled already. */
  static async load(source: BufferSource | WebAssembly.Module): Promise<Graze> {
    return new Graze(await RawModule.start(source));
  }

  private listMethods(): Method[] {
    const list: Method[] = [];
    for (let i = 1; ; i++) {
      const name = this.raw.call("method_name", i);
      if (!name) return list;
      const flags = this.raw.call("method_flags", i);
      list.push({
        name: this.raw.text(name),
        summary: this.raw.text(this.raw.call("method_summary", i)),
        available: (flags & 1) !== 0,
        conservative: (flags & 2) !== 0,
        exact: (flags & 4) !== 0,
        givesToi: (flags & 8) !== 0,
        kinds: kinds.filter((_, k) => (flags >> (4 + k)) & 1),
      });
    }
  }

  private listFamilies(): Family[] {
    const list: Family[] = [];
    for (let i = 0; ; i++) {
      const name = this.raw.call("family_name", i);
      if (!name) return list;
      list.push({ name: this.raw.text(name), summary: this.raw.text(this.raw.call("family_summary", i)) });
    }
  }

  /** Query `index` of a family, as `graze handcraft` writes it. */
  handcrafted(family: string, kind: "vf" | "ee", index: number, seed = 1): Float64Array {
    const number = oneOf(family, this.families.map((f) => f.name), "family"), which = oneOf(kind, ["vf", "ee"], "kind");
    const positive = whole(0, 2 ** 31 - 1), words = [positive(seed, "seed"), positive(index, "index")];
    return this.raw.with([QUERY * 8], (at) => {
      this.raw.call("family_query", number, which, ...words, at!);
      return this.raw.doubles(at!, QUERY);
    });
  }

  private row({ method, separation = 0, tMax = 1, tolerance = 0, maxChecks = 0 }: Options): Float64Array {
    return Float64Array.of(this.methods.findIndex((m) => m.name === method) + 1, separation, tMax, tolerance, maxChecks);
  }

  private options(given?: Options): Float64Array {
    return this.row(fieldsOf(given, this.checks, "option"));
  }

  /** One query: 24 numbers, the four points at t = 0, then at t = 1. VF: vertex, face; EE: a0, a1, b0, b1. */
  ccd(kind: Kind, query: Numbers, options?: Options): Result {
    return this.answers(kind, numbersOf(query, "query", QUERY), options)[0]!;
  }

  /** Many queries of one kind, 24 numbers each. */
  ccdBatch(kind: Kind, queries: Numbers, options?: Options): Result[] {
    return this.answers(kind, rows(queries, "queries", QUERY), options);
  }

  private answers(kind: Kind, queries: Float64Array, options?: Options): Result[] {
    const count = queries.length / QUERY, which = kindIndex(kind);
    return this.raw.with([queries, this.options(options), count * RESULT * 8], (at, given, out) => {
      this.raw.must("ccd_batch", which, at!, count, given!, out!);
      const fields = this.raw.doubles(out!, count * RESULT);
      return Array.from({ length: count }, (_, i) => resultOf(fields.subarray(i * RESULT, (i + 1) * RESULT)));
    });
  }

  /** The exact first contact. */
  truth(kind: Kind, query: Numbers, options?: TruthOptions): Truth {
    const { separation = 0, tMax = 1 } = fieldsOf(options, truthChecks, "option"), which = kindIndex(kind);
    return this.raw.with([numbersOf(query, "query", QUERY), 24], (at, out) => {
      this.raw.must("truth", which, at!, separation, tMax, out!);
      const [hit, lower, upper] = this.raw.doubles(out!, 3);
      const lines = this.raw.text(this.raw.call("truth_coefficients")).split("\n").filter(Boolean);
      return { hit: hit !== 0, lower: finite(lower!), upper: finite(upper!), polynomial: lines.map(BigInt) };
    });
  }

  /** `certified`, with the pieces of time that it proved free. */
  certificate(kind: Kind, query: Numbers, options?: Options): { result: Result; entries: CertificateEntry[] } {
    const room = this.raw.call("certificate_room"), which = kindIndex(kind);
    return this.raw.with([numbersOf(query, "query", QUERY), this.options(options), room * 40, RESULT * 8], (at, given, out, result) => {
      const count = this.raw.call("certificate", which, at!, given!, out!, result!);
      if (count < 0) throw this.raw.failure();
      const fields = this.raw.doubles(out!, count * 5);
      return {
        result: resultOf(this.raw.doubles(result!, RESULT)),
        entries: Array.from({ length: count }, (_, i) => entryOf(fields.subarray(i * 5, i * 5 + 5))),
      };
    });
  }

  /** Queries in the format of the public datasets. */
  readQueries(file: NamedFile): { queries: Float64Array; truth: Uint8Array | null } {
    const given = fileOf(file);
    return this.raw.with([given.name, given.bytes], (name, at) => {
      const count = this.raw.call("read_queries", name!, at!, given.bytes.length);
      if (count < 0) throw this.raw.failure();
      const truth = this.raw.call("read_queries_truth");
      return {
        queries: this.raw.doubles(this.raw.call("read_queries_data"), count * QUERY),
        truth: truth ? this.raw.bytes(truth, count) : null,
      };
    });
  }

  /** Two frames of one mesh: PLY, OBJ, STL, OFF, MSH. The errors are those of the program. */
  readScene(a: NamedFile, b: NamedFile): Scene {
    const [from, to] = [fileOf(a), fileOf(b)];
    this.entered = null;
    this.raw.with([from.name, from.bytes, to.name, to.bytes], (nameA, atA, nameB, atB) =>
      this.raw.must("scene_read", nameA!, atA!, from.bytes.length, nameB!, atB!, to.bytes.length));
    const scene = this.currentScene();
    this.entered = sceneArrays(scene.x0, scene.x1, scene.faces, scene.lines);
    return scene;
  }

  /** A mesh from arrays: 3 numbers a vertex at both ends, 3 indices a face, 2 a line that belongs to no face. */
  makeScene(x0: Numbers, x1: Numbers, faces: Numbers, lines: Numbers = []): Scene {
    this.enter(sceneArrays(x0, x1, faces, lines));
    return this.currentScene();
  }

  private enter(arrays: SceneArrays): void {
    const [x0, , faces, lines] = arrays;
    this.entered = null; // until the module has the new one: a failure closes what was there
    this.raw.with(arrays, (a, b, f, l) => this.raw.must("scene_make", a!, b!, x0.length / 3, f!, faces.length / 3, l!, lines.length / 2));
    this.entered = arrays;
  }

  private currentScene(): Scene {
    const [vertices, faces, edgeCount, fanned, lines] = [0, 1, 2, 3, 4].map((which) => this.raw.call("scene_count", which));
    const edges = this.raw.integers(this.raw.call("scene_edges"), 2 * edgeCount!);
    const free = this.raw.integers(this.raw.call("scene_codim_edges"), lines!);
    return {
      x0: this.raw.doubles(this.raw.call("scene_positions", 0), 3 * vertices!),
      x1: this.raw.doubles(this.raw.call("scene_positions", 1), 3 * vertices!),
      faces: this.raw.integers(this.raw.call("scene_faces"), 3 * faces!),
      edges,
      lines: Uint32Array.from([...free].flatMap((e) => [edges[2 * e]!, edges[2 * e + 1]!])),
      fanned: fanned!,
    };
  }

  /** The number of vertices of a scene that the module holds from here on. */
  private open(scene: Scene): number {
    const { x0, x1, faces, lines } = record(scene, "scene");
    const arrays = sceneArrays(x0, x1, faces, lines);
    if (!this.entered || !sameArrays(this.entered, arrays)) this.enter(arrays);
    return arrays[0].length / 3;
  }

  /** A step between the two frames of a scene. */
  step(scene: Scene, mode: Mode = "earliest", options?: StepOptions): StepResult {
    const asked = fieldsOf<StepOptions>(options, { ...this.checks, ...stepChecks }, "option"), which = oneOf(mode, modes, "mode");
    const vertices = this.open(scene), radii = radiiOf(asked.thickness, vertices);
    const given = Float64Array.of(...this.row(asked), asked.relativeSeparation ?? 0);
    return this.raw.with([given, 14 * 8, radii ?? 0], (at, out, thickness) => {
      this.raw.must("step", which, at!, radii ? thickness! : 0, out!);
      const fields = this.raw.doubles(out!, 14);
      const count = this.raw.call("row_count");
      const rows = this.raw.doubles(this.raw.call("rows"), count * ROW);
      const pairs = Array.from({ length: count }, (_, i) => pairOf(rows.subarray(i * ROW, (i + 1) * ROW)));
      return {
        verdict: verdicts[fields[0]!]!,
        reason: reasons[fields[1]!]!,
        toi: fields[2]!,
        toiUpper: finite(fields[3]!),
        pair: limiting(pairs),
        pairs,
        candidates: [...fields.subarray(6, 10)].map(countOf),
        hits: [...fields.subarray(10, 14)].map(countOf),
        vertexToi: mode === "vertices" ? this.raw.doubles(this.raw.call("scene_vertex_toi"), vertices) : null,
        ms: fields[5]!,
      };
    });
  }

  /** First contact of articulated models that move between two poses, one motion for each. */
  articulate(models: Model[], motions: Motion[], options?: ArticulatedOptions): ArticulatedResult {
    const asked = fieldsOf(options, articulatedChecks, "option"), entered = modelArrays(models);
    const { mode = "earliest", separation = 0, tMax = 1, tolerance = 0, maxChecks = 0, linkPairs } = asked;
    const links = models.reduce((sum, model) => sum + model.links.length, 0);
    const tested = linkPairs ? numbersOf(linkPairs, "linkPairs", links * links) : null;
    const moved = motionArrays(models, motions);
    this.openModels(entered);
    const given = Float64Array.of(articulatedModes.indexOf(mode), separation, tMax, tolerance, maxChecks);
    const arrays = [...moved, tested ? Uint8Array.from(tested) : 0, given, 9 * 8];
    return this.raw.with(arrays, (from, to, turns, bezier, degrees, pairs, asked, out) => {
      this.raw.must("models_move", from!, to!, turns!, bezier!, degrees!, tested ? pairs! : 0, asked!, out!);
      const fields = this.raw.doubles(out!, 9);
      const count = this.raw.call("models_row_count");
      const rows = this.raw.doubles(this.raw.call("models_rows"), count * LINK_CONTACT);
      const contacts = Array.from({ length: count }, (_, i) => linkContactOf(rows.subarray(i * LINK_CONTACT)));
      return {
        verdict: verdicts[fields[0]!]!,
        reason: reasons[fields[1]!]!,
        toi: fields[2]!,
        toiUpper: finite(fields[3]!),
        contact: fields[4] ? contacts.shift()! : null,
        contacts,
        checks: fields[5]!,
      };
    });
  }

  private openModels(arrays: (Float64Array | Uint32Array)[]): void {
    if (this.models && sameArrays(this.models, arrays)) return;
    this.models = null;
    enterModels(this.raw, arrays);
    this.models = arrays;
  }

  /** A built-in example, as the program's benchmark has it. */
  example(name: string): ArticulatedExample {
    return readExample(this.raw, this.examples[oneOf(name, this.examples, "example")]!);
  }

  /** The triangles of a mesh file: PLY, OBJ, STL, OFF, MSH. The errors are those of the program. */
  readMesh(file: NamedFile): { vertices: Float64Array; faces: Uint32Array } {
    const given = fileOf(file);
    return this.raw.with([given.name, given.bytes], (name, at) => {
      this.raw.must("mesh_read", name!, at!, given.bytes.length);
      return {
        vertices: this.raw.doubles(this.raw.call("mesh_vertices"), 3 * this.raw.call("mesh_count", 0)),
        faces: this.raw.integers(this.raw.call("mesh_faces"), 3 * this.raw.call("mesh_count", 1)),
      };
    });
  }

  /** Pairs of faces that intersect at the start, touching included: two ids each. Of a line and a face the face, twice. */
  intersections(scene: Scene): Uint32Array {
    this.open(scene);
    return this.raw.with([4], (count) => {
      const at = this.raw.must("intersections", count!);
      const ids = this.raw.integers(at, 2 * this.raw.integers(count!, 1)[0]!);
      this.raw.call("release", at);
      return ids;
    });
  }
}

function radiiOf(thickness: StepOptions["thickness"], count: number): Float64Array | null {
  if (thickness === undefined || thickness === 0) return null;
  return typeof thickness === "number" ? new Float64Array(count).fill(thickness) : numbersOf(thickness, "thickness", count);
}

/** Two frames of one mesh, as the module read or was given them. */
export interface Scene {
  x0: Float64Array;
  x1: Float64Array;
  faces: Uint32Array;
  edges: Uint32Array;
  /** Edges that belong to no face. */
  lines: Uint32Array;
  /** Faces that had more than three corners and were cut into triangles. */
  fanned: number;
}

/** Pairs are sorted by kind, a, b: the first of those with the least toi limits the step. */
function limiting(pairs: Pair[]): Pair | null {
  return pairs.reduce<Pair | null>((least, p) => (least === null || p.result.toi < least.result.toi ? p : least), null);
}

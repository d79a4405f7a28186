// Articulated models as the module takes them: rows of numbers.
import { fieldsOf, finiteOf, indices, length, listOf, numbers, oneOf, points, record, whole } from "./arguments.js";
import type { RawModule } from "./module.js";

type Triple = [number, number, number];

export const jointKinds = ["fixed", "revolute", "prismatic", "spherical", "planar", "free"] as const;
export type JointKind = (typeof jointKinds)[number];

/** Number of values that say where a joint stands. */
export const jointValues: Record<JointKind, number> = { fixed: 0, revolute: 1, prismatic: 1, spherical: 3, planar: 3, free: 6 };

/** A position and a rotation, a quaternion w, x, y, z of any length but 0. */
export interface Placement {
  position: Triple;
  rotation: [number, number, number, number];
}

export interface LinkMesh {
  /** 3 numbers a vertex. */
  vertices: Float64Array;
  /** 3 indices a face. */
  faces: Uint32Array;
  /** Placement in the link's frame. */
  origin: Placement;
  /** Applied first. */
  scale: Triple;
}

export interface Link {
  name: string;
  /** Link of the same model that it hangs on, listed before it; −1: the world. */
  parent: number;
  joint: JointKind;
  /** Joint frame in the parent's frame. */
  origin: Placement;
  /** Of revolute and prismatic joints. */
  axis: Triple;
  /** The link counts as grown by it. */
  padding: number;
  meshes: LinkMesh[];
}

export interface Model {
  name: string;
  links: Link[];
}

/** Motion of a model: values of all joints in the order of the links. */
export interface Motion {
  from: number[];
  to: number[];
  /** For each link a rotation vector that a spherical or free joint turns by, or null for the shorter way. */
  turns?: (Triple | null)[];
  /** For each value the four Bézier values of a cubic in t: from and to are not read then. */
  cubic?: [number, number, number, number][];
  /** The same of another degree, up to 7: for each value 2 to 8 Bézier values, as many for all. */
  bezier?: number[][];
}

export const still: Placement = { position: [0, 0, 0], rotation: [1, 0, 0, 0] };

/** Sizes of the rows, as web/module/models.c has them. */
const LINK = 14, MESH = 12;

const jointOf = (link: Record<string, unknown>): JointKind => jointKinds[oneOf(link.joint, jointKinds, "joint")]!;

/** Number of values that say where all joints of a model stand. */
export function valuesOf(model: Model): number {
  const links = listOf(record(model, "model").links, "links");
  return links.reduce<number>((sum, link) => sum + jointValues[jointOf(record(link, "link"))], 0);
}

function joined<T extends Float64Array | Uint32Array>(parts: T[], make: (length: number) => T): T {
  const all = make(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function placed(value: unknown, name: string): number[] {
  const { position, rotation } = record(value, name);
  return [...finiteOf(position, `${name}.position`, 3), ...finiteOf(rotation, `${name}.rotation`, 4)];
}

function meshArrays(value: unknown): { row: number[]; vertices: Float64Array; faces: Uint32Array } {
  const mesh = record(value, "mesh"), vertices = points(mesh.vertices, "vertices");
  const faces = indices(mesh.faces, "faces", 3, vertices.length / 3);
  const place = [...placed(mesh.origin, "origin"), ...finiteOf(mesh.scale, "scale", 3)];
  return { row: [vertices.length / 3, faces.length / 3, ...place], vertices, faces };
}

function linkArrays(value: unknown, index: number): { row: number[]; meshes: ReturnType<typeof meshArrays>[] } {
  const link = record(value, "link"), meshes = Array.from(listOf(link.meshes, "meshes"), meshArrays);
  const parent = whole(-1, index - 1)(link.parent, "parent"), joint = jointKinds.indexOf(jointOf(link));
  const frame = [...placed(link.origin, "origin"), ...finiteOf(link.axis, "axis", 3)];
  return { row: [parent, joint, ...frame, length(link.padding, "padding"), meshes.length], meshes };
}

/** Models as the module takes them: counts of links, links, meshes, vertices, faces. */
export function modelArrays(models: Model[]): (Float64Array | Uint32Array)[] {
  const links = Array.from(listOf(models, "models"), (m) => Array.from(listOf(record(m, "model").links, "links"), linkArrays));
  const all = links.flat(), meshes = all.flatMap((l) => l.meshes);
  return [
    Uint32Array.from(links, (l) => l.length), Float64Array.from(all.flatMap((l) => l.row)), Float64Array.from(meshes.flatMap((m) => m.row)),
    joined(meshes.map((m) => m.vertices), (n) => new Float64Array(n)), joined(meshes.map((m) => m.faces), (n) => new Uint32Array(n)),
  ];
}

/** Gives the models to the module. */
export function enterModels(raw: RawModule, arrays: (Float64Array | Uint32Array)[]): void {
  const [counts, , meshes] = arrays;
  raw.with(arrays, (countAt, linkAt, meshAt, vertices, faces) =>
    raw.must("models_make", countAt!, counts!.length, linkAt!, meshAt!, meshes!.length / MESH, vertices!, faces!));
}

interface MotionRows {
  from: number[];
  to: number[];
  turns: number[];
  bezier: number[];
  degree: number;
}

const listIn = (name: string) => (value: unknown): readonly unknown[] => listOf(value, name);
const motionFields = { from: (value: unknown) => value, to: (value: unknown) => value, turns: listIn("turns"), cubic: listIn("cubic"), bezier: listIn("bezier") };

/** Bézier values of all joint values, and their degree. */
function bezierRows(rows: readonly unknown[], name: string, most: number): { bezier: number[]; degree: number } {
  const size = name === "cubic" ? 4 : rows.length ? listOf(rows[0], `${name}[0]`).length : 2;
  if (size < 2 || size > most) throw new RangeError(`${name}: ${size} Bézier values, not 2 to ${most}`);
  return { bezier: Array.from(rows, (row, v) => [...finiteOf(row, `${name}[${v}]`, size)]).flat(), degree: size - 1 };
}

/** One motion: the rows of a model that has no turns are NaN. */
function motionRows(model: Model, motion: unknown): MotionRows {
  const count = valuesOf(model), links = model.links.length;
  const { from, to, turns = [], cubic = [], bezier = [] } = fieldsOf(record(motion, "motion"), motionFields, "field of a motion");
  const fit = (length: number) => {
    if (length !== count) throw new RangeError(`${length} values for the ${count} of model '${model.name}'`);
  };
  const valued = (value: unknown, name: string) => {
    const list = numbers(value, name);
    fit(list.length);
    return [...finiteOf(list, name, count)];
  };
  if (turns.length > links) throw new RangeError(`${turns.length} turns for ${links} links`);
  const turnOf = (turn: unknown, l: number) => (turn == null ? [NaN, NaN, NaN] : [...finiteOf(turn, `turns[${l}]`, 3)]);
  const turned = Array.from({ length: links }, (_, l) => turnOf(turns[l], l)).flat();
  if (cubic.length && bezier.length) throw new TypeError("a motion has cubic or bezier, not both");
  const rows = cubic.length ? cubic : bezier;
  if (rows.length === 0) return { from: valued(from, "from"), to: valued(to, "to"), turns: turned, bezier: [], degree: 0 };
  fit(rows.length);
  const zeros = Array<number>(count).fill(0);
  return { from: zeros, to: zeros, turns: turned, ...bezierRows(rows, cubic.length ? "cubic" : "bezier", 8) };
}

/** Motions of all models as the module takes them: from, to, turns, Bézier values, their degrees. */
export function motionArrays(models: Model[], motions: Motion[]): (Float64Array | Uint32Array)[] {
  const given = listOf(motions, "motions");
  if (given.length !== models.length) throw new RangeError(`${given.length} motions for ${models.length} models`);
  const all = models.map((model, i) => motionRows(model, given[i]));
  const lists = [all.flatMap((m) => m.from), all.flatMap((m) => m.to), all.flatMap((m) => m.turns), all.flatMap((m) => m.bezier)];
  return [...lists.map((list) => Float64Array.from(list)), Uint32Array.from(all, (m) => m.degree)];
}

function placementOf(row: Float64Array, at: number): Placement {
  return {
    position: [row[at]!, row[at + 1]!, row[at + 2]!], rotation: [row[at + 3]!, row[at + 4]!, row[at + 5]!, row[at + 6]!] };
}

const tripleOf = (row: Float64Array, at: number): Triple => [row[at]!, row[at + 1]!, row[at + 2]!];

/** A built-in example: models, and their values at each frame of a motion. */
export interface ArticulatedExample {
  name: string;
  summary: string;
  models: Model[];
  /** [frame][model] */
  poses: number[][][];
}

export function exampleNames(raw: RawModule): string[] {
  const names: string[] = [];
  for (let i = 0; ; i++) {
    const at = raw.call("example_name", i);
    if (!at) return names;
    names.push(raw.text(at));
  }
}

export function readExample(raw: RawModule, name: string): ArticulatedExample {
  raw.with([new TextEncoder().encode(name)], (at) => raw.must("example_open", at!));
  const models = named(Array.from({ length: raw.call("example_count", 0) }, (_, m) => exampleModel(raw, m)));
  const room = raw.call("example_room");
  const poseOf = (frame: number) => models.map((model, m) => raw.with([room * 8], (at) => {
    raw.call("example_pose", m, frame, at!);
    return [...raw.doubles(at!, valuesOf(model))];
  }));
  const poses = Array.from({ length: raw.call("example_count", 1) }, (_, frame) => poseOf(frame));
  return { name, summary: raw.text(raw.call("example_summary")), models, poses };
}

function exampleModel(raw: RawModule, m: number): Model {
  const row = (call: string, size: number, ...which: number[]) =>
    raw.with([size * 8], (at) => {
      raw.call(call, ...which, at!);
      return raw.doubles(at!, size);
    });
  const meshOf = (l: number, i: number): LinkMesh => {
    const fields = row("example_mesh", MESH, m, l, i);
    return {
      vertices: raw.doubles(raw.call("example_vertices", m, l, i), 3 * fields[0]!),
      faces: raw.integers(raw.call("example_faces", m, l, i), 3 * fields[1]!),
      origin: placementOf(fields, 2), scale: tripleOf(fields, 9),
    };
  };
  const linkOf = (l: number): Link => {
    const fields = row("example_link", LINK, m, l);
    return {
      name: `link ${l}`, parent: fields[0]!, joint: jointKinds[fields[1]!]!, origin: placementOf(fields, 2), axis: tripleOf(fields, 9),
      padding: fields[12]!, meshes: Array.from({ length: fields[13]! }, (_, i) => meshOf(l, i)),
    };
  };
  return { name: raw.text(raw.call("example_model", m)), links: Array.from({ length: raw.call("example_links", m) }, (_, l) => linkOf(l)) };
}

/** Models of one name are numbered; a model of one link and that link have one name. */
function named(models: Model[]): Model[] {
  return models.map(({ name, links }, m) => {
    const alike = models.filter((other) => other.name === name).length > 1;
    const own = alike ? `${name} ${models.slice(0, m).filter((other) => other.name === name).length + 1}` : name;
    return { name: own, links: links.length === 1 ? [{ ...links[0]!, name: own }] : links };
  });
}

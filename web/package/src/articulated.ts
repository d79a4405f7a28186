// Articulated models as the module takes them: rows of numbers.
import type { RawModule } from "./module.js";

type Triple = [number, number, number];

export const jointKinds = ["fixed", "revolute", "prismatic", "spherical", "planar", "free"] as const;
export type JointKind = (typeof jointKinds)[number];

/** How many values say where a joint stands. */
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
  /** Where it is in the link's frame. */
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

/** Where a model goes: values of all joints in the order of the links. */
export interface Motion {
  from: number[];
  to: number[];
  /** For each link a rotation vector that a spherical or free joint turns by, or null for the shorter way. */
  turns?: (Triple | null)[];
  /** For each value the four Bézier values of a cubic in t: from and to are not read then. */
  cubic?: [number, number, number, number][];
}

export const still: Placement = { position: [0, 0, 0], rotation: [1, 0, 0, 0] };

/** Sizes of the rows, as web/module/models.c has them. */
const LINK = 14, MESH = 12;

export const valuesOf = (model: Model): number => model.links.reduce((sum, link) => sum + jointValues[link.joint], 0);

function joined<T extends Float64Array | Uint32Array>(parts: T[], make: (length: number) => T): T {
  const all = make(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const placed = ({ position, rotation }: Placement): number[] => [...position, ...rotation];

/** Gives the models to the module. */
export function enterModels(raw: RawModule, models: Model[]): void {
  const links = models.flatMap((m) => m.links), meshes = links.flatMap((l) => l.meshes);
  const linkRows = links.flatMap((l) =>
    [l.parent, jointKinds.indexOf(l.joint), ...placed(l.origin), ...l.axis, l.padding, l.meshes.length]);
  const meshRows = meshes.flatMap((m) => [m.vertices.length / 3, m.faces.length / 3, ...placed(m.origin), ...m.scale]);
  const arrays = [
    Uint32Array.from(models, (m) => m.links.length), Float64Array.from(linkRows), Float64Array.from(meshRows),
    joined(meshes.map((m) => m.vertices), (n) => new Float64Array(n)), joined(meshes.map((m) => m.faces), (n) => new Uint32Array(n)),
  ];
  raw.with(arrays, (counts, linkAt, meshAt, vertices, faces) =>
    raw.must("models_make", counts!, models.length, linkAt!, meshAt!, meshes.length, vertices!, faces!));
}

/** Motions of all models as the module takes them: from, to, turns, cubics. */
export function motionArrays(models: Model[], motions: Motion[]): Float64Array[] {
  const none: [number, number, number, number] = [NaN, NaN, NaN, NaN];
  const given = models.map((model, i) => {
    const motion = motions[i], count = valuesOf(model), zeros = Array<number>(count).fill(0);
    if (!motion) return { from: zeros, to: zeros, turns: [], cubic: [], model, count };
    const { from, to, turns = [], cubic = [] } = motion;
    for (const list of cubic.length ? [cubic] : [from, to])
      if (list.length !== count) throw new Error(`${list.length} values for the ${count} of model '${model.name}'`);
    return cubic.length ? { from: zeros, to: zeros, turns, cubic, model, count } : { from, to, turns, cubic, model, count };
  });
  return [
    given.flatMap((g) => g.from), given.flatMap((g) => g.to),
    given.flatMap((g) => g.model.links.flatMap((_, l) => g.turns[l] ?? [NaN, NaN, NaN])),
    given.flatMap((g) => Array.from({ length: g.count }, (_, v) => g.cubic[v] ?? none).flat()),
  ].map((list) => Float64Array.from(list));
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

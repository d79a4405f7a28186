// Data of the viewer: frames of one mesh and the steps between them. It comes from files that were dropped, or from the
// page itself, where the program put it (cli/view/page.c writes this format).
import type { WrittenModels } from "../articulated/scene";
import type { Kind, StepOptions, Verdict, Vector } from "../../package/src/graze";

export interface Contact {
  kind: Kind;
  a: number;
  b: number;
  verdict: Verdict;
  toi: number;
  toi_upper: number | null;
  point: Vector | null;
  normal: Vector | null;
  vertices: number[];
}

export interface Step {
  from: number; // index of a frame
  to: number;
  name: string;
  verdict: Verdict;
  reason: string | null;
  toi: number;
  toi_upper: number | null;
  pair: Contact | null;
  contacts: Contact[];
  contact_count: number;
  intersections: Uint32Array | null; // pairs of faces; null: not looked for
  intersection_count: number;
  ms: number | null;
}

export interface Frame {
  name: string;
  positions(): Float64Array;
}

export interface ViewData {
  title: string;
  note: string; // method, separation, version
  options: StepOptions; // that the steps were answered with
  frames: Frame[];
  faces: Uint32Array;
  lines: Uint32Array; // edges that belong to no face
  groups: { names: string[]; of: Uint32Array } | null; // a group for each vertex
  steps: Step[];
  up?: "y" | "z"; // as the files say it
}

/** Bytes in the page: {"bytes": number of the element that has them}. */
export interface Reference {
  bytes: number;
}

export function bytesOf(reference: Reference): Uint8Array<ArrayBuffer> {
  const text = atob(document.getElementById(`graze-bytes-${reference.bytes}`)!.textContent!.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export const doublesOf = (reference: Reference): Float64Array => new Float64Array(bytesOf(reference).buffer);
export const integersOf = (reference: Reference): Uint32Array => new Uint32Array(bytesOf(reference).buffer);

interface WrittenStep extends Omit<Step, "intersections" | "contacts" | "pair"> {
  contacts: Reference; // ROW numbers each, the earliest first
  intersections: Reference | null;
}

const ROW = 16;
const kinds: Kind[] = ["vf", "ee", "pe", "pp"];
const verdicts: Verdict[] = ["unresolved", "clear", "hit"];

function contactOf(row: Float64Array): Contact {
  const vector = (at: number): Vector | null => {
    const v: Vector = [row[at]!, row[at + 1]!, row[at + 2]!];
    return v.every(Number.isFinite) ? v : null;
  };
  return {
    kind: kinds[row[0]!]!, a: row[1]!, b: row[2]!, vertices: [...row.subarray(3, 7)].filter((id) => id >= 0),
    verdict: verdicts[row[7]!]!, toi: row[8]!, toi_upper: Number.isFinite(row[9]!) ? row[9]! : null,
    point: vector(10), normal: vector(13),
  };
}

function stepOf(written: WrittenStep): Step {
  const rows = doublesOf(written.contacts);
  const contacts = Array.from({ length: rows.length / ROW }, (_, i) => contactOf(rows.subarray(i * ROW, (i + 1) * ROW)));
  const intersections = written.intersections && integersOf(written.intersections);
  return { ...written, contacts, pair: contacts[0] ?? null, intersections };
}

interface WrittenOptions {
  method: string;
  separation: number;
  t_max: number;
  tolerance: number;
  max_checks: number;
  relative_separation: number;
  thickness: Reference | null;
}

function optionsOf(written: WrittenOptions): StepOptions {
  const { method, separation, tolerance, thickness } = written;
  return {
    method, separation, tolerance, tMax: written.t_max, maxChecks: written.max_checks,
    relativeSeparation: written.relative_separation, ...(thickness && { thickness: doublesOf(thickness) }),
  };
}

export interface WrittenMotion {
  kind: "motion";
  title: string;
  note: string;
  options: WrittenOptions;
  frames: { name: string; positions: Reference }[];
  faces: Reference;
  lines: Reference;
  groups: { names: string[]; of: Reference } | null;
  steps: WrittenStep[];
  up?: "y" | "z";
}

export interface WrittenQueries {
  kind: "queries";
  title: string;
  queries: { kind: Kind; index?: number; a?: number; b?: number; x0: Vector[]; x1: Vector[]; truth?: boolean; verdict?: string }[];
  total: number;
  separation?: number;
}

/** Data that the program put into this page, if it did. */
export function writtenData(): WrittenMotion | WrittenModels | WrittenQueries | null {
  const element = document.getElementById("graze-data");
  return element ? (JSON.parse(element.textContent!) as WrittenMotion | WrittenModels | WrittenQueries) : null;
}

export function motionOf(written: WrittenMotion): ViewData {
  return {
    ...written,
    options: optionsOf(written.options),
    frames: written.frames.map((f) => ({ name: f.name, positions: once(() => doublesOf(f.positions)) })),
    faces: integersOf(written.faces),
    lines: integersOf(written.lines),
    groups: written.groups && { names: written.groups.names, of: integersOf(written.groups.of) },
    steps: written.steps.map(stepOf),
  };
}

/** Decoded when it is first asked for, and forgotten when memory is short. */
function once(make: () => Float64Array): () => Float64Array {
  let kept: WeakRef<Float64Array> | null = null;
  return () => {
    let value = kept?.deref();
    if (!value) kept = new WeakRef((value = make()));
    return value;
  };
}

/** Parts of a mesh that hang together, where nothing else says what belongs together. Largest first, at most `most`. */
export function connectedParts(vertexCount: number, faces: Uint32Array, lines: Uint32Array, most = 24): ViewData["groups"] {
  const root = Uint32Array.from({ length: vertexCount }, (_, i) => i);
  const find = (v: number): number => {
    while (root[v] !== v) v = root[v] = root[root[v]!]!;
    return v;
  };
  const join = (a: number, b: number) => void (root[find(a)] = find(b));
  for (let i = 0; i < faces.length; i += 3) join(faces[i]!, faces[i + 1]!), join(faces[i]!, faces[i + 2]!);
  for (let i = 0; i < lines.length; i += 2) join(lines[i]!, lines[i + 1]!);
  const sizes = new Map<number, number>();
  for (let v = 0; v < vertexCount; v++) sizes.set(find(v), (sizes.get(find(v)) ?? 0) + 1);
  const order = [...sizes].sort((a, b) => b[1] - a[1]).map(([r]) => r);
  const index = new Map(order.map((r, i) => [r, Math.min(i, most - 1)]));
  const count = Math.min(order.length, most);
  const names = Array.from({ length: count }, (_, i) => (i === most - 1 && order.length > most ? "all other parts" : `part ${i + 1}`));
  return { names, of: Uint32Array.from({ length: vertexCount }, (_, v) => index.get(find(v))!) };
}

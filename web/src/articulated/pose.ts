// Poses of links at a time, for drawing: the motion that docs/articulated.md describes, in plain doubles.
import { jointValues, type Link, type LinkMesh, type Model, type Motion, type Placement } from "../../package/src/graze";

type Quaternion = [number, number, number, number];
type Triple = [number, number, number];

/** A rotation and a translation, the rotation normalised. */
export interface Pose {
  q: Quaternion;
  p: Triple;
}

export const world: Pose = { q: [1, 0, 0, 0], p: [0, 0, 0] };

function multiplied(a: Quaternion, b: Quaternion): Quaternion {
  const [w, x, y, z] = a, [s, i, j, k] = b;
  return [w * s - x * i - y * j - z * k, w * i + x * s + y * k - z * j, w * j - x * k + y * s + z * i, w * k + x * j - y * i + z * s];
}

const unit = (q: number[]): Quaternion => {
  const n = Math.hypot(...q);
  return q.map((x) => x / n) as Quaternion;
};

/** The rotation about a vector by its length. */
export function turned(v: number[]): Quaternion {
  const angle = Math.hypot(...v), s = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
  return [Math.cos(angle / 2), v[0]! * s, v[1]! * s, v[2]! * s];
}

/** The shortest rotation vector of a rotation. */
function vectorOf(q: Quaternion): Triple {
  const [w, ...v] = q[0] < 0 ? q.map((x) => -x) as Quaternion : q;
  const s = Math.hypot(...v), angle = 2 * Math.atan2(s, w), f = s > 0 ? angle / s : 2;
  return [v[0]! * f, v[1]! * f, v[2]! * f];
}

const inverse = ([w, x, y, z]: Quaternion): Quaternion => [w, -x, -y, -z];

export function rotated(q: Quaternion, v: number[]): Triple {
  const [, x, y, z] = multiplied(multiplied(q, [0, v[0]!, v[1]!, v[2]!]), inverse(q));
  return [x, y, z];
}

export function moved({ q, p }: Pose, v: number[]): Triple {
  const r = rotated(q, v);
  return [r[0] + p[0], r[1] + p[1], r[2] + p[2]];
}

/** The way back. */
export function unmoved({ q, p }: Pose, v: number[]): Triple {
  return rotated(inverse(q), v.map((x, c) => x - p[c]!));
}

const after = (a: Pose, b: Pose): Pose => ({ q: unit(multiplied(a.q, b.q)), p: moved(a, b.p) });
const poseOf = ({ position, rotation }: Placement): Pose => ({ q: unit(rotation), p: position });

const mixed = (a: number[], b: number[], t: number): number[] => a.map((x, i) => x + t * (b[i]! - x));

/** The rotation at t from one rotation vector to another, by `turn` or the shorter way. */
function turning(from: number[], to: number[], turn: Triple | null, t: number): Quaternion {
  const start = turned(from), by = turn ?? vectorOf(multiplied(turned(to), inverse(start)));
  return multiplied(turned(by.map((x) => t * x)), start);
}

function inJoint(link: Link, from: number[], to: number[], turn: Triple | null, t: number): Pose {
  const at = mixed(from, to, t), axis = link.axis.map((x) => x / (Math.hypot(...link.axis) || 1));
  switch (link.joint) {
    case "fixed": return world;
    case "revolute": return { q: turned(axis.map((x) => x * at[0]!)), p: [0, 0, 0] };
    case "prismatic": return { q: world.q, p: axis.map((x) => x * at[0]!) as Triple };
    case "planar": return { q: turned([0, 0, at[2]!]), p: [at[0]!, at[1]!, 0] };
    case "spherical": return { q: turning(from, to, turn, t), p: [0, 0, 0] };
    case "free": return { q: turning(from.slice(3), to.slice(3), turn, t), p: at.slice(0, 3) as Triple };
  }
}

function bezier(values: number[], t: number): number {
  const b = [...values];
  for (let left = b.length - 1; left > 0; left--) for (let k = 0; k < left; k++) b[k]! += t * (b[k + 1]! - b[k]!);
  return b[0]!;
}

/** The frames of all links of a model at time t. */
export function posesAt(model: Model, motion: Motion, t: number): Pose[] {
  const poses: Pose[] = [];
  let first = 0;
  model.links.forEach((link, l) => {
    const last = first + jointValues[link.joint];
    const values = (motion.cubic ?? motion.bezier)?.slice(first, last).map((row) => bezier(row, t));
    const from = values ?? motion.from.slice(first, last), to = values ?? motion.to.slice(first, last);
    const origin = after(poses[link.parent] ?? world, poseOf(link.origin));
    poses.push(after(origin, inJoint(link, from, to, motion.turns?.[l] ?? null, t)));
    first = last;
  });
  return poses;
}

/** A link's vertices in its own frame, one mesh after the other, and its faces. */
export function linkGeometry(meshes: LinkMesh[]): { vertices: Float64Array; faces: Uint32Array } {
  const vertices: Float64Array[] = [], faces: Uint32Array[] = [];
  let before = 0;
  for (const mesh of meshes) {
    const origin = poseOf(mesh.origin), out = new Float64Array(mesh.vertices.length), first = before;
    for (let i = 0; i < out.length; i += 3)
      out.set(moved(origin, [0, 1, 2].map((c) => mesh.vertices[i + c]! * mesh.scale[c]!)), i);
    vertices.push(out);
    faces.push(mesh.faces.map((v) => v + first));
    before += out.length / 3;
  }
  const join = <T extends Float64Array | Uint32Array>(parts: T[], whole: T): T => {
    let at = 0;
    for (const part of parts) whole.set(part, at), (at += part.length);
    return whole;
  };
  const size = (parts: { length: number }[]) => parts.reduce((sum, part) => sum + part.length, 0);
  return { vertices: join(vertices, new Float64Array(size(vertices))), faces: join(faces, new Uint32Array(size(faces))) };
}

/** A ball around a segment, or around a point where both ends are the same: rings of corners from pole to pole. */
function ballAround(a: Triple, b: Triple, radius: number, around: number): { vertices: number[]; faces: number[] } {
  const along = b.map((x, c) => x - a[c]!), length = Math.hypot(...along);
  const turn = length > 0 ? fromZ(along.map((x) => x / length)) : world.q;
  const vertices: number[] = [], faces: number[] = [], half = around / 4;
  for (let ring = 0; ring <= 2 * half + 1; ring++) {
    const upper = ring > half, angle = (Math.PI / 2) * ((ring - (upper ? 1 : 0)) / half - 1);
    for (let i = 0; i < around; i++) {
      const turned = (2 * Math.PI * i) / around, wide = radius * Math.cos(angle);
      const corner = [wide * Math.cos(turned), wide * Math.sin(turned), radius * Math.sin(angle)];
      vertices.push(...moved({ q: turn, p: upper ? b : a }, corner));
      const here = ring * around + i, next = ring * around + ((i + 1) % around);
      if (ring > 0) faces.push(here - around, next - around, next, here - around, next, here);
    }
  }
  return { vertices, faces };
}

/** The rotation that takes the z axis to a unit vector. */
function fromZ([x, y, z]: number[]): Quaternion {
  return z! < -0.9999 ? [0, 1, 0, 0] : unit([1 + z!, -y!, x!, 0]);
}

/** What is drawn of a link: its triangles and, where it is padded, balls around its points and segments. */
export function drawnGeometry(link: Link): { vertices: Float64Array; faces: Uint32Array } {
  const triangles = linkGeometry(link.meshes), { vertices, faces } = triangles;
  const corner = (f: number, k: number) => [0, 1, 2].map((c) => vertices[3 * faces[3 * f + k]! + c]!) as Triple;
  const same = (a: Triple, b: Triple) => a.every((x, c) => x === b[c]);
  const thin: [Triple, Triple][] = [];
  for (let f = 0; link.padding > 0 && f < faces.length / 3; f++)
    if (same(corner(f, 1), corner(f, 2))) thin.push([corner(f, 0), corner(f, 1)]);
  if (!thin.length) return triangles;
  const x = [...vertices], all = [...faces], around = thin.length > 500 ? 8 : 32; // clouds of points are drawn coarsely
  for (const [a, b] of thin) {
    const ball = ballAround(a, b, link.padding, around), first = x.length / 3;
    for (const value of ball.vertices) x.push(value);
    for (const v of ball.faces) all.push(v + first);
  }
  return { vertices: Float64Array.from(x), faces: Uint32Array.from(all) };
}

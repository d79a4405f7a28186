// Scene of the articulated page: models, and the segments of their motion.
import type { Link, Model, Motion } from "../../package/src/graze";
import { jointKinds, type JointKind } from "../../package/src/graze";
import { bytesOf, doublesOf, integersOf, type Reference } from "../viewer/data";

export interface ModelScene {
  title: string;
  note: string;
  models: Model[];
  segments: Motion[][]; // [segment][model]
  times?: number[]; // of a plan: seconds at which segments begin, and the end
  linkPairs: Uint8Array | null;
  separation: number;
  tolerance: number;
}

export const linkCount = (models: Model[]): number => models.reduce((sum, m) => sum + m.links.length, 0);
export const triangleCount = (models: Model[]): number =>
  models.reduce((sum, m) => sum + m.links.reduce((s, l) => s + l.meshes.reduce((n, mesh) => n + mesh.faces.length / 3, 0), 0), 0);

/** As cli/view/models.c writes it. */
export interface WrittenModels {
  kind: "models";
  title: string;
  note: string;
  models: { name: string; links: (Omit<Link, "joint" | "meshes"> & { joint: number; meshes: WrittenMesh[] })[] }[];
  segments: { from: number[]; to: number[]; turns: ([number, number, number] | null)[] | null; cubic: Motion["cubic"] | null; bezier?: number[][] }[][];
  times?: number[];
  link_pairs: Reference;
  separation: number;
  tolerance: number;
}

type WrittenMesh = Omit<Link["meshes"][number], "vertices" | "faces"> & { vertices: Reference; faces: Reference };

export function modelsOf(written: WrittenModels): ModelScene {
  const meshOf = (mesh: WrittenMesh) => ({ ...mesh, vertices: doublesOf(mesh.vertices), faces: integersOf(mesh.faces) });
  return {
    ...written,
    models: written.models.map((m) => ({
      name: m.name, links: m.links.map((l) => ({ ...l, joint: jointKinds[l.joint] as JointKind, meshes: l.meshes.map(meshOf) })) })),
    segments: written.segments.map((models) => models.map(({ from, to, turns, cubic, bezier }) =>
      ({ from, to, ...(turns && { turns }), ...(cubic && { cubic }), ...(bezier && { bezier }) }))),
    linkPairs: bytesOf(written.link_pairs),
  };
}

// A sheet that sinks onto a ball, written as OBJ text: what the step viewer shows when nothing was dropped.
import type { NamedFile } from "../../package/src/graze";

function sheet(height: number): { points: number[][]; faces: number[][] } {
  const n = 24, points: number[][] = [], faces: number[][] = [];
  for (let i = 0; i <= n; i++)
    for (let j = 0; j <= n; j++) {
      const x = (2 * i) / n - 1, z = (2 * j) / n - 1, r = Math.hypot(x, z);
      points.push([1.3 * x, height + 0.12 * Math.cos(3 * x + z) - 0.35 * height * r * r, 1.3 * z]);
    }
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const a = i * (n + 1) + j, b = a + n + 1;
      faces.push([a, a + 1, b], [b, a + 1, b + 1]);
    }
  return { points, faces };
}

function ball(): { points: number[][]; faces: number[][] } {
  const rings = 18, around = 28, points = [[0, 0.8, 0], [0, -0.8, 0]], faces: number[][] = [];
  const at = (i: number, j: number) => 2 + (i - 1) * around + (j % around);
  for (let i = 1; i < rings; i++)
    for (let j = 0; j < around; j++) {
      const p = (Math.PI * i) / rings, q = (2 * Math.PI * j) / around;
      points.push([0.8 * Math.sin(p) * Math.cos(q), 0.8 * Math.cos(p), 0.8 * Math.sin(p) * Math.sin(q)]);
    }
  for (let j = 0; j < around; j++) faces.push([0, at(1, j + 1), at(1, j)], [1, at(rings - 1, j), at(rings - 1, j + 1)]);
  for (let i = 1; i < rings - 1; i++)
    for (let j = 0; j < around; j++)
      faces.push([at(i, j), at(i, j + 1), at(i + 1, j)], [at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)]);
  return { points, faces };
}

function frame(height: number): Uint8Array {
  const parts = [sheet(height), ball()], lines: string[] = [];
  let first = 1;
  for (const part of parts) for (const p of part.points) lines.push(`v ${p.join(" ")}`);
  for (const part of parts) {
    for (const f of part.faces) lines.push(`f ${f.map((i) => i + first).join(" ")}`);
    first += part.points.length;
  }
  return new TextEncoder().encode(lines.join("\n") + "\n");
}

export function exampleFrames(): NamedFile[] {
  return [1.7, 1.2, 0.55].map((height, i) => ({ name: `sheet_${i}.obj`, bytes: frame(height) }));
}

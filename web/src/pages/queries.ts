// Queries as values: in the address, as text that is pasted, as examples.
import type { Kind } from "../../package/src/graze";
import { engine } from "../engine";

export interface Query {
  kind: Kind;
  points: Float64Array; // 24
}

export const firstQuery: Query = {
  kind: "vf",
  points: Float64Array.of(0.3, 0.4, 1, -1, -1, 0, 2, -1, 0.2, -1, 2, -0.1, 0.1, -0.1, -1.2, -1, -1, 0.1, 2, -1, 0, -1, 2, 0),
};

export const kinds: [Kind, string][] = [["vf", "vertex–face"], ["ee", "edge–edge"], ["pe", "point–edge"], ["pp", "point–point"]];

/** Every number is written so that it reads back to the same bits. */
export const textOf = (points: Float64Array): string => [...points].map((x) => (Object.is(x, -0) ? "-0" : String(x))).join(",");

export function queryOf(values: URLSearchParams): Query | null {
  const kind = values.get("kind") as Kind | null, points = values.get("q")?.split(",").map(Number);
  if (!kind || !kinds.some(([k]) => k === kind) || points?.length !== 24 || !points.every(Number.isFinite)) return null;
  return { kind, points: Float64Array.from(points) };
}

interface Pasted {
  kind?: Kind;
  x0?: number[][];
  x1?: number[][];
}

function fromJson(text: string, kind: Kind): Query {
  let value = JSON.parse(text) as Pasted & { pairs?: Pasted[] };
  value = value.pairs?.[0] ?? value;
  const rows = [value.x0, value.x1].map((x) => {
    const flat = (x ?? []).flat().map(Number);
    if (flat.length < 6 || flat.length > 12 || !flat.every(Number.isFinite)) throw new Error('expected {"kind":"vf","x0":[[x,y,z],…],"x1":[[x,y,z],…]}');
    return [...flat, ...Array<number>(12 - flat.length).fill(0)];
  });
  return { kind: value.kind ?? kind, points: Float64Array.from(rows.flat()) };
}

/** JSON (a query, a certificate or one of its pairs), the eight rows of a query file, or 24 numbers. */
export async function queryFromText(text: string, kind: Kind): Promise<Query> {
  if (text.trim().startsWith("{")) return fromJson(text, kind);
  const numbers = text.trim().split(/[\s,;]+/).map(Number);
  if (numbers.length === 24 && numbers.every(Number.isFinite)) return { kind, points: Float64Array.from(numbers) };
  const bytes = new TextEncoder().encode(text.trim() + "\n");
  const { queries } = await engine.readQueries({ name: "pasted", bytes });
  return { kind, points: queries.slice(0, 24) };
}

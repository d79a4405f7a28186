// Inclusion-based bisection as the papers describe it, kept open so that it can be watched: boxes of parameters, each
// thrown away when the box around its values does not hold the origin, split otherwise, kept when it is small enough.

export type Status = "open" | "thrown" | "kept";

export interface Box {
  low: number[];
  high: number[];
  status: Status;
  level: number;
}

/** A function that is linear in each parameter: its values over a box lie in the hull of those at the corners. */
export type Gap = (parameters: number[]) => number[];

export function corners(box: Pick<Box, "low" | "high">): number[][] {
  const n = box.low.length;
  return Array.from({ length: 1 << n }, (_, bits) => box.low.map((l, k) => ((bits >> k) & 1 ? box.high[k]! : l)));
}

/** True if the box around these values, grown on all sides, holds the origin. */
export function holdsOrigin(values: number[][], grown = 0): boolean {
  return values[0]!.every((_, c) => {
    const along = values.map((v) => v[c]!);
    return Math.min(...along) <= grown && Math.max(...along) >= -grown;
  });
}

export class Subdivision {
  boxes: Box[] = [];
  checks = 0;
  level = 0;

  constructor(
    private readonly gap: Gap, dimensions: number, private readonly delta: number,
    private readonly grown = 0, private readonly inside: (box: Box) => boolean = () => true, private readonly most = 6000) {
    this.boxes = [{ low: Array(dimensions).fill(0), high: Array(dimensions).fill(1), status: "open", level: 0 }];
  }

  get open(): Box[] {
    return this.boxes.filter((b) => b.status === "open");
  }

  get done(): boolean {
    return this.boxes.every((b) => b.status !== "open") || this.boxes.length > this.most;
  }

  /** Earliest time that is not thrown away: no contact before it. */
  get earliest(): number {
    return this.boxes.reduce((t, b) => (b.status === "thrown" ? t : Math.min(t, b.low[0]!)), 1);
  }

  private holdsOrigin(box: Box): boolean {
    this.checks++;
    return holdsOrigin(corners(box).map(this.gap), this.grown);
  }

  /** Looks at every open box once. */
  step(): void {
    if (this.done) return;
    this.level++;
    const next: Box[] = [];
    for (const box of this.boxes) {
      if (box.status !== "open") {
        next.push(box);
        continue;
      }
      if (!this.inside(box) || !this.holdsOrigin(box)) next.push({ ...box, status: "thrown" });
      else next.push(...this.split(box));
    }
    this.boxes = next;
  }

  private split(box: Box): Box[] {
    const widths = box.low.map((l, k) => box.high[k]! - l);
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! < this.delta) return [{ ...box, status: "kept" }];
    const middle = (box.low[widest]! + box.high[widest]!) / 2;
    const half = (low: number[], high: number[]): Box => ({ low, high, status: "open", level: this.level });
    return [
      half(box.low, box.high.map((x, k) => (k === widest ? middle : x))),
      half(box.low.map((x, k) => (k === widest ? middle : x)), box.high),
    ];
  }
}

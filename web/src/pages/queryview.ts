// One pair of primitives in space: where it is at t, the paths of its points, a slab between the two, points that can be dragged.
import type { Kind } from "../../package/src/graze";
import { isDark, onTheme } from "../theme";
import { Scene3D, type LayerStyle } from "../viewer/scene3d";

export const rowsOf = (kind: Kind): number => ({ vf: 4, ee: 4, pe: 3, pp: 2 })[kind];

const styles: Record<string, LayerStyle> = {
  face: { shape: "triangles", tint: "#3f7fc4", opacity: 0.55 },
  edgesA: { shape: "lines", tint: "#e07b00", nearer: 2 },
  edgesB: { shape: "lines", tint: "#2f6fb4", nearer: 2 },
  pointsA: { shape: "points", tint: "#e07b00", size: 11, nearer: 4 },
  pointsB: { shape: "points", tint: "#2f6fb4", size: 9, nearer: 4 },
  paths: { shape: "lines", tint: "#8b8f94" },
  ends: { shape: "points", tint: "#8b8f94", size: 5 },
  slab: { shape: "triangles", tint: "#2fa36b", opacity: 0.28 },
  contact: { shape: "points", tint: "#d1242f", size: 14, nearer: 6 },
};

/** Number of rows of the first primitive. */
const firstRows = (kind: Kind): number => (kind === "ee" ? 2 : 1);

export class QueryView {
  readonly picture = new Scene3D();
  /** A point was dragged: end 0 or 1, row, its new place. */
  onDrag: ((end: number, row: number, place: number[]) => void) | null = null;
  private kind: Kind = "vf";
  private ends: number[][][] = [[], []];
  private t = 0;

  constructor() {
    this.picture.setTheme(isDark());
    onTheme(() => this.picture.setTheme(isDark()));
    this.watchDrags();
  }

  get element(): HTMLElement {
    return this.picture.element;
  }

  set(kind: Kind, query: Float64Array, aim: boolean): void {
    const rows = rowsOf(kind);
    this.kind = kind;
    this.ends = [0, 1].map((end) => Array.from({ length: rows }, (_, i) => [...query.subarray(12 * end + 3 * i, 12 * end + 3 * i + 3)]));
    if (aim) this.picture.setBounds(Float64Array.from(this.ends.flat(2)));
    const moving = Array.from({ length: rows }, (_, i) => [this.ends[0]![i]!, this.ends[1]![i]!]);
    const still = (x: number[]) => [x, x];
    const a = moving.slice(0, firstRows(kind)), b = moving.slice(firstRows(kind));
    const loop = (p: number[][][]) => (p.length === 3 ? [p[0]!, p[1]!, p[1]!, p[2]!, p[2]!, p[0]!] : p.length === 2 ? p : []);
    this.layer("face", b.length === 3 ? b : []);
    this.layer("edgesA", loop(a));
    this.layer("edgesB", loop(b));
    this.layer("pointsA", a);
    this.layer("pointsB", b);
    this.layer("paths", moving.flatMap(([x, y]) => [still(x!), still(y!)]));
    this.layer("ends", moving.flatMap(([x, y]) => [still(x!), still(y!)]));
    if (aim) this.picture.showAll();
  }

  private layer(name: string, pieces: number[][][]): void {
    this.picture.setLayer(name, styles[name]!, pieces);
  }

  setTime(t: number): void {
    this.t = t;
    this.picture.setTime(t);
  }

  setContact(point: number[] | null): void {
    this.layer("contact", point ? [[point, point]] : []);
  }

  /** The room between the two primitives along a direction, at the time that is shown. */
  setSlab(direction: number[] | null): void {
    if (!direction) return this.layer("slab", []);
    const length = Math.hypot(...direction), n = direction.map((x) => x / length);
    const at = this.ends[0]!.map((x, i) => x.map((v, c) => (1 - this.t) * v + this.t * this.ends[1]![i]![c]!));
    const along = at.map((x) => x.reduce((s, v, c) => s + v * n[c]!, 0));
    const k = firstRows(this.kind);
    const from = Math.max(...along.slice(0, k)), to = Math.min(...along.slice(k));
    const middle = at[0]!.map((_, c) => at.reduce((s, x) => s + x[c]! / at.length, 0));
    const size = Math.max(...at.map((x) => Math.hypot(...x.map((v, c) => v - middle[c]!)))) * 0.8 || 1;
    const least = n.map(Math.abs).indexOf(Math.min(...n.map(Math.abs)));
    const e = [0, 1, 2].map((c) => (c === least ? 1 : 0));
    const cross = (p: number[], q: number[]) => [p[1]! * q[2]! - p[2]! * q[1]!, p[2]! * q[0]! - p[0]! * q[2]!, p[0]! * q[1]! - p[1]! * q[0]!];
    const unit = (p: number[]) => p.map((x) => x / Math.hypot(...p));
    const u = unit(cross(n, e)), v = cross(n, u);
    const height = middle.reduce((s, x, c) => s + x * n[c]!, 0);
    const corner = (level: number, i: number, j: number) => middle.map((x, c) => x + (level - height) * n[c]! + size * (i * u[c]! + j * v[c]!));
    const plane = (level: number) => [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]].map(([i, j]) => corner(level, i!, j!));
    this.layer("slab", [...plane(from), ...plane(to)].map((x) => [x, x]));
  }

  /** Points at t = 0 or t = 1 that are grabbed move in the plane of the screen. */
  private watchDrags(): void {
    const { canvas } = this.picture;
    let held: { end: number; row: number; depth: number } | null = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (!this.onDrag) return;
      let best = 14;
      for (let end = 0; end < 2; end++)
        this.ends[end]!.forEach((x, row) => {
          const at = this.picture.toScreen(x), away = Math.hypot(at.x - event.offsetX, at.y - event.offsetY);
          if (away >= best) return;
          best = away;
          held = { end, row, depth: at.z };
        });
      if (held) this.picture.setTurning(false);
    }, { capture: true });
    canvas.addEventListener("pointermove", (event) => {
      if (held) this.onDrag!(held.end, held.row, this.picture.fromScreen(event.offsetX, event.offsetY, held.depth));
    });
    addEventListener("pointerup", () => {
      held = null;
      this.picture.setTurning(true);
    });
  }
}

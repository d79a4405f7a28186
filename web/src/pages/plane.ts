// A bullet and a wall in the plane: a point that moves, and a segment that moves or stands.
import { engine } from "../engine";
import { disc, Figure, hull, trace, type Pen } from "../figure";
import { corners, type Box, Subdivision } from "../inclusion";

export interface Flight {
  p0: number[]; // the bullet, from here to p1
  p1: number[];
  a0: number[]; // one end of the wall
  a1: number[];
  b0: number[];
  b1: number[];
}

export const mix = (x: number[], y: number[], t: number): number[] => x.map((v, c) => (1 - t) * v + t * y[c]!);

/** Bullet from the left, as far as `travel` times the width of the picture; the wall leans by `lean`. */
export function flight(travel: number, lean: number, height = 3.5): Flight {
  const middle = 5;
  return {
    p0: [middle - 4.5 * travel, height], p1: [middle + 4.5 * travel, height + 0.6 * travel],
    a0: [middle - 0.2 - lean, 1], a1: [middle + 0.2 - lean, 1], b0: [middle - 0.2 + lean, 6], b1: [middle + 0.2 + lean, 6],
  };
}

export const bulletAt = (f: Flight, t: number): number[] => mix(f.p0, f.p1, t);
export const wallAt = (f: Flight, t: number, s: number): number[] => mix(mix(f.a0, f.a1, t), mix(f.b0, f.b1, t), s);

export function gapOf(f: Flight): (parameters: number[]) => number[] {
  return ([t, s]) => bulletAt(f, t!).map((x, c) => x - wallAt(f, t!, s!)[c]!);
}

/** The library's answer: a point and an edge, in space, at height zero. */
export function ask(f: Flight, method = "certified"): ReturnType<typeof engine.ccd> {
  const flat = (rows: number[][]) => [...rows, [0, 0]].flatMap(([x, y]) => [x!, y!, 0]);
  return engine.ccd("pe", Float64Array.from([...flat([f.p0, f.a0, f.b0]), ...flat([f.p1, f.a1, f.b1])]), { method });
}

const scale = (pen: Pen) => ([x, y]: number[]): number[] => [(x! / 10) * pen.width, (1 - y! / 7) * pen.height];

/** Wall, path and bullet at t; `touch` is where they first meet. */
export function drawFlight(pen: Pen, f: Flight, t: number, touch: number | null): void {
  const { g } = pen, at = scale(pen);
  g.lineWidth = 1;
  g.setLineDash([4, 4]);
  g.strokeStyle = pen.colour("soft");
  trace(g, [at(f.p0), at(f.p1)]);
  g.stroke();
  g.setLineDash([]);
  g.strokeStyle = pen.colour("wall");
  g.lineWidth = 6;
  g.lineCap = "round";
  trace(g, [at(wallAt(f, t, 0)), at(wallAt(f, t, 1))]);
  g.stroke();
  for (const [x, filled] of [[f.p0, false], [f.p1, false], [bulletAt(f, t), true]] as const) {
    const [px, py] = at(x);
    disc(g, px!, py!, filled ? 7 : 6);
    g.lineWidth = 1.5;
    g.strokeStyle = g.fillStyle = pen.colour("accent");
    if (filled) g.fill();
    else g.stroke();
  }
  if (touch === null) return;
  g.strokeStyle = pen.colour("hit");
  g.lineWidth = 1;
  g.setLineDash([3, 4]);
  trace(g, [at(wallAt(f, touch, 0)), at(wallAt(f, touch, 1))]);
  g.stroke();
  g.setLineDash([]);
  const [x, y] = at(bulletAt(f, touch));
  disc(g, x!, y!, 12);
  g.strokeStyle = pen.colour("hit");
  g.lineWidth = 3;
  g.stroke();
}

/** The two hulls that a box stands for: where the bullet can be, where the part of the wall can be. */
export function drawHulls(pen: Pen, f: Flight, box: Box): void {
  const { g } = pen, at = scale(pen);
  const both = [corners(box).map((c) => bulletAt(f, c[0]!)), corners(box).map((c) => wallAt(f, c[0]!, c[1]!))];
  both.forEach((points, i) => {
    trace(g, hull(points.map(at)), true);
    g.strokeStyle = g.fillStyle = pen.colour(i ? "wall" : "accent");
    g.globalAlpha = 0.3;
    g.fill();
    g.globalAlpha = 1;
    g.lineWidth = 2;
    g.stroke();
  });
}

/** The square of (t, s): thrown away, open, kept. */
export function drawSquare(pen: Pen, search: Subdivision, chosen: Box | null): void {
  const { g } = pen, margin = 28, side = Math.min(pen.width, pen.height) - 2 * margin;
  const x = (t: number) => margin + t * side, y = (s: number) => margin + (1 - s) * side;
  for (const box of search.boxes) {
    const rect = [x(box.low[0]!), y(box.high[1]!), (box.high[0]! - box.low[0]!) * side, (box.high[1]! - box.low[1]!) * side] as const;
    g.fillStyle = box.status === "kept" ? pen.colour("hit") : box.status === "open" ? pen.colour("box") : pen.colour("panel");
    g.fillRect(...rect);
    g.strokeStyle = pen.colour(box === chosen ? "crossing" : "line");
    g.lineWidth = box === chosen ? 3 : 1;
    g.strokeRect(...rect);
  }
  g.fillStyle = pen.colour("soft");
  g.fillText("t →", margin, pen.height - 8);
  g.fillText("s", 10, margin + 10);
  if (search.earliest <= 0 || search.earliest >= 1) return;
  g.strokeStyle = pen.colour("hit");
  g.lineWidth = 1.5;
  trace(g, [[x(search.earliest), margin], [x(search.earliest), margin + side]]);
  g.stroke();
}

/** Box of the square at a click. */
export function boxAt(figure: Figure, search: Subdivision, event: MouseEvent): Box | null {
  const area = figure.canvas.getBoundingClientRect(), margin = 28, side = Math.min(area.width, area.height) - 2 * margin;
  const t = (event.clientX - area.left - margin) / side, s = 1 - (event.clientY - area.top - margin) / side;
  return search.boxes.find((b) => b.low[0]! <= t && t <= b.high[0]! && b.low[1]! <= s && s <= b.high[1]!) ?? null;
}

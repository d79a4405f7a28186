// A bullet and a wall in the plane: a point that moves, and a segment that moves or stands.
import { engine } from "../engine";
import { disc, Figure, hull, trace, type Pen } from "../figure";
import { corners, holdsOrigin, type Box, Subdivision } from "../inclusion";

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
  g.strokeStyle = pen.color("soft");
  trace(g, [at(f.p0), at(f.p1)]);
  g.stroke();
  g.setLineDash([]);
  g.strokeStyle = pen.color("wall");
  g.lineWidth = 6;
  g.lineCap = "round";
  trace(g, [at(wallAt(f, t, 0)), at(wallAt(f, t, 1))]);
  g.stroke();
  for (const [x, filled] of [[f.p0, false], [f.p1, false], [bulletAt(f, t), true]] as const) {
    const [px, py] = at(x);
    disc(g, px!, py!, filled ? 7 : 6);
    g.lineWidth = 1.5;
    g.strokeStyle = g.fillStyle = pen.color("accent");
    if (filled) g.fill();
    else g.stroke();
  }
  if (touch === null) return;
  g.strokeStyle = pen.color("hit");
  g.lineWidth = 1;
  g.setLineDash([3, 4]);
  trace(g, [at(wallAt(f, touch, 0)), at(wallAt(f, touch, 1))]);
  g.stroke();
  g.setLineDash([]);
  const [x, y] = at(bulletAt(f, touch));
  disc(g, x!, y!, 12);
  g.strokeStyle = pen.color("hit");
  g.lineWidth = 3;
  g.stroke();
}

/** The two hulls that a box stands for: where the bullet can be, where the part of the wall can be. */
export function drawHulls(pen: Pen, f: Flight, box: Box): void {
  const { g } = pen, at = scale(pen);
  const both = [corners(box).map((c) => bulletAt(f, c[0]!)), corners(box).map((c) => wallAt(f, c[0]!, c[1]!))];
  both.forEach((points, i) => {
    trace(g, hull(points.map(at)), true);
    g.strokeStyle = g.fillStyle = pen.color(i ? "wall" : "accent");
    g.globalAlpha = 0.3;
    g.fill();
    g.globalAlpha = 1;
    g.lineWidth = 2;
    g.stroke();
  });
}

export interface Window {
  low: [number, number];
  size: number;
}

const MARGIN = 34;

/** A part of the square of (t, s) that what is left fills well; never less than the smallest boxes can be seen in. */
export function windowOf(search: Subdivision, delta: number, zoomed: boolean): Window {
  const left = search.boxes.filter((b) => b.status !== "thrown");
  if (!zoomed || !left.length) return { low: [0, 0], size: 1 };
  const low = [0, 1].map((k) => Math.min(...left.map((b) => b.low[k]!))), high = [0, 1].map((k) => Math.max(...left.map((b) => b.high[k]!)));
  const size = Math.min(1, Math.max(1.5 * Math.max(high[0]! - low[0]!, high[1]! - low[1]!), 6 * delta));
  const from = (k: number) => Math.min(1 - size, Math.max(0, (low[k]! + high[k]! - size) / 2));
  return { low: [from(0), from(1)], size };
}

/** The square of (t, s), or a part of it: thrown away, open, kept. */
export function drawSquare(pen: Pen, search: Subdivision, chosen: Box | null, shown: Window): void {
  const { g } = pen, side = Math.min(pen.width, pen.height) - 2 * MARGIN;
  const x = (t: number) => MARGIN + ((t - shown.low[0]) / shown.size) * side, y = (s: number) => MARGIN + (1 - (s - shown.low[1]) / shown.size) * side;
  g.save();
  g.beginPath();
  g.rect(MARGIN - 2, MARGIN - 2, side + 4, side + 4);
  g.clip();
  for (const box of [...search.boxes, ...(chosen ? [chosen] : [])]) {
    const rect = [x(box.low[0]!), y(box.high[1]!), x(box.high[0]!) - x(box.low[0]!), y(box.low[1]!) - y(box.high[1]!)] as const;
    g.fillStyle = box.status === "kept" ? pen.color("hit") : box.status === "open" ? pen.color("box") : pen.color("panel");
    g.fillRect(...rect);
    g.strokeStyle = pen.color(box === chosen ? "crossing" : "line");
    g.lineWidth = box === chosen ? 3 : 1;
    g.strokeRect(...rect);
  }
  if (search.earliest > 0 && search.earliest < 1) {
    g.strokeStyle = pen.color("hit");
    g.lineWidth = 1.5;
    trace(g, [[x(search.earliest), MARGIN], [x(search.earliest), MARGIN + side]]);
    g.stroke();
  }
  g.restore();
  const end = (k: 0 | 1, by: number) => (shown.low[k] + by * shown.size).toFixed(shown.size < 1 ? 4 : 0);
  g.fillStyle = pen.color("soft");
  g.fillText(end(0, 0), MARGIN, MARGIN + side + 18);
  g.fillText("time t →", MARGIN + side / 2 - 24, MARGIN + side + 18);
  g.fillText(end(0, 1), MARGIN + side - g.measureText(end(0, 1)).width, MARGIN + side + 18);
  g.fillText(`place s on the wall, from ${end(1, 0)} up to ${end(1, 1)}`, MARGIN, MARGIN - 12);
}

/** The values of F over a box: its corners, the hull that they span, the box around it, and the origin. */
export function drawValues(pen: Pen, f: Flight, box: Box): void {
  const { g } = pen, values = corners(box).map(gapOf(f)), low = [0, 1].map((c) => Math.min(...values.map((v) => v[c]!))), high = [0, 1].map((c) => Math.max(...values.map((v) => v[c]!)));
  const reach = 1.25 * Math.max(1e-9, ...values.flat().map(Math.abs)), scale = Math.min(pen.width, pen.height) / 2 / reach;
  const at = ([x, y]: number[]) => [pen.width / 2 + x! * scale, pen.height / 2 - y! * scale], holds = holdsOrigin(values);
  g.strokeStyle = pen.color("line");
  g.lineWidth = 1;
  for (const axis of [[[-reach * 4, 0], [reach * 4, 0]], [[0, -reach * 4], [0, reach * 4]]]) {
    trace(g, axis.map(at));
    g.stroke();
  }
  trace(g, hull(values.map(at)), true);
  g.fillStyle = pen.color("box");
  g.fill();
  g.strokeStyle = pen.color(holds ? "hit" : "clear");
  g.lineWidth = 2.5;
  trace(g, [[low[0]!, low[1]!], [high[0]!, low[1]!], [high[0]!, high[1]!], [low[0]!, high[1]!]].map(at), true);
  g.stroke();
  g.fillStyle = pen.color("accent");
  for (const value of values) {
    const [x, y] = at(value);
    disc(g, x!, y!, 4);
    g.fill();
  }
  const [ox, oy] = at([0, 0]);
  g.fillStyle = pen.color("ink");
  disc(g, ox!, oy!, 5);
  g.fill();
  g.fillText("origin", ox! + 9, oy! + 18);
  g.fillText("the box around F's four corner values", 8, 18);
}

/** Box of the square at a click. */
export function boxAt(figure: Figure, search: Subdivision, shown: Window, event: MouseEvent): Box | null {
  const area = figure.canvas.getBoundingClientRect(), side = Math.min(area.width, area.height) - 2 * MARGIN;
  const t = shown.low[0] + ((event.clientX - area.left - MARGIN) / side) * shown.size, s = shown.low[1] + (1 - (event.clientY - area.top - MARGIN) / side) * shown.size;
  return search.boxes.find((b) => b.low[0]! <= t && t <= b.high[0]! && b.low[1]! <= s && s <= b.high[1]!) ?? null;
}

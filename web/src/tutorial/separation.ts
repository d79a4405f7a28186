// A bullet that keeps its distance: a circle, and the square that boxes make of it.
import { h, slider } from "../dom";
import { engine } from "../engine";
import { disc, Figure, trace } from "../figure";
import { bulletAt, flight, wallAt } from "../pages/plane";

export function separationFigure(): HTMLElement {
  let distance = 0.8;
  const f = flight(0.8, 0.6), says = h("p", { class: "says", role: "status" });
  let times: { round: number; square: number } | null = null;
  const figure = new Figure("a bullet that keeps its distance", 0.62, (pen) => {
    const { g, width, height, color } = pen, at = ([x, y]: number[]) => [(x! / 10) * width, (1 - y! / 7) * height];
    g.strokeStyle = color("wall");
    g.lineWidth = 6;
    g.lineCap = "round";
    trace(g, [at(wallAt(f, times?.round ?? 0, 0)), at(wallAt(f, times?.round ?? 0, 1))]);
    g.stroke();
    if (!times) return;
    const r = (distance / 10) * width, [x, y] = at(bulletAt(f, times.round)), [sx, sy] = at(bulletAt(f, times.square));
    g.lineWidth = 2;
    g.strokeStyle = color("accent");
    disc(g, x!, y!, r);
    g.stroke();
    g.strokeStyle = color("unresolved");
    g.strokeRect(sx! - r, sy! - r, 2 * r, 2 * r);
    g.fillStyle = color("ink");
    for (const [px, py] of [[x, y], [sx, sy]]) {
      disc(g, px!, py!, 4);
      g.fill();
    }
  });
  const update = async () => {
    const flat = (rows: number[][]) => [...rows, [0, 0]].flatMap(([x, y]) => [x!, y!, 0]);
    const query = Float64Array.from([...flat([f.p0, f.a0, f.b0]), ...flat([f.p1, f.a1, f.b1])]);
    const ee = lifted(query);
    const round = await engine.ccd("pe", query, { separation: distance });
    const square = await engine.ccd("ee", ee, { method: "ti", separation: distance, tolerance: 1e-3, maxChecks: 100000 });
    times = { round: round.toi, square: square.toi };
    says.textContent = `Euclidean distance (circle): stop at ${round.toi.toFixed(4)}; largest coordinate (square, as Tight Inclusion measures): stop at ${square.toi.toFixed(4)}`;
    figure.describe(says.textContent);
    figure.draw();
  };
  void update();
  return h("div", {}, figure.element, says,
    slider("distance to keep", { min: 0, max: 1.5, step: 0.05, value: distance }, (x) => x.toFixed(2), (x) => ((distance = x), void update())).element);
}

/** A point and an edge as two edges in space: the point becomes a short upright edge. */
export function lifted(query: Float64Array): Float64Array {
  const out = new Float64Array(24);
  for (const end of [0, 12]) {
    const [px, py] = [query[end]!, query[end + 1]!];
    out.set([px, py, -1, px, py, 1, ...query.subarray(end + 3, end + 9)], end);
  }
  return out;
}

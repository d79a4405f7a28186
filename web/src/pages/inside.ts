// Inside a query: the same question asked in two ways. On the left a cube of parameters is split; on the right directions
// prove pieces of time free.
import type { Kind } from "../../package/src/graze";
import { button, fill, h, slider } from "../dom";
import { engine } from "../engine";
import { Figure, trace, type Pen } from "../figure";
import { type Box, Subdivision } from "../inclusion";
import { keep, number } from "../state";
import { superscript } from "../viewer/words";
import { firstQuery, type Query, queryOf, textOf } from "./queries";
import { QueryView } from "./queryview";

const row = (points: Float64Array, i: number, t: number): number[] =>
  [0, 1, 2].map((c) => (1 - t) * points[3 * i + c]! + t * points[12 + 3 * i + c]!);

/** Difference of the two points with parameters u and v, at t. */
export function gapOf(kind: Kind, points: Float64Array): (parameters: number[]) => number[] {
  return ([t, u, v]) => {
    const [p, q, r, s] = [0, 1, 2, 3].map((i) => row(points, i, t!)) as [number[], number[], number[], number[]];
    return p.map((x, c) => kind === "ee"
      ? x + u! * (q[c]! - x) - (r[c]! + v! * (s[c]! - r[c]!))
      : x - (q[c]! + u! * (r[c]! - q[c]!) + v! * (s[c]! - q[c]!)));
  };
}

/** The cube as lines: axes t, u, v, seen from a corner that can be turned. */
class Cube {
  readonly figure: Figure;
  private yaw = 0.6;
  private pitch = 0.42;

  constructor(private readonly search: () => Subdivision, private readonly root: () => number | null) {
    this.figure = new Figure("the cube of time and the two parameters", 0.9, (pen) => this.paint(pen));
    const { canvas } = this.figure;
    canvas.tabIndex = 0;
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons) this.turn(event.movementX * 0.01, event.movementY * 0.01);
    });
    canvas.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
      if (!by) return;
      event.preventDefault();
      this.turn(by[0]!, by[1]!);
    });
  }

  private turn(yaw: number, pitch: number): void {
    this.yaw += yaw;
    this.pitch = Math.min(1.5, Math.max(-1.5, this.pitch + pitch));
    this.figure.draw();
  }

  private paint(pen: Pen): void {
    const { g } = pen, size = 0.52 * Math.min(pen.width, pen.height);
    const at = ([t, u, v]: number[]): number[] => {
      const x = t! - 0.5, y = v! - 0.5, z = u! - 0.5;
      const a = x * Math.cos(this.yaw) + z * Math.sin(this.yaw), b = z * Math.cos(this.yaw) - x * Math.sin(this.yaw);
      return [pen.width / 2 + size * a * 1.15, pen.height / 2 - size * (y * Math.cos(this.pitch) - b * Math.sin(this.pitch)) * 1.15];
    };
    const outline = (box: Pick<Box, "low" | "high">) => {
      const p = (i: number, j: number, k: number) => at([i ? box.high[0]! : box.low[0]!, j ? box.high[1]! : box.low[1]!, k ? box.high[2]! : box.low[2]!]);
      for (const k of [0, 1]) {
        trace(g, [p(0, 0, k), p(1, 0, k), p(1, 1, k), p(0, 1, k)], true);
        g.stroke();
      }
      for (const [i, j] of [[0, 0], [1, 0], [1, 1], [0, 1]] as const) {
        trace(g, [p(i, j, 0), p(i, j, 1)]);
        g.stroke();
      }
    };
    g.lineWidth = 1;
    const order = { thrown: 0, open: 1, kept: 2 };
    for (const box of [...this.search().boxes].sort((a, b) => order[a.status] - order[b.status])) {
      g.strokeStyle = pen.color(box.status === "kept" ? "hit" : box.status === "open" ? "accent" : "line");
      g.lineWidth = box.status === "thrown" ? 0.6 : 1.4;
      outline(box);
    }
    g.strokeStyle = pen.color("ink");
    g.lineWidth = 1.2;
    outline({ low: [0, 0, 0], high: [1, 1, 1] });
    g.fillStyle = pen.color("ink");
    for (const [name, end] of [["t", [1.08, 0, 0]], ["u", [0, 1.08, 0]], ["v", [0, 0, 1.08]]] as const) {
      const [x, y] = at([...end]);
      g.fillText(name, x! - 4, y! + 4);
    }
    const root = this.root();
    if (root === null) return;
    g.strokeStyle = pen.color("clear");
    g.lineWidth = 2;
    trace(g, [at([root, 0, 0]), at([root, 1, 0]), at([root, 1, 1]), at([root, 0, 1])], true);
    g.stroke();
  }
}

const outside = (box: Box): boolean => box.low[1]! + box.low[2]! > 1;

/** The cube and the directions of one query, side by side. */
export function insideFigure(query: Query, deltaStart: number, kept: (values: Record<string, string | number>) => void): HTMLElement {
  let delta = deltaStart, root: number | null = null;
  const make = () => new Subdivision(gapOf(query.kind, query.points), 3, delta, 0, (b) => query.kind === "ee" || !outside(b));
  let search = make();
  const cube = new Cube(() => search, () => root);
  const says = h("p", { class: "says", role: "status" }), proof = h("p", { class: "says", role: "status" });
  const counts = h("p", { class: "soft" });
  const view = new QueryView();
  view.set(query.kind, query.points, true);
  const show = () => {
    const keptBoxes = search.boxes.filter((b) => b.status === "kept").length;
    says.textContent = `level ${search.level}: ${search.open.length} open, ${keptBoxes} kept, ${search.checks} boxes looked at; no contact before t = ${search.earliest.toFixed(5)}`;
    cube.figure.describe(says.textContent);
    cube.figure.draw();
  };
  const time = slider("time", { min: 0, max: 1, step: "any", value: 0 }, (t) => t.toFixed(4), (t) => goTo(t));
  let goTo = (_: number) => {}, tell = async () => {};
  void (async () => {
    const { entries, result } = await engine.certificate(query.kind, query.points);
    const truth = await engine.truth(query.kind, query.points);
    root = truth.lower;
    goTo = (t) => {
      const entry = entries.find((e) => e.t0 <= t && t <= e.t1);
      view.setTime(t);
      view.setSlab(entry?.direction ?? null);
      proof.textContent = !entry ? (result.verdict === "clear" ? "free all the way" : `at t = ${t.toFixed(4)} nothing is claimed: contact is at ${result.toi.toFixed(6)}`)
        : `t from ${entry.t0.toFixed(6)} to ${entry.t1.toFixed(6)}: ${entry.direction ? "between the two planes there is room" : entry.volume ? "the four points span a volume" : "decided in integers"}`;
    };
    const ti = async () => {
      const [there, certified] = [await engine.ccd(query.kind, query.points, { method: "ti", tolerance: delta }), await engine.ccd(query.kind, query.points)];
      counts.textContent = `the library on this query: ti at this tolerance looks at ${there.checks} boxes and answers ${there.verdict}, free until ${there.toi.toFixed(6)}; `
        + `certified makes ${certified.checks} probes for ${entries.length} pieces of time; exactly, ${truth.hit ? `contact is at ${truth.lower}` : "there is none"}.`;
    };
    tell = ti;
    await ti();
    goTo(0);
    show();
  })();
  show();
  return h("div", {},
    h("div", { class: "pair" },
      h("div", {}, h("h2", {}, "Boxes: Tight Inclusion"), cube.figure.element, says,
        h("div", { class: "row" }, button("Next level", () => (search.step(), show()), { class: "main", id: "next-level" }),
          button("To the end", () => {
            while (!search.done) search.step();
            show();
          }, { id: "to-the-end" }), button("Again", () => ((search = make()), show()))),
        slider("tolerance", { min: -10, max: -1, step: 1, value: Math.log2(delta) }, (x) => `2${superscript(x)}`, (x) => {
          delta = 2 ** x;
          kept({ delta: x });
          search = make();
          show();
          void tell();
        }).element),
      h("div", {}, h("h2", {}, "Directions: certificates"), h("div", { class: "half" }, view.element), proof, time.element)),
    counts);
}

export function insidePage(host: HTMLElement, values: URLSearchParams): void {
  const query = queryOf(values) ?? firstQuery;
  const useful = query.kind === "vf" || query.kind === "ee" ? query : firstQuery;
  fill(host, h("h1", {}, "Inside a query"),
    h("p", {}, "Does this vertex touch this triangle, and when first? Two ways to be sure. The first splits the cube of all times and all places on the triangle "
      + "and throws away what cannot hold a contact (green: the exact time). The second looks for a direction along which the two are apart: if they are at both ends of a piece of time, they are all the way between, "
      + "so a few pieces cover all of it."),
    insideFigure(useful, 2 ** number(values, "delta", -5), keep),
    h("p", {}, h("a", { href: `#/query?kind=${useful.kind}&q=${textOf(useful.points)}` }, "Open this query in the explorer")));
}

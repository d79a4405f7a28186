// The tutorial: one chapter for each idea, text and figures that compute while you look.
import { button, fill, h, select, slider } from "../dom";
import { engine } from "../engine";
import { disc, Figure, trace } from "../figure";
import { keep } from "../state";
import { insideFigure } from "./inside";
import { ask, bulletAt, flight, wallAt } from "./plane";
import { firstQuery, type Query } from "./queries";
import { flightFigure, squareFigure } from "./tunnelling";

interface Chapter {
  title: string;
  body(): (Node | string)[];
}

const p = (text: string): HTMLElement => h("p", {}, text);

// ---- roots ----

/** The volume that four moving points span: a cubic in t that is zero when they lie in a plane. */
function volume(points: Float64Array, t: number): number {
  const at = (i: number) => [0, 1, 2].map((c) => (1 - t) * points[3 * i + c]! + t * points[12 + 3 * i + c]!);
  const [v, a, b, c] = [0, 1, 2, 3].map(at) as [number[], number[], number[], number[]];
  const d = (x: number[], y: number[]) => x.map((value, k) => value - y[k]!);
  const [x, y, z] = [d(v, a), d(b, a), d(c, a)];
  return x[0]! * (y[1]! * z[2]! - y[2]! * z[1]!) + x[1]! * (y[2]! * z[0]! - y[0]! * z[2]!) + x[2]! * (y[0]! * z[1]! - y[1]! * z[0]!);
}

/** A triangle that tips over like a seesaw while a vertex at this height crosses it: height − (2t − 1)² is what is between. */
function seesaw(height: number): Query {
  return {
    kind: "vf",
    points: Float64Array.of(0, -1, height, -6, -3, 3, 6, -3, 3, 0, 6, -6, 0, 1, height, -6, -3, -3, 6, -3, -3, 0, 6, 6),
  };
}

function rootFigure(): HTMLElement {
  let height = 0.25, query = seesaw(height), toi: number | null = null;
  const says = h("p", { class: "says", role: "status" });
  const figure = new Figure("volume over time", 0.42, ({ g, width, height, colour }) => {
    const values = Array.from({ length: 201 }, (_, i) => volume(query.points, i / 200));
    const most = Math.max(...values.map(Math.abs), 1e-9) * 1.1;
    const at = (t: number, f: number) => [30 + t * (width - 50), height / 2 - (f / most) * (height / 2 - 14)];
    g.strokeStyle = colour("line");
    trace(g, [at(0, 0), at(1, 0)]);
    g.stroke();
    g.strokeStyle = colour("accent");
    g.lineWidth = 2;
    trace(g, values.map((f, i) => at(i / 200, f)));
    g.stroke();
    g.fillStyle = colour("soft");
    g.fillText("volume", 4, 16);
    g.fillText("t", width - 14, height / 2 + 16);
    if (toi === null) return;
    const [x, y] = at(toi, volume(query.points, toi));
    disc(g, x!, y!, 6);
    g.fillStyle = colour("hit");
    g.fill();
  });
  const update = async () => {
    query = seesaw(height);
    const truth = await engine.truth("vf", query.points);
    toi = truth.lower;
    const missed: string[] = [];
    for (const method of ["provot", "fprf", "msrf", "rp", "rrp"])
      if (truth.hit && (await engine.ccd("vf", query.points, { method })).verdict === "clear") missed.push(method);
    says.textContent = (truth.hit ? `contact at t = ${truth.lower}` : "no contact") + (missed.length ? `, missed by ${missed.join(", ")}` : "");
    figure.describe(says.textContent);
    figure.draw();
  };
  void update();
  return h("div", {}, figure.element, says,
    slider("height of the vertex", { min: -0.25, max: 1.25, step: 0.0625, value: height }, (x) => x.toFixed(4), (x) => ((height = x), void update())).element);
}

/** Who misses contacts of a family, counted here. */
function failureTable(): HTMLElement {
  const place = h("div", {});
  const count = async (family: string) => {
    fill(place, p("counting …"));
    const { methods } = await engine.about(), rows: HTMLElement[] = [], truths: [Query, boolean][] = [];
    for (const kind of ["vf", "ee"] as const)
      for (let i = 0; i < 24; i++) {
        const points = await engine.handcrafted(family, kind, i);
        truths.push([{ kind, points }, (await engine.truth(kind, points)).hit]);
      }
    const touching = truths.filter(([, hit]) => hit).length;
    for (const method of methods.filter((m) => m.available)) {
      let missed = 0, alarms = 0;
      for (const [{ kind, points }, hit] of truths) {
        const { verdict } = await engine.ccd(kind, points, { method: method.name, maxChecks: 5000 });
        if (hit && verdict === "clear") missed++;
        if (!hit && verdict !== "clear") alarms++;
      }
      rows.push(h("tr", {}, h("td", {}, method.name), h("td", { class: missed ? "hit" : "clear" }, missed), h("td", {}, alarms),
        h("td", { class: "soft" }, method.conservative ? "promises not to miss" : "")));
    }
    fill(place, h("div", { class: "scroll" }, h("table", {}, h("caption", {}, `${truths.length} queries of ${family}, ${touching} of which touch`),
      h("thead", {}, h("tr", {}, ...["method", "missed", "false alarms", ""].map((x) => h("th", { scope: "col" }, x)))), h("tbody", {}, ...rows))));
  };
  const menu = h("div", { class: "row" });
  void engine.about().then(({ families }) => {
    let chosen = families[0]!.name;
    fill(menu, select("family", families.map((f): [string, string] => [f.name, f.name]), chosen, (name) => (chosen = name)),
      button("Count", () => void count(chosen), { id: "count" }));
  });
  return h("div", {}, menu, place);
}

// ---- separation ----

function separationFigure(): HTMLElement {
  let distance = 0.8;
  const f = flight(0.8, 0.6), says = h("p", { class: "says", role: "status" });
  let times: { round: number; square: number } | null = null;
  const figure = new Figure("a bullet that keeps its distance", 0.62, (pen) => {
    const { g, width, height, colour } = pen, at = ([x, y]: number[]) => [(x! / 10) * width, (1 - y! / 7) * height];
    g.strokeStyle = colour("wall");
    g.lineWidth = 6;
    g.lineCap = "round";
    trace(g, [at(wallAt(f, times?.round ?? 0, 0)), at(wallAt(f, times?.round ?? 0, 1))]);
    g.stroke();
    if (!times) return;
    const r = (distance / 10) * width, [x, y] = at(bulletAt(f, times.round)), [sx, sy] = at(bulletAt(f, times.square));
    g.lineWidth = 2;
    g.strokeStyle = colour("accent");
    disc(g, x!, y!, r);
    g.stroke();
    g.strokeStyle = colour("unresolved");
    g.strokeRect(sx! - r, sy! - r, 2 * r, 2 * r);
    g.fillStyle = colour("ink");
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
function lifted(query: Float64Array): Float64Array {
  const out = new Float64Array(24);
  for (const end of [0, 12]) {
    const [px, py] = [query[end]!, query[end + 1]!];
    out.set([px, py, -1, px, py, 1, ...query.subarray(end + 3, end + 9)], end);
  }
  return out;
}

// ---- exact truth ----

function truthFigure(): HTMLElement {
  const says = h("p", { class: "says", role: "status" }), f = flight(0.7, 0.5);
  const box = h("pre", { class: "polynomial" });
  void (async () => {
    const truth = await engine.truth("vf", firstQuery.points);
    const bullet = await ask(f, "exact");
    box.textContent = truth.polynomial.map((c, k) => `t^${k}: ${c}`).join("\n");
    says.textContent = `The first contact of the query on the page “Inside a query” is a root of this polynomial, between ${truth.lower} and ${truth.upper}: `
      + `there is no double in between. The bullet above meets the leaning wall at ${bullet.toi}.`;
  })();
  return h("div", {}, says, box);
}

const chapters: Record<string, Chapter> = {
  tunnelling: { title: "Tunnelling", body: () => [
    p("A program that moves things step by step sees snapshots. If a bullet is in front of the wall in one and behind it in the next, it touches the wall in neither, and flies through. "
      + "Afterwards it is too late: what has passed through each other has no right side any more."),
    p("So one asks about the time between: every point goes on a straight line from where it is to where it will be. Is there a time t between 0 and 1 at which the two touch? If so, which is the first?"),
    flightFigure({ travel: 0.9, lean: 0.4, t: 0 }, () => {}),
    p("Raise the speed: the snapshots soon miss. The answer in between does not depend on it."),
  ] },
  roots: { title: "A root, and how it gets lost", body: () => [
    p("A vertex touches a triangle, or an edge an edge, only when the four points lie in a plane. The volume that they span is a cubic polynomial of t, and at a contact it is zero. So: find the roots, then look whether the contact is inside."),
    p("Here a triangle tips over like a seesaw while a vertex crosses it. Between heights 0 and 1 the vertex goes through it twice; at 0 it only grazes."),
    rootFigure(),
    p("In numbers with 53 bits this is where contacts are lost. Roots are hardly ever representable. Where two roots meet, the last bits decide between two and none. Where everything moves in one plane, the polynomial is zero all the time. A threshold that is meant to help throws away what is real."),
    p("A false alarm costs a little work. A miss is a wall that things fall through. Count them: each family below is one kind of difficulty, and the exact answers are computed beside."),
    failureTable(),
  ] },
  inclusion: { title: "Inclusion: never a miss", body: () => [
    p("Instead of looking for the root, throw away where it is not. The difference of bullet and wall is linear in the time t and linear in the place s on the wall. Over a box of times and places its values lie inside of the box around the four corner values. If that box does not hold zero, nothing touches there: a proof, made of four evaluations."),
    squareFigure(flight(0.9, 0.4), 2 ** -6).element,
    p("What is left over is split until it is small. That can end too early, with an alarm for a near miss, but it cannot miss. With a vertex and a triangle the square becomes a cube (t, u, v) with eight corners. Rounding is met by growing the box by the most that it can be."),
  ] },
  separation: { title: "Keeping a distance", body: () => [
    p("Touching exactly is a bad place to stop: the next rounding is inside. Solvers ask for a separation: when do the two come within a distance d? With boxes that is one line, the box is grown by d, but then the distance is measured along the axes, and a square stands where a circle should."),
    separationFigure(),
    p("graze measures Euclidean distance in all its own methods. A useful distance is a fraction of what there is at the start: then a step never ends nearer than that fraction, and the next one can go on."),
  ] },
  certificates: { title: "Certificates", body: () => [
    p("If along some direction all of A is behind all of B, they do not touch. For points that move on lines the room between them along a fixed direction is smallest at an end of a piece of time. So a direction that works at both ends proves all of the piece: a certificate of five numbers, which a small program can check in integers."),
    insideFigure({ kind: "ee", points: Float64Array.of(-1, 0, 0.6, 1, 0.1, 0.6, 0, -1, 0, 0.1, 1, 0, -1, 0.2, -0.5, 1, 0, -0.3, 0, -1, 0.1, 0, 1, 0.1) }, 2 ** -4, () => {}),
    p("The method certified finds such directions from closest points, a few for each pair, many pairs at once. What it calls clear is proven; what it cannot prove it says."),
  ] },
  truth: { title: "Exact truth", body: () => [
    p("The coordinates are what they are: doubles, that is integers times powers of two. So every question about them has an exact answer. The times at which four points lie in a plane are roots of a polynomial with integer coefficients; the conditions for being inside have signs at that root; integers decide both without rounding."),
    truthFigure(),
    p("It takes microseconds, not more, and it is the yardstick for everything else: every method on this site is scored against it."),
  ] },
  steps: { title: "Whole steps", body: () => [
    p("A mesh has millions of pairs. Boxes around the paths sort out most of them; each one that is left is a query as above. The least of their times is how far everything may go. A solver that minimises an energy shortens its step to that time, so that no step passes through anything."),
    p("Two things to know. What is inside each other already at the start need not touch again: look at the start, too. And the time is proven for the straight paths; a state that is computed by rounding lies beside them, so step a little less far."),
    h("p", {}, h("a", { href: "#/step?example=1" }, "Open the step viewer with an example")),
  ] },
};

export function tutorialPage(host: HTMLElement, values: URLSearchParams): void {
  const names = Object.keys(chapters), name = values.get("chapter") && chapters[values.get("chapter")!] ? values.get("chapter")! : names[0]!;
  const at = names.indexOf(name), link = (n: string | undefined, before: string, after: string) =>
    n ? h("a", { href: `#/tutorial?chapter=${n}` }, `${before}${chapters[n]!.title}${after}`) : h("span", {});
  keep({});
  fill(host, h("nav", { class: "chapters", "aria-label": "chapters" }, ...names.map((n, i) =>
    h("a", { href: `#/tutorial?chapter=${n}`, "aria-current": n === name ? "page" : null }, `${i + 1} ${chapters[n]!.title}`))),
  h("article", {}, h("h1", {}, `${at + 1}. ${chapters[name]!.title}`), ...chapters[name]!.body(),
    h("div", { class: "row turn" }, link(names[at - 1], "← ", ""), link(names[at + 1], "", " →"))));
}

// Roots and how they get lost: the volume over time, a plane without a contact, and who misses what.
import { button, fill, h, select, slider } from "../dom";
import { engine } from "../engine";
import { disc, Figure, trace } from "../figure";
import type { Query } from "../pages/queries";

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

export function rootFigure(): HTMLElement {
  let height = 0.25, query = seesaw(height), toi: number | null = null;
  const says = h("p", { class: "says", role: "status" });
  const figure = new Figure("volume over time", 0.42, ({ g, width, height, color }) => {
    const values = Array.from({ length: 201 }, (_, i) => volume(query.points, i / 200));
    const most = Math.max(...values.map(Math.abs), 1e-9) * 1.1;
    const at = (t: number, f: number) => [30 + t * (width - 50), height / 2 - (f / most) * (height / 2 - 14)];
    g.strokeStyle = color("line");
    trace(g, [at(0, 0), at(1, 0)]);
    g.stroke();
    g.strokeStyle = color("accent");
    g.lineWidth = 2;
    trace(g, values.map((f, i) => at(i / 200, f)));
    g.stroke();
    g.fillStyle = color("soft");
    g.fillText("volume", 4, 16);
    g.fillText("t", width - 14, height / 2 + 16);
    if (toi === null) return;
    const [x, y] = at(toi, volume(query.points, toi));
    disc(g, x!, y!, 6);
    g.fillStyle = color("hit");
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
export function failureTable(): HTMLElement {
  const place = h("div", {});
  const count = async (family: string) => {
    fill(place, h("p", {}, "counting …"));
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
      rows.push(h("tr", {}, h("td", {}, method.name), h("td", { class: `number ${missed ? "hit" : "clear"}` }, missed), h("td", { class: "number" }, alarms),
        h("td", { class: "soft" }, method.conservative ? "promises not to miss" : "")));
    }
    fill(place, h("div", { class: "scroll" }, h("table", {}, h("caption", {}, `${truths.length} queries of ${family}, ${touching} of which touch`),
      h("thead", {}, h("tr", {}, ...["method", "missed", "false alarms", ""].map((x) => h("th", { scope: "col", class: /missed|alarms/.test(x) ? "number" : null }, x)))), h("tbody", {}, ...rows))));
  };
  const menu = h("div", { class: "row" });
  void engine.about().then(({ families }) => {
    let chosen = families[0]!.name;
    fill(menu, select("family", families.map((f): [string, string] => [f.name, f.name]), chosen, (name) => (chosen = name)),
      button("Count", () => void count(chosen), { id: "count" }));
  });
  return h("div", {}, menu, place);
}

// ---- coplanar, and not touching ----

const corners = [[-1, -0.8], [1.2, -0.8], [0, 1.1]];

/** A vertex that falls straight through the plane of a triangle, at this place of it. */
function falling(x: number, y: number): Query {
  const flat = corners.flatMap(([a, b]) => [a!, b!, 0]);
  return { kind: "vf", points: Float64Array.from([x, y, 1, ...flat, x, y, -1, ...flat]) };
}

/** The plane at the time when the four points lie in it: a root of the volume, with a contact or without one. */
export function coplanarFigure(): HTMLElement {
  let sideways = 1.4;
  const y = 0.1, says = h("p", { class: "says", role: "status" });
  let hit = false;
  const figure = new Figure("the plane of the triangle at the root", 0.5, ({ g, width, height, color }) => {
    const scale = height / 2.6, at = ([a, b]: number[]) => [width / 2 + a! * scale, height / 2 - (b! - 0.1) * scale];
    trace(g, corners.map(at), true);
    g.fillStyle = color("box");
    g.fill();
    g.strokeStyle = color("accent");
    g.lineWidth = 2;
    g.stroke();
    const [x, py] = at([sideways, y]);
    disc(g, x!, py!, 7);
    g.fillStyle = color(hit ? "hit" : "clear");
    g.fill();
    g.fillStyle = color("ink");
    const label = "the vertex, as it goes through the plane";
    g.fillText(label, Math.max(4, Math.min(x! + 12, width - g.measureText(label).width - 6)), py! - 12);
    g.fillStyle = color("soft");
    g.fillText("seen from above, at t = 0.5", 8, 18);
  });
  const update = async () => {
    const query = falling(sideways, y), answer = await engine.ccd("vf", query.points);
    hit = answer.verdict === "hit";
    fill(says, `volume at t = 0.5: ${volume(query.points, 0.5)}. Coplanar. Contact: `, h("strong", { class: answer.verdict }, hit ? "yes" : "no"));
    figure.describe(says.textContent!);
    figure.draw();
  };
  void update();
  return h("div", {}, figure.element, says,
    slider("place of the vertex", { min: -2, max: 2, step: 0.1, value: sideways }, (x) => x.toFixed(1), (x) => ((sideways = x), void update())).element);
}

// A cap on checks, and what happens to a tolerance when the scene is in other units.
import { fill, h, slider } from "../dom";
import { engine } from "../engine";
import { Figure, trace } from "../figure";
import { firstQuery } from "../pages/queries";
import { superscript } from "../viewer/words";

const CAPS = Array.from({ length: 13 }, (_, k) => 2 ** (k + 1));

/** The time that a search proves free for each cap on its checks. */
export function capFigure(): HTMLElement {
  let cap = 64, exact = 1, found: { cap: number; toi: number; verdict: string }[] = [];
  const says = h("p", { class: "says", role: "status" });
  const figure = new Figure("proven free time over the cap", 0.42, ({ g, width, height, color }) => {
    const left = 54, at = (k: number, t: number) => [left + ((k - 1) / 12) * (width - left - 20), height - 34 - t * (height - 60)];
    g.strokeStyle = color("clear");
    g.setLineDash([4, 4]);
    trace(g, [at(1, exact), at(13, exact)]);
    g.stroke();
    g.setLineDash([]);
    g.strokeStyle = color("line");
    trace(g, [at(1, 1), at(1, 0), at(13, 0)]);
    g.stroke();
    g.strokeStyle = color("accent");
    g.lineWidth = 2;
    trace(g, found.map((f, i) => at(i + 1, f.toi)));
    g.stroke();
    found.forEach((f, i) => {
      const [x, y] = at(i + 1, f.toi), chosen = f.cap === cap;
      g.fillStyle = color(f.verdict === "unresolved" ? "unresolved" : "hit");
      g.fillRect(x! - (chosen ? 6 : 3), y! - (chosen ? 6 : 3), chosen ? 12 : 6, chosen ? 12 : 6);
    });
    g.fillStyle = color("soft");
    g.fillText("t = 1", 8, at(1, 1)[1]! + 4);
    g.fillText("t = 0", 8, at(1, 0)[1]! + 4);
    g.fillText("exact", 8, at(1, exact)[1]! + 4);
    g.fillText("2 checks", left, height - 12);
    g.fillText("8192 checks", width - 100, height - 12);
  });
  const show = () => {
    const here = found.find((f) => f.cap === cap);
    if (here) fill(says, `at most ${cap} checks: `, h("strong", { class: here.verdict }, here.verdict), `, nothing before t = ${here.toi.toFixed(6)}`);
    figure.describe(says.textContent!);
    figure.draw();
  };
  void (async () => {
    exact = (await engine.truth("vf", firstQuery.points)).lower!;
    for (const most of CAPS) {
      const answer = await engine.ccd("vf", firstQuery.points, { method: "ti", tolerance: 1e-6, maxChecks: most });
      found.push({ cap: most, toi: answer.toi, verdict: answer.verdict });
    }
    found = [...found];
    show();
  })();
  return h("div", {}, figure.element, says,
    slider("cap on checks", { min: 1, max: 13, step: 1, value: 6 }, (k) => String(2 ** k), (k) => {
      cap = 2 ** k;
      show();
    }).element);
}

/** A vertex that passes the edge of a triangle at a small distance, in units of all sizes. */
function near(scale: number): Float64Array {
  const points = [0.5005, 0.5005, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5005, 0.5005, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0];
  return Float64Array.from(points, (x) => x * scale);
}

/** A tolerance of a millionth of a unit, and one of a part of the size, on one motion in several units. */
export function scaleTable(): HTMLElement {
  const place = h("div", { class: "scroll" }), delta = 2 ** -12, cell = (verdict: string) => h("td", { class: verdict === "hit" ? "hit" : verdict }, verdict);
  void (async () => {
    const rows = [];
    for (const k of [-10, -5, 0, 5, 10]) {
      const points = near(2 ** k), fixed = await engine.ccd("vf", points, { method: "ti", tolerance: delta, maxChecks: 200000 });
      const scaled = await engine.ccd("vf", points, { method: "ti", tolerance: delta * 2 ** k, maxChecks: 200000 }), ours = await engine.ccd("vf", points);
      rows.push(h("tr", {}, h("th", { scope: "row" }, `2${superscript(k)}`), cell(fixed.verdict), h("td", { class: "number" }, fixed.checks), cell(scaled.verdict), h("td", { class: "number" }, scaled.checks),
        cell(ours.verdict)));
    }
    fill(place, h("table", {}, h("caption", {}, "A vertex passes a triangle of size 1 at a distance of 0.0007; all coordinates times a scale"),
      h("thead", {}, h("tr", {}, ...["scale", "δ = 2⁻¹²", "checks", "δ = 2⁻¹² × scale", "checks", "certified"].map((x) => h("th", { scope: "col", class: x === "checks" ? "number" : null }, x)))), h("tbody", {}, ...rows)));
  })();
  return place;
}

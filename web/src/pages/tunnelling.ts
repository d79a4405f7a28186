// A bullet and a wall: what two snapshots miss, what the time between them shows, and how bisection finds it.
import type { Result } from "../../package/src/graze";
import { button, checkbox, fill, h, slider } from "../dom";
import { Figure } from "../figure";
import { type Box, corners, holdsOrigin, Subdivision } from "../inclusion";
import { keep, number } from "../state";
import { superscript } from "../viewer/words";
import { ask, boxAt, drawFlight, drawHulls, drawSquare, drawValues, flight, type Flight, gapOf, windowOf } from "./plane";

/** Bullet and wall with a slider for the speed: the discrete test looks at both ends only. */
export function flightFigure(start: { travel: number; lean: number; t: number }, changed: (f: Flight, t: number) => void): HTMLElement {
  let { travel, lean, t } = start, result: Result | null = null, f = flight(travel, lean), asked = 0;
  const figure = new Figure("bullet and wall", 0.62, (pen) => drawFlight(pen, f, t, result?.verdict === "hit" ? result.toi : null));
  const says = h("p", { class: "says", role: "status" });
  const update = async () => {
    f = flight(travel, lean);
    keep({ travel: travel.toFixed(2), lean: lean.toFixed(2) });
    const mine = ++asked;
    changed(f, t);
    figure.draw();
    const answer = await ask(f);
    if (mine !== asked) return;
    result = answer;
    const near = travel < 0.03;
    fill(says, "two snapshots: ", h("strong", { class: near ? "hit" : "unresolved" }, near ? "hit" : "miss"), " · all of the time between: ",
      h("strong", { class: answer.verdict }, answer.verdict), answer.verdict === "hit" ? ` at t = ${answer.toi.toFixed(6)}` : "");
    figure.describe(says.textContent!);
    figure.draw();
  };
  const timeSlider = slider("time", { min: 0, max: 1, step: 0.001, value: t }, (x) => x.toFixed(3), (x) => {
    t = x;
    keep({ t: x.toFixed(3) });
    changed(f, t);
    figure.draw();
  });
  void update();
  return h("div", {}, figure.element, says,
    slider("speed", { min: 0.02, max: 1, step: 0.01, value: travel }, (x) => `${(9 * x).toFixed(1)} a step`, (x) => ((travel = x), void update())).element,
    slider("wall leans", { min: -2, max: 2, step: 0.05, value: lean }, (x) => x.toFixed(2), (x) => ((lean = x), void update())).element,
    timeSlider.element);
}

/** Sentence about a box of the square. */
function aboutBox(box: Box, holds: boolean): string {
  const range = `t from ${box.low[0]!.toFixed(4)} to ${box.high[0]!.toFixed(4)}, s from ${box.low[1]!.toFixed(4)} to ${box.high[1]!.toFixed(4)}`;
  return `the chosen box, ${range}: ${holds ? "the origin is inside, so it may hold a contact" : "the origin is outside: nothing touches in it"}`;
}

/** The square of (t, s), level by level, and beside it what the chosen box stands for: where bullet and wall can be, and their difference. */
export function squareFigure(start: Flight, deltaStart: number): { element: HTMLElement; set(f: Flight): void } {
  let f = start, delta = deltaStart, search = new Subdivision(gapOf(f), 2, delta), chosen: Box | null = null, zoomed = true, holds = false;
  const says = h("p", { class: "says", role: "status" }), about = h("p", { class: "says", role: "status" });
  const square = new Figure("boxes over time and place on the wall", 1, (pen) => drawSquare(pen, search, chosen, windowOf(search, delta, zoomed)));
  const beside = new Figure("where bullet and wall can be in the chosen box", 0.8, (pen) => {
    drawFlight(pen, f, chosen ? chosen.low[0]! : 0, null);
    if (chosen) drawHulls(pen, f, chosen);
  });
  const values = new Figure("the box around the values of F, and the origin", 0.7, (pen) => {
    if (chosen) drawValues(pen, f, chosen);
  });
  const show = () => {
    chosen = search.boxes.includes(chosen!) ? chosen : search.open[0] ?? search.boxes.find((b) => b.status === "kept") ?? search.boxes[0]!;
    holds = holdsOrigin(corners(chosen!).map(gapOf(f)));
    const kept = search.boxes.filter((b) => b.status === "kept").length;
    says.textContent = `level ${search.level}: ${search.open.length} open, ${kept} kept, ${search.checks} looked at; ` +
      (search.done && !kept ? "no contact" : `no contact before t = ${search.earliest.toFixed(5)}`) + (search.done ? "; done" : "");
    about.textContent = aboutBox(chosen!, holds);
    square.describe(says.textContent);
    values.describe(about.textContent);
    for (const figure of [square, beside, values]) figure.draw();
  };
  const restart = () => {
    search = new Subdivision(gapOf(f), 2, delta);
    chosen = null;
    show();
  };
  square.canvas.addEventListener("click", (event) => {
    chosen = boxAt(square, search, windowOf(search, delta, zoomed), event) ?? chosen;
    show();
  });
  const other = (by: number) => {
    const index = search.boxes.indexOf(chosen!);
    chosen = search.boxes[(index + by + search.boxes.length) % search.boxes.length]!;
    show();
  };
  show();
  return {
    set(next) {
      f = next;
      restart();
    },
    element: h("div", {}, h("div", { class: "pair" }, square.element, h("div", {}, beside.element, values.element)),
      h("p", { class: "soft legend" }, ...[["open", "open: may hold a contact"], ["kept", "kept: smaller than δ"], ["thrown", "thrown away: proven free"], ["chosen", "chosen"]]
        .map(([name, text]) => h("span", { class: "keyed" }, h("span", { class: `key ${name!}` }), text!))),
      says, about,
      h("div", { class: "row" },
        button("Next level", () => (search.step(), show()), { class: "main", id: "next-level" }),
        button("To the end", () => {
          while (!search.done) search.step();
          show();
        }, { id: "to-the-end" }),
        button("Again", restart), button("‹ box", () => other(-1)), button("box ›", () => other(1)),
        checkbox("zoom to what is left", true, (on) => {
          zoomed = on;
          show();
        })),
      slider("smallest box δ", { min: -12, max: -2, step: 1, value: Math.log2(delta) }, (x) => `2${superscript(x)}`, (x) => {
        delta = 2 ** x;
        keep({ delta: x });
        restart();
      }).element),
  };
}

export function tunnellingPage(host: HTMLElement, values: URLSearchParams): void {
  const start = { travel: number(values, "travel", 0.9), lean: number(values, "lean", 0.4), t: number(values, "t", 0) };
  const square = squareFigure(flight(start.travel, start.lean), 2 ** number(values, "delta", -6));
  let shown = "";
  fill(host, h("h1", {}, "Tunneling"),
    h("p", {}, "A bullet flies past a wall in one step. Before and after the step it touches nothing, so a test of the two snapshots sees nothing. "
      + "Continuous collision detection asks about all of the time between."),
    flightFigure(start, (f) => {
      if (JSON.stringify(f) === shown) return;
      shown = JSON.stringify(f);
      square.set(f);
    }),
    h("h2", {}, "How it is found: boxes over time and place"),
    h("p", {}, "t is the time, s the place on the wall. Bullet minus wall is linear in each of them, so over a box of (t, s) it stays inside of the "
      + "box around its values at the four corners. Where that does not hold the origin, nothing touches, and the box is thrown away. What is left is "
      + "cut in two, until it is as small as δ. Nothing is ever missed; a large δ only reports too early."),
    square.element);
}

// Exact truth of the first query of this site.
import { h } from "../dom";
import { engine } from "../engine";
import { firstQuery } from "../pages/queries";

export function truthFigure(): HTMLElement {
  const says = h("p", { class: "says", role: "status" });
  const box = h("pre", { class: "polynomial", tabindex: 0 });
  void (async () => {
    const truth = await engine.truth("vf", firstQuery.points);
    box.textContent = truth.polynomial.map((c, k) => `t^${k}: ${c}`).join("\n");
    says.textContent = `The first contact of the query on the page “Inside a query” is a root of this polynomial, between ${truth.lower} and ${truth.upper}: `
      + "there is no double in between.";
  })();
  return h("div", {}, says, box);
}

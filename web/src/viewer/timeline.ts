// Steps one after the other, one mark each: its height is how far the step may go.
import { h } from "../dom";
import { time } from "./words";

const LEAST = 0.06; // of the height: a step that is not free at all is seen, too

interface Marked {
  name: string;
  verdict: string;
  toi: number;
}

export function timeline<S extends Marked>(what: string, steps: S[], open: (step: S) => void): HTMLElement {
  const marks = steps.map((s) =>
    h("button", {
      type: "button", class: `mark ${s.verdict}`, title: `${s.name}: ${s.verdict}, free until ${time(s.toi)}`,
      "aria-label": `${s.name}, ${s.verdict}`, tabindex: -1,
      style: `--free:${Math.round(Math.min(1, Math.max(LEAST, s.toi)) * 100)}%`,
      onclick: () => open(s),
    }));
  return h("div", { class: "timeline", "aria-label": `${what}, each as high as it may go` }, ...marks);
}

// What chapters are made of: paragraphs, formulas, steps, code, what to take away, exercises.
import { pieces } from "../../highlight.mjs";
import { button, fill, h } from "../dom";
import markup from "./formulas.json";

export const p = (...parts: (Node | string)[]): HTMLElement => h("p", {}, ...parts);

/** MathML that the build has typeset. */
export function formula(name: keyof typeof markup): HTMLElement {
  const parsed = new DOMParser().parseFromString(markup[name], "text/xml").documentElement;
  return h("div", { class: "formula" }, document.importNode(parsed, true));
}

export const steps = (...items: (Node | string)[][]): HTMLElement => h("ol", { class: "steps" }, ...items.map((parts) => h("li", {}, ...parts)));

export const takeAway = (...items: string[]): HTMLElement =>
  h("aside", { class: "take", "aria-label": "to take away" }, h("strong", {}, "To take away"), h("ul", {}, ...items.map((text) => h("li", {}, text))));

/** A question, and the answer behind a click. */
export const exercise = (question: string, answer: (Node | string)[]): HTMLElement =>
  h("details", { class: "exercise" }, h("summary", {}, h("strong", {}, "Exercise. "), question), h("p", {}, ...answer));

/** Code in colors, with a button that copies it. */
export function code(text: string, language: string): HTMLElement {
  const copy = button("copy", () => void navigator.clipboard.writeText(text).then(() => fill(copy, "copied"), () => fill(copy, "not allowed")), { class: "copy" });
  return h("div", { class: "code" }, h("pre", { tabindex: 0 }, h("code", {}, ...pieces(text, language).map(([name, part]) => (name ? h("span", { class: `code-${name}` }, part) : part)))), copy);
}

export const output = (text: string): HTMLElement => h("div", { class: "code" }, h("pre", { class: "output", tabindex: 0 }, h("samp", {}, text)));

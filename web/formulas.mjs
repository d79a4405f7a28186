// Formulas as MathML, typeset while the site is built: TeX goes in, and a page has neither fonts nor scripts for them.
import { readFileSync } from "node:fs";
import katex from "katex";

/** Letters in bold are upright vectors; MathML in browsers knows no other way than the style of the page. */
export function mathOf(tex, display = false) {
  const html = katex.renderToString(tex, { output: "mathml", displayMode: display, throwOnError: true, strict: "error" });
  return html.match(/<math.*<\/math>/s)[0].replace(/<annotation.*?<\/annotation>/s, "");
}

/** For Vite: formulas.json, { name: TeX }, is read as { name: MathML }. */
export function formulas() {
  return {
    name: "formulas",
    enforce: "pre",
    load(id) {
      if (!id.endsWith("/formulas.json")) return null;
      const given = JSON.parse(readFileSync(id, "utf8"));
      return JSON.stringify(Object.fromEntries(Object.entries(given).map(([name, tex]) => [name, mathOf(tex, true)])));
    },
  };
}

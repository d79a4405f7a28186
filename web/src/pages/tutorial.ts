// The tutorial: one chapter at a time, with the way to the others.
import { fill, h } from "../dom";
import { keep } from "../state";
import { chapters } from "../tutorial/chapters";

export function tutorialPage(host: HTMLElement, values: URLSearchParams): void {
  const names = Object.keys(chapters), name = values.get("chapter") && chapters[values.get("chapter")!] ? values.get("chapter")! : names[0]!;
  const at = names.indexOf(name), link = (n: string | undefined, before: string, after: string) =>
    n ? h("a", { href: `#/tutorial?chapter=${n}` }, `${before}${chapters[n]!.title}${after}`) : h("span", {});
  keep({});
  const list = h("ol", {}, ...names.map((n) => h("li", {}, h("a", { href: `#/tutorial?chapter=${n}`, "aria-current": n === name ? "page" : null }, chapters[n]!.title))));
  const wide = matchMedia("(min-width: 56rem)").matches; // on a phone the list is folded
  fill(host, h("nav", { class: "chapters", "aria-label": "chapters" }, h("details", { open: wide }, h("summary", {}, `Chapter ${at + 1} of ${names.length}`), list)),
    h("article", {}, h("h1", {}, `${at + 1}. ${chapters[name]!.title}`), ...chapters[name]!.body(),
      h("div", { class: "row turn" }, link(names[at - 1], "← ", ""), link(names[at + 1], "", " →"))));
}

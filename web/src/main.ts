// The shell: pages by address, themes, and data that the program has put into the page.
import "./style.css";
import { button, fill, h } from "./dom";
import { articulatedPage } from "./pages/articulated";
import { homePage } from "./pages/home";
import { insidePage } from "./pages/inside";
import { mountQueries, queryPage } from "./pages/query";
import { stepPage } from "./pages/step";
import { tunnellingPage } from "./pages/tunnelling";
import { tutorialPage } from "./pages/tutorial";
import { modelsOf } from "./articulated/scene";
import { mountModels } from "./articulated/model_viewer";
import { readAddress } from "./state";
import { switchTheme } from "./theme";
import { motionOf, writtenData } from "./viewer/data";
import { mountViewer } from "./viewer/viewer";

type Page = { title: string; open(host: HTMLElement, values: URLSearchParams): void };

const pages: Record<string, Page> = {
  "": { title: "Start", open: homePage },
  tutorial: { title: "Tutorial", open: tutorialPage },
  tunnelling: { title: "Tunneling", open: tunnellingPage },
  inside: { title: "Inside a query", open: insidePage },
  query: { title: "Query explorer", open: queryPage },
  step: { title: "Step viewer", open: stepPage },
  articulated: { title: "Articulated", open: articulatedPage },
};

const app = document.getElementById("app")!;
const main = h("main", { id: "main" });

function header(links: [address: string, title: string][]): HTMLElement {
  const { page } = readAddress();
  return h("header", {},
    h("a", { class: "skip", href: "#main", onclick: (event: Event) => (event.preventDefault(), main.focus()) }, "To the content"),
    h("a", { class: "name", href: "#/" }, "graze"),
    h("nav", { "aria-label": "pages" }, ...links.map(([address, title]) =>
      h("a", { href: `#/${address}`, "aria-current": address === page ? "page" : null }, title))),
    button("Light or dark", switchTheme, { class: "plain" }));
}

/** A page made by the program shows its data and nothing else. */
function openWritten(): boolean {
  const written = writtenData();
  if (!written) return false;
  document.title = written.title;
  fill(app, header([]), main);
  if (written.kind === "motion") mountViewer(main, motionOf(written), readAddress().values);
  else if (written.kind === "models") mountModels(main, modelsOf(written), readAddress().values);
  else mountQueries(main, written, readAddress().values);
  return true;
}

function openPage(): void {
  const { page, values } = readAddress();
  const wanted = pages[page] ?? pages[""]!;
  document.title = `${wanted.title} – graze`;
  main.replaceChildren();
  main.ondrop = main.ondragover = null;
  fill(app, header(Object.entries(pages).filter(([address]) => address).map(([address, p]) => [address, p.title])), main);
  wanted.open(main, values);
}

main.tabIndex = -1;
if (!openWritten()) {
  addEventListener("hashchange", openPage);
  openPage();
}

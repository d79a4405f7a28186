// The first page: what this is, and where to go.
import { fill, h } from "../dom";
import { engine } from "../engine";
import picture from "../../../docs/cloth-ball.svg?url";

const rooms: [string, string, string][] = [
  ["tutorial", "Tutorial", "One chapter for each idea, with figures that compute: tunnelling, roots, inclusion, separation, certificates, exact truth."],
  ["tunnelling", "Tunnelling", "A bullet, a wall, and the boxes that find where they meet."],
  ["inside", "Inside a query", "The same question answered by boxes and by directions."],
  ["query", "Query explorer", "Eight points of your own: every method's answer, the exact one, the proof."],
  ["step", "Step viewer", "Drop two frames of a mesh: what touches on the way, where, and when first."],
  ["articulated", "Articulated", "Links on joints that turn and slide: when a motion first touches, and which links limit it."],
];

/** The documents lie beside the page (./dev web). */
const ways: [string, string][] = [
  ["docs/index.html", "Getting started"], ["docs/about.html", "Documents"], ["docs/reference-query.html", "C reference"],
  ["docs/python.html", "Python"], ["docs/package.html", "JavaScript"], ["docs/architecture.html", "Source, room by room"]];

const install = "./dev build                       # the program: build/graze\n"
  + "cmake --install build --prefix …  # the C and C++ library\n"
  + "./dev python                      # a wheel for Python\n"
  + "./dev web                         # this site, and the package for JavaScript";

export function homePage(host: HTMLElement): void {
  const version = h("span", {});
  void engine.about().then((about) => (version.textContent = ` graze ${about.version}, ${about.methods.filter((m) => m.available).length} methods, ${about.isa === "wasm" ? "with" : "without"} SIMD.`));
  fill(host, h("div", { class: "hero" },
    h("div", {}, h("h1", {}, "When do they first touch?"),
      h("p", {}, "graze is continuous collision detection: between two states of moving triangle meshes it finds whether, when and where they first touch, "
        + "and never misses a contact. These pages run the library itself, compiled to WebAssembly, in your browser; nothing is sent anywhere.", version),
      h("p", { class: "ways" }, ...ways.map(([address, title]) => h("a", { href: address }, title)))),
    h("a", { href: "#/step" }, h("img", { src: picture, width: 640, height: 306,
      alt: "A sheet over a ball at the time of first contact: a dot for each pair that touches in the step, a ring for the first" }))),
  h("div", { class: "cards" }, ...rooms.map(([address, title, text]) =>
    h("a", { class: "card", href: `#/${address}` }, h("strong", {}, title), h("span", {}, text)))),
  h("h2", {}, "Install"), h("p", {}, "In a copy of the source:"), h("pre", { class: "install" }, h("code", {}, install)));
}

// The first page: what this is, and where to go.
import { fill, h } from "../dom";
import { engine } from "../engine";

const rooms: [string, string, string][] = [
  ["tutorial", "Tutorial", "One chapter for each idea, with figures that compute: tunnelling, roots, inclusion, separation, certificates, exact truth."],
  ["tunnelling", "Tunnelling", "A bullet, a wall, and the boxes that find where they meet."],
  ["inside", "Inside a query", "The same question answered by boxes and by directions."],
  ["query", "Query explorer", "Eight points of your own: every method's answer, the exact one, the proof."],
  ["step", "Step viewer", "Drop two frames of a mesh: what touches on the way, where, and when first."],
  ["articulated", "Articulated", "Links on joints that turn and slide: when a motion first touches, and which links limit it."],
];

export function homePage(host: HTMLElement): void {
  const version = h("span", {});
  void engine.about().then((about) => (version.textContent = ` graze ${about.version}, ${about.methods.filter((m) => m.available).length} methods, ${about.isa === "wasm" ? "with" : "without"} SIMD.`));
  fill(host, h("h1", {}, "When do they first touch?"),
    h("p", {}, "graze is continuous collision detection: between two states of moving triangle meshes it finds whether, when and where they first touch, "
      + "and never misses a contact. These pages run the library itself, compiled to WebAssembly, in your browser; nothing is sent anywhere.", version),
    h("div", { class: "cards" }, ...rooms.map(([address, title, text]) =>
      h("a", { class: "card", href: `#/${address}` }, h("strong", {}, title), h("span", {}, text)))));
}

// The first page: what this is, and where to go.
import { fill, h, slider } from "../dom";
import { engine } from "../engine";
import { isDark, onTheme } from "../theme";
import { code } from "../tutorial/text";
import { connectedParts } from "../viewer/data";
import { Scene3D } from "../viewer/scene3d";
import { palette } from "../viewer/words";
import { exampleFrames } from "./example";
import { dataOf } from "./step";

const rooms: [string, string, string][] = [
  ["tutorial", "Tutorial", "Ten short chapters with live figures, from tunneling to exact truth, with code in C and Python."],
  ["tunnelling", "Tunneling", "A bullet, a wall, and the boxes that find where they meet."],
  ["inside", "Inside a query", "One question, answered by boxes and by directions."],
  ["query", "Query explorer", "Your own eight points: the answer of every method, the exact one, and the proof."],
  ["step", "Step viewer", "Drop two frames of a mesh: see what touches on the way, where, and when first."],
  ["articulated", "Articulated", "Links on joints that turn and slide: when a motion first touches, and which links."],
];

/** The documents lie beside the page (./dev web). */
const ways: [string, string][] = [
  ["docs/index.html", "Getting started"], ["docs/about.html", "Documents"], ["docs/reference-query.html", "C reference"],
  ["docs/python.html", "Python"], ["docs/package.html", "JavaScript"], ["docs/architecture.html", "Source, room by room"]];

const install = "./dev build                                # the program: build/graze\n"
  + "cmake --install build --prefix /usr/local  # the C and C++ library\n"
  + "pip install .                              # Python, in a virtual environment\n"
  + "./dev web                                  # this site, and the package for JavaScript";

/** A sheet that sinks onto a ball, answered here and now, and its contacts; the slider moves it. */
async function livePicture(place: HTMLElement): Promise<void> {
  const data = await dataOf(exampleFrames().slice(1), { method: "certified", separation: 0 }, () => {}), step = data.steps[0]!;
  const [x0, x1] = data.frames.map((f) => f.positions()) as [Float64Array, Float64Array], groups = connectedParts(x0.length / 3, data.faces, data.lines)!;
  const picture = new Scene3D();
  picture.setBounds(x0);
  picture.setFaces(data.faces, data.lines);
  picture.setMotion(x0, x1);
  picture.setShades(Float32Array.from({ length: x0.length }, (_, i) => palette[groups.of[Math.floor(i / 3)]! % palette.length]![i % 3]!));
  picture.setContacts(Float64Array.from(step.contacts.filter((c) => c.toi < step.toi + 0.03).flatMap((c) => c.point ?? [])));
  picture.setTheme(isDark());
  onTheme(() => picture.setTheme(isDark()));
  picture.setTime(step.toi);
  fill(place, picture.element, slider("time", { min: 0, max: 1, step: "any", value: step.toi }, (t) => t.toFixed(4), (t) => picture.setTime(t)).element,
    h("p", { class: "says", role: "status" }, "Computed by this page: ", h("strong", { class: step.verdict }, step.verdict),
      `. Nothing touches before t = ${step.toi.toFixed(6)}; ${step.contact_count} pairs touch in the step; dots mark the first of them.`));
  picture.setUp("y");
  picture.lookAt([0, 0.2, 0], 0.7 * picture.size);
}

export function homePage(host: HTMLElement): void {
  const version = h("span", {}), live = h("div", { class: "live" }, h("p", { class: "soft" }, "Loading the library …"));
  void engine.about().then((about) => (version.textContent = ` graze ${about.version}, ${about.methods.filter((m) => m.available).length} methods, ${about.isa === "wasm" ? "with" : "without"} SIMD.`));
  livePicture(live).catch((problem: Error) => fill(live, h("p", { class: "message problem" }, problem.message)));
  fill(host, h("div", { class: "hero" },
    h("div", {}, h("h1", {}, "When do they first touch?"),
      h("p", {}, "graze is continuous collision detection. Given two states of moving triangle meshes, or of a robot's links, it finds whether, when and where they first touch. "
        + "It never misses a contact. These pages run the library in your browser, as WebAssembly; nothing is sent anywhere.", version),
      h("p", { class: "ways" }, ...ways.map(([address, title]) => h("a", { href: address }, title)))),
    live),
  h("div", { class: "cards" }, ...rooms.map(([address, title, text]) =>
    h("a", { class: "card", href: `#/${address}` }, h("strong", {}, title), h("span", {}, text)))),
  h("h2", {}, "Install"), h("p", {}, "In a clone:"), code(install, "sh"));
}

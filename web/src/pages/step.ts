// Files that are dropped: read, stepped through and shown. Nothing leaves the machine.
import type { NamedFile, StepOptions, StepResult } from "../../package/src/graze";
import { button, fill, h } from "../dom";
import { engine } from "../engine";
import type { Contact, Step, ViewData } from "../viewer/data";
import { mountViewer } from "../viewer/viewer";
import { readAddress } from "../state";
import { exampleFrames } from "./example";
import { dropped, inMemory } from "./files";
import { noteOf, StepSettings } from "./settings";

const meshName = /\.(obj|ply|stl|off|msh)$/i;

/** The last number in the name before its extension, as the program orders frames. */
function stepOf(name: string): number | null {
  const numbers = name.replace(/\.[^.]*$/, "").match(/\d+/g);
  return numbers ? Number(numbers[numbers.length - 1]) : null;
}

function ordered(files: File[]): File[] {
  const meshes = files.filter((f) => meshName.test(f.name));
  if (meshes.some((f) => stepOf(f.name) === null)) return meshes;
  return meshes.sort((a, b) => stepOf(a.name)! - stepOf(b.name)!);
}

export function contactsOf(result: StepResult): Contact[] {
  return result.pairs.map((p) => ({
    kind: p.kind, a: p.a, b: p.b, verdict: p.result.verdict, toi: p.result.toi, toi_upper: p.result.toiUpper,
    point: p.result.point, normal: p.result.normal, vertices: p.vertices,
  }));
}

/** The axis that points up where a PLY file names it: "comment up z". */
function upIn({ name, bytes }: NamedFile): { up?: "y" | "z" } {
  if (!/\.ply$/i.test(name)) return {};
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 4096)).split("end_header")[0]!;
  const found = head.match(/^comment up ([yz])\s*$/m);
  return found ? { up: found[1] as "y" | "z" } : {};
}

/** Steps through frames as `graze sequence` does, two files at a time. */
export async function dataOf(files: NamedFile[], options: StepOptions, tell: (line: string) => void): Promise<ViewData> {
  const { version } = await engine.about();
  const steps: Step[] = [], frames: ViewData["frames"] = [];
  let faces = new Uint32Array(), lines = new Uint32Array();
  for (let i = 0; i + 1 < files.length; i++) {
    const a = files[i]!, b = files[i + 1]!;
    tell(`step ${i + 1} of ${files.length - 1}: ${a.name} → ${b.name}`);
    const { id, scene } = await engine.readScene(a, b);
    const result = await engine.step(id, "all", options);
    const intersections = await engine.intersections(id);
    if (i === 0) {
      faces = Uint32Array.from(scene.faces);
      lines = Uint32Array.from(scene.lines);
      frames.push({ name: a.name, positions: () => scene.x0 });
    }
    frames.push({ name: b.name, positions: () => scene.x1 });
    const contacts = contactsOf(result);
    const first = contacts.reduce<Contact | null>((least, c) => (!least || c.toi < least.toi ? c : least), null);
    steps.push({
      from: i, to: i + 1, name: `${stepOf(a.name) ?? i}–${stepOf(b.name) ?? i + 1}`, verdict: result.verdict,
      reason: result.reason, toi: result.toi, toi_upper: result.toiUpper, pair: first, contacts,
      contact_count: contacts.length, intersections, intersection_count: intersections.length / 2, ms: result.ms,
    });
  }
  const title = files.length === 2 ? `${files[0]!.name} → ${files[1]!.name}` : `${files.length} frames`;
  const note = `${frames[0]!.positions().length / 3} vertices, ${faces.length / 3} faces; ${noteOf(options)}; graze ${version} in this browser`;
  return { title, note, options, frames, faces, lines, groups: null, steps, ...upIn(files[0]!) };
}

export function stepPage(host: HTMLElement, values: URLSearchParams): void {
  const message = h("p", { class: "message", role: "status" });
  let opened: NamedFile[] = [], asked = 0;
  /** Opens files. A later request wins. */
  const open = async (files: NamedFile[], more: Partial<ViewData> = {}) => {
    const mine = ++asked;
    message.className = "message";
    try {
      if (files.length < 2) throw new Error("Two frames or more, please: OBJ, PLY, STL, OFF or MSH files with the same faces.");
      const data = await dataOf(files, settings.options(), (line) => mine === asked && (message.textContent = line));
      if (mine !== asked) return;
      opened = files;
      message.textContent = "";
      mountViewer(host, { ...data, ...more }, readAddress().values, h("div", {}, drop, settings.element));
    } catch (problem) {
      if (mine !== asked) return;
      message.className = "message problem";
      message.textContent = (problem as Error).message;
    }
  };
  const settings = new StepSettings(values, () => void (opened.length && open(opened)));
  const input = h("input", { type: "file", multiple: true, id: "frames", accept: ".obj,.ply,.stl,.off,.msh" });
  const example = () => open(exampleFrames(), { title: "An example: a sheet sinks onto a ball", up: "y" });
  const taken = async (files: Promise<File[]> | File[]) => {
    asked++;
    fill(host, ...front);
    await open(await inMemory(ordered(await files)));
  };
  input.addEventListener("change", () => void taken([...input.files!]));
  const drop = h("div", { class: "drop" },
    h("p", {}, "Drop two frames of a mesh here, or a folder of them (OBJ, PLY, STL, OFF, MSH)."),
    h("label", { class: "choice", for: "frames" }, "or choose files "), input,
    h("p", {}, button("Show an example", example, { id: "example" })), message);
  host.ondragover = (event) => event.preventDefault();
  host.ondrop = (event) => {
    event.preventDefault();
    if (event.dataTransfer) void taken(dropped(event.dataTransfer));
  };
  const front = [
    h("h1", {}, "Step viewer"),
    h("p", {}, "Between two frames every vertex moves on a straight line. The viewer asks the library, here in your browser, "
      + "what touches on the way, and shows where. The files stay on your machine."),
    settings.element, drop];
  fill(host, ...front);
  void example();
}

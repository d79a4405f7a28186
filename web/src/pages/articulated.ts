// Articulated models: built-in examples, or a model file that was dropped with its meshes.
import { readModelFile } from "../articulated/reader";
import type { ModelScene } from "../articulated/scene";
import { mountModels } from "../articulated/model_viewer";
import { h, fill, select } from "../dom";
import { engine } from "../engine";
import { keep, readAddress } from "../state";
import { dropped, inMemory } from "./files";

const MOST_FRAMES = 200; // of an example

/** Small enough to be drawn without a graphics card; the program's benchmark has larger ones. */
const offered = ["arm-sweep", "arm-reach", "exercise", "falling-train", "four-trains", "walk"];

async function exampleScene(name: string): Promise<ModelScene> {
  const { models, poses, summary } = await engine.example(name), shown = poses.slice(0, MOST_FRAMES);
  const segments = shown.slice(1).map((to, s) => models.map((_, m) => ({ from: shown[s]![m]!, to: to[m]! })));
  return { title: name, note: summary, models, segments, linkPairs: null, separation: 0, tolerance: 0 };
}

export function articulatedPage(host: HTMLElement, values: URLSearchParams): void {
  const message = h("p", { class: "message", role: "status" });
  let asked = 0;
  /** Shows a scene. A later request wins. */
  const show = async (make: () => Promise<ModelScene>, from: URLSearchParams) => {
    const mine = ++asked;
    message.className = "message";
    message.textContent = "reading …";
    try {
      const scene = await make();
      if (mine !== asked) return;
      message.textContent = "";
      mountModels(host, scene, from, drop);
    } catch (problem) {
      if (mine !== asked) return;
      message.className = "message problem";
      message.textContent = (problem as Error).message;
    }
  };
  const taken = async (files: Promise<File[]> | File[]) => {
    fill(host, ...front);
    await show(async () => readModelFile(await inMemory(await files)), new URLSearchParams());
  };
  const choose = (name: string) => {
    if (!name) return;
    keep({ example: name, segment: null, t: null, camera: null });
    void show(() => exampleScene(name), new URLSearchParams());
  };
  const first = values.get("example") ?? offered[0]!;
  const menu = select("example", [["", "–"], ...offered.map((name): [string, string] => [name, name])], first, choose);
  const input = h("input", { type: "file", multiple: true, id: "model-files" });
  input.addEventListener("change", () => void taken([...input.files!]));
  host.ondragover = (event) => event.preventDefault();
  host.ondrop = (event) => {
    event.preventDefault();
    if (event.dataTransfer) void taken(dropped(event.dataTransfer));
  };
  const drop = h("div", { class: "drop" },
    h("p", {}, "Drop a model file here, the .json that ", h("code", {}, "graze articulate"), " reads, with the meshes that it names."),
    h("label", { class: "choice", for: "model-files" }, "or choose files "), input, h("p", {}, menu), message);
  const front = [h("h1", {}, "Articulated"),
    h("p", {}, "Links on joints turn and slide from one pose to the next. The library proves how far the motion is free for all times between, "
      + "not at samples, and names the two links that limit it."), drop];
  fill(host, ...front);
  void show(() => exampleScene(first), readAddress().values);
}

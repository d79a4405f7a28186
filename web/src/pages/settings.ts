// Settings for dropped steps: fields that are in the address, too.
import type { StepOptions } from "../../package/src/graze";
import { fill, h, select } from "../dom";
import { engine } from "../engine";
import { keep, number } from "../state";

type Field = "separation" | "thickness" | "relative";

const fields: [name: Field, label: string, says: string][] = [
  ["separation", "separation", "distance that counts as contact"],
  ["thickness", "thickness", "radius of every vertex: faces and edges are as thick as the balls around their vertices"],
  ["relative", "relative separation", "part of the distance that a pair starts at which it has to keep, up to 0.999"],
];

export function noteOf(options: StepOptions): string {
  const more = [
    options.thickness ? `, thickness ${options.thickness as number}` : "",
    options.relativeSeparation ? `, each pair keeps ${options.relativeSeparation} of its distance` : "",
  ];
  return `method ${options.method}, separation ${options.separation}${more.join("")}`;
}

export class StepSettings {
  readonly element = h("details", { class: "settings" });
  private readonly values: Record<Field, number>;
  private method: string;

  constructor(values: URLSearchParams, private readonly changed: () => void) {
    this.values = {
      separation: number(values, "separation", 0), thickness: number(values, "thickness", 0), relative: number(values, "relative", 0) };
    this.method = values.get("method") ?? "certified";
    const methods = h("span", {});
    fill(this.element, h("summary", {}, "Settings"), h("div", { class: "row" }, methods, ...fields.map((f) => this.box(...f))));
    this.element.open = this.method !== "certified" || Object.values(this.values).some((x) => x !== 0);
    void engine.about().then(({ methods: all }) => {
      const usable = all.filter((m) => m.available && m.kinds.includes("vf") && m.kinds.includes("ee"));
      const named = usable.map((m): [string, string] => [m.name, m.conservative ? m.name : `${m.name} (may miss)`]);
      fill(methods, select("method", named, this.method, (name) => this.set({ method: (this.method = name) === "certified" ? null : name })));
    });
  }

  options(): StepOptions {
    const { separation, thickness, relative } = this.values;
    return { method: this.method, separation, thickness, relativeSeparation: relative };
  }

  private box(name: Field, label: string, says: string): HTMLElement {
    const input = h("input", { type: "number", min: 0, step: "any", value: this.values[name], title: says, name });
    input.addEventListener("change", () => {
      this.values[name] = input.valueAsNumber || 0;
      this.set({ [name]: this.values[name] || null });
    });
    return h("label", { class: "choice" }, label, " ", input);
  }

  private set(values: Record<string, string | number | null>): void {
    keep(values);
    this.changed();
  }
}

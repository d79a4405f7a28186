// The step viewer: a mesh between two frames, where it touches, and when.
import { button, checkbox, fill, h, savePicture, select, slider } from "../dom";
import { engine } from "../engine";
import { keep, number, remember, remembered } from "../state";
import { isDark, onTheme } from "../theme";
import { connectedParts, type Contact, type Step, type ViewData } from "./data";
import { Scene3D, type LayerStyle } from "./scene3d";
import { SortedTable } from "./table";
import { timeline } from "./timeline";
import { palette, time } from "./words";

const kindNames = { vf: "vertex–face", ee: "edge–edge", pe: "point–edge", pp: "point–point" };

const upOf = (text: string | null): "y" | "z" | null => (text === "y" || text === "z" ? text : null);

/** Things fall: of y and z the axis along which the mesh moves more, on the whole. */
function guessedUp(data: ViewData): "y" | "z" {
  const [a, b] = [data.frames[0]!, data.frames.at(-1)!].map((f) => f.positions()) as [Float64Array, Float64Array];
  const along = (c: number) => Math.abs(a.reduce((sum, x, i) => (i % 3 === c ? sum + (b[i]! - x) : sum), 0));
  return along(2) > along(1) ? "z" : "y";
}

/** Red where a vertex must stop at once, blue where it may go all the way. */
function safeShade(t: number): number[] {
  const s = Math.min(1, Math.max(0, t)) ** 0.5;
  return [0.84 - 0.62 * s, 0.18 + 0.34 * s + 0.2 * s * (1 - s), 0.16 + 0.62 * s];
}

/** `settings` can change how the steps were answered; a page that the program wrote has none. */
export function mountViewer(host: HTMLElement, data: ViewData, values: URLSearchParams, settings: HTMLElement | null = null): void {
  new Viewer(host, data, values, settings);
}

class Viewer {
  private readonly picture = new Scene3D();
  private readonly summary = h("p", { class: "summary", role: "status" });
  private readonly legend = h("p", { class: "legend soft" });
  private readonly simplified = h("p", { class: "soft" });
  private readonly chosen = h("p", { class: "soft" });
  private readonly contacts: SortedTable<Contact>;
  private readonly timeSlider: ReturnType<typeof slider>;
  private readonly playButton: HTMLButtonElement;
  private readonly groups: NonNullable<ViewData["groups"]>;
  private readonly hidden = new Set<number>();
  private readonly safeTimes = new Map<Step, Promise<Float64Array>>();
  private step: Step;
  private t: number;
  private colours: string;
  private up: "y" | "z";
  private playing = 0;
  private showStepRow: (step: Step) => void = () => {};

  constructor(host: HTMLElement, private readonly data: ViewData, values: URLSearchParams, private readonly settings: HTMLElement | null) {
    const first = data.frames[0]!.positions();
    this.groups = data.groups ?? connectedParts(first.length / 3, data.faces, data.lines)!;
    const firstHit = Math.max(0, data.steps.findIndex((s) => s.verdict === "hit"));
    this.step = data.steps[number(values, "step", firstHit)] ?? data.steps[0]!;
    this.t = number(values, "t", this.step.toi < 1 ? this.step.toi : 0);
    this.colours = values.get("colour") ?? "groups";
    this.up = upOf(values.get("up")) ?? data.up ?? upOf(remembered("up")) ?? guessedUp(data);
    this.contacts = this.contactTable();
    this.timeSlider = slider("time", { min: 0, max: 1, step: "any", value: this.t }, time, (t) => this.goTo(t));
    this.playButton = button("Play", () => this.play());
    fill(host, this.layout());
    this.picture.setBounds(first);
    this.applyGroups();
    this.openStep(this.step, this.t);
    this.startCamera(values.get("camera"));
    this.picture.onCamera = () => keep({ camera: this.picture.cameraText() });
    this.picture.onSimplified = (says) => (this.simplified.textContent = says);
    this.picture.setTheme(isDark());
    onTheme(() => this.picture.setTheme(isDark()));
    (globalThis as unknown as { grazePicture: Scene3D }).grazePicture = this.picture;
  }

  private setUp(axis: "y" | "z"): void {
    this.up = axis;
    this.picture.setUp(axis);
    remember("up", axis);
    keep({ up: axis, camera: this.picture.cameraText() });
  }

  private startCamera(text: string | null): void {
    this.picture.setUp(this.up);
    if (!text || !this.picture.setCameraText(text)) this.picture.showAll();
  }

  private layout(): HTMLElement {
    const { data } = this;
    return h("section", { class: "viewer" },
      h("div", { class: "stage" }, this.picture.element,
        h("div", { class: "bar" }, this.playButton, this.timeSlider.element), this.simplified),
      h("div", { class: "side" },
        h("h1", {}, data.title), h("p", { class: "soft" }, data.note), this.settings, this.summary,
        h("div", { class: "row" },
          button("First contact", () => this.goToLimiting(), { id: "first-contact" }),
          button("Whole mesh", () => this.picture.showAll()),
          button("Save picture", () => this.save())),
        data.steps.length > 1 && this.stepList(),
        h("div", { class: "row" },
          select("color by", [["groups", "part"], ["safe", "safe step of each vertex"]], this.colours,
            (value) => this.setColours(value)),
          checkbox("contacts", true, (on) => this.picture.showContacts(on)),
          checkbox("intersections", true, (on) => this.picture.showCrossing(on)),
          checkbox("edges", false, (on) => this.picture.showWires(on)),
          checkbox("z is up", this.up === "z", (on) => this.setUp(on ? "z" : "y"))),
        this.legend, this.groupList(), this.chosen, this.contacts.element));
  }

  private groupList(): HTMLElement | null {
    if (this.groups.names.length < 2) return null;
    return h("details", { class: "groups" }, h("summary", {}, `${this.groups.names.length} parts`),
      ...this.groups.names.map((name, g) => checkbox(name, true, (on) => {
        if (on) this.hidden.delete(g);
        else this.hidden.add(g);
        this.applyGroups();
        this.markStep(this.step);
      })));
  }

  private contactTable(): SortedTable<Contact> {
    return new SortedTable<Contact>([
      { title: "pair", text: (c) => `${c.kind} ${c.a} ${c.b}`, order: (c) => `${c.kind} ${String(c.a).padStart(10)}` },
      { title: "first touch", text: (c) => time(c.toi), order: (c) => c.toi, number: true },
      { title: "verdict", text: (c) => c.verdict, order: (c) => c.verdict, class: (c) => c.verdict },
    ], (contact) => this.goToContact(contact), "contacts of this step");
  }

  // ---- steps ----

  private stepList(): HTMLElement {
    const thumbnails = new Thumbnails(this.picture, this.data, (step, t) => this.showFor(step, t), () => this.showFor(this.step, this.t));
    const table = new SortedTable<Step>([
      { title: "step", text: (s) => s.name, order: (s) => this.data.steps.indexOf(s) },
      { title: "verdict", text: (s) => s.verdict, order: (s) => s.verdict, class: (s) => s.verdict },
      { title: "free until", text: (s) => time(s.toi), order: (s) => s.toi, number: true },
      { title: "contacts", text: (s) => String(s.contact_count), order: (s) => s.contact_count, number: true },
      { title: "where", text: (s) => thumbnails.place(s), order: (s) => s.contact_count },
    ], (step) => this.openStep(step, step.toi < 1 ? step.toi : 0), "steps", 400);
    table.setRows(this.data.steps);
    this.showStepRow = (step) => table.select(step);
    const index = slider("step", { min: 0, max: this.data.steps.length - 1, step: 1, value: this.data.steps.indexOf(this.step) },
      (i) => this.data.steps[i]!.name, (i) => this.openStep(this.data.steps[i]!, 0));
    const follow = this.showStepRow;
    this.showStepRow = (step) => {
      follow(step);
      index.set(this.data.steps.indexOf(step));
    };
    return h("div", {}, index.element, timeline("steps", this.data.steps, (s) => this.openStep(s, s.toi < 1 ? s.toi : 0)), h("details", { open: true },
      h("summary", {}, totals(this.data.steps)), table.element));
  }

  /** Everything of a step but the side panel. */
  private load(step: Step): void {
    const x0 = this.data.frames[step.from]!.positions(), x1 = this.data.frames[step.to]!.positions();
    this.picture.setMotion(x0, x1);
    this.markStep(step);
  }

  private shown(vertex: number): boolean {
    return !this.hidden.has(this.groups.of[vertex]!);
  }

  /** Contacts and faces that intersect already, but those of hidden parts alone. */
  private markStep(step: Step): void {
    const contacts = step.contacts.filter((c) => c.vertices.some((v) => this.shown(v)));
    this.picture.setContacts(Float64Array.from(contacts.flatMap((c) => c.point ?? [])));
    const corners = [...new Set(step.intersections ?? [])].flatMap((f) => [...this.data.faces.subarray(3 * f, 3 * f + 3)]);
    this.picture.setCrossing(Uint32Array.from(corners).filter((_, i) => this.shown(corners[i - (i % 3)]!)));
  }

  /** For a small picture, and back: what the panel says stays. */
  private showFor(step: Step, t: number): void {
    this.load(step);
    this.picture.setTime(t);
  }

  private openStep(step: Step, t: number): void {
    this.step = step;
    this.load(step);
    this.setColours(this.colours);
    this.contacts.setRows(step.contacts, step.contact_count);
    this.contacts.select(null);
    this.highlight({ triangles: [], lines: [], points: [] });
    fill(this.summary, ...this.sentence(step));
    this.chosen.textContent = "";
    this.goTo(t);
    this.timeSlider.set(t);
    this.showStepRow(step);
    if (this.data.steps.length > 1) keep({ step: this.data.steps.indexOf(step) });
  }

  private sentence(step: Step): (Node | string)[] {
    const verdict = h("strong", { class: step.verdict }, step.verdict);
    const parts: (Node | string)[] = [verdict, " – "];
    if (step.verdict === "clear") parts.push("nothing touches on the way.");
    else if (step.verdict === "hit") parts.push(`free until t = ${time(step.toi)}; ${step.contact_count} pairs touch in the step.`);
    else parts.push(`not decided (${step.reason ?? "a limit was reached"}); free until t = ${time(step.toi)}.`);
    const crossing = step.intersection_count;
    if (crossing)
      parts.push(h("span", { class: "crossing" },
        ` ${crossing} pairs of faces intersect already at the start: what is inside each other need not touch again.`));
    return parts;
  }

  // ---- time ----

  private goTo(t: number): void {
    this.t = t;
    this.picture.setTime(t);
    keep({ t: Number(t.toPrecision(8)) });
  }

  private play(): void {
    if (this.playing) {
      cancelAnimationFrame(this.playing);
      this.playing = 0;
      this.playButton.textContent = "Play";
      return;
    }
    this.playButton.textContent = "Pause";
    let before = performance.now();
    const go = (now: number) => {
      let t = this.t + (now - before) / 2000;
      before = now;
      if (t > 1) {
        const next = this.data.steps[this.data.steps.indexOf(this.step) + 1] ?? this.data.steps[0]!;
        if (next !== this.step) this.openStep(next, 0);
        t = 0;
      }
      this.goTo(t);
      this.timeSlider.set(t);
      this.playing = requestAnimationFrame(go);
    };
    this.playing = requestAnimationFrame(go);
  }

  // ---- contacts ----

  private goToLimiting(): void {
    const { pair } = this.step;
    if (!pair) {
      this.chosen.textContent = "No pair limits this step.";
      return;
    }
    const row = this.step.contacts.find((c) => c.kind === pair.kind && c.a === pair.a && c.b === pair.b);
    this.contacts.select(row ?? null);
    this.goToContact(pair);
  }

  private highlight(pieces: Highlight): void {
    for (const shape of ["triangles", "lines", "points"] as const)
      this.picture.setLayer(`pair ${shape}`, pairStyles[shape], pieces[shape]);
  }

  private goToContact(contact: Contact): void {
    const ends = [this.step.from, this.step.to].map((f) => this.data.frames[f]!.positions());
    const corner = (id: number) => ends.map((x) => [...x.subarray(3 * id, 3 * id + 3)]);
    const rows = contact.vertices.map(corner);
    this.highlight(highlightOf(contact, rows));
    const at = contact.point ?? rows[0]![0]!;
    const size = Math.max(...rows.map((r) => Math.hypot(...r[0]!.map((x, c) => x - rows[0]![0]![c]!))));
    this.picture.lookAt(at, size * 1.5);
    this.goTo(contact.toi);
    this.timeSlider.set(contact.toi);
    const where = contact.point ? ` at (${contact.point.map((x) => x.toPrecision(6)).join(", ")})` : "";
    this.chosen.textContent =
      `${kindNames[contact.kind]} ${contact.a}, ${contact.b}: free until ${contact.toi}${where}; vertices ${contact.vertices.join(", ")}.`;
  }

  // ---- colours ----

  private setColours(value: string): void {
    this.colours = value;
    keep({ colour: value === "groups" ? null : value });
    if (value === "safe") void this.shadeBySafeStep(this.step);
    else this.shade((v) => palette[this.groups.of[v]! % palette.length]!, "");
  }

  private shade(of: (vertex: number) => number[], legend: string): void {
    const count = this.groups.of.length, shades = new Float32Array(count * 3);
    for (let v = 0; v < count; v++) shades.set(of(v), 3 * v);
    this.picture.setShades(shades);
    this.legend.textContent = legend;
  }

  private async shadeBySafeStep(step: Step): Promise<void> {
    this.legend.textContent = "computing a safe step for each vertex …";
    let times = this.safeTimes.get(step);
    if (!times) this.safeTimes.set(step, (times = this.safeStep(step)));
    try {
      const safe = await times;
      if (this.step !== step || this.colours !== "safe") return;
      this.shade((v) => safeShade(safe[v]!), "red: the vertex has to stop at once; blue: it may go all the way");
    } catch (problem) {
      this.legend.textContent = (problem as Error).message;
    }
  }

  private async safeStep(step: Step): Promise<Float64Array> {
    const [x0, x1] = [step.from, step.to].map((f) => this.data.frames[f]!.positions());
    const { id } = await engine.makeScene(x0!, x1!, this.data.faces, this.data.lines);
    return (await engine.step(id, "vertices", this.data.options)).vertexToi!;
  }

  private applyGroups(): void {
    const keepRows = (ids: Uint32Array, width: number) => {
      if (!this.hidden.size) return ids;
      const kept: number[] = [];
      for (let i = 0; i < ids.length; i += width) if (this.shown(ids[i]!)) kept.push(...ids.subarray(i, i + width));
      return Uint32Array.from(kept);
    };
    this.picture.setFaces(keepRows(this.data.faces, 3), keepRows(this.data.lines, 2));
  }

  private save(): void {
    this.picture.drawNow();
    savePicture(this.picture.canvas, `graze-${this.step.name}`);
  }
}

/** The two primitives of a pair and the contact between them: [corner][end]. */
type Highlight = Record<"triangles" | "lines" | "points", number[][][]>;

const pairStyles: Record<keyof Highlight, LayerStyle> = {
  triangles: { shape: "triangles", tint: "#ffb000", nearer: 1, opacity: 0.75 },
  lines: { shape: "lines", tint: "#ff7a00", nearer: 3 },
  points: { shape: "points", tint: "#ff7a00", size: 10, nearer: 4 },
};

function totals(steps: Step[]): string {
  const count = (verdict: string) => steps.filter((s) => s.verdict === verdict).length;
  const crossing = steps.filter((s) => s.intersections?.length).length;
  return `${steps.length} steps: ${count("hit")} hit, ${count("clear")} clear, ${count("unresolved")} unresolved` +
    (crossing ? `; ${crossing} start with intersections` : "");
}

function highlightOf(contact: Contact, rows: number[][][]): Highlight {
  const [a, b, c, d] = rows as [number[][], number[][], number[][], number[][]];
  const point = contact.point && [contact.point, contact.point];
  const points = point ? [point] : [];
  switch (contact.kind) {
    case "vf": return { triangles: [b, c, d], lines: [b, c, c, d, d, b], points: [a, ...points] };
    case "ee": return { triangles: [], lines: [a, b, c, d], points };
    case "pe": return { triangles: [], lines: [b, c], points: [a, ...points] };
    case "pp": return { triangles: [], lines: [], points: [a, b] };
  }
}

/** Small pictures of steps, drawn one by one, and only of rows that are seen. */
class Thumbnails {
  private readonly queue: HTMLCanvasElement[] = [];
  private readonly made = new Map<Step, HTMLCanvasElement>();
  private readonly seen: IntersectionObserver;
  private busy = false;

  constructor(
    private readonly picture: Scene3D, private readonly data: ViewData,
    private readonly show: (step: Step, t: number) => void, private readonly back: () => void) {
    this.seen = new IntersectionObserver((entries) => {
      for (const e of entries)
        if (e.isIntersecting) {
          this.seen.unobserve(e.target);
          this.queue.push(e.target as HTMLCanvasElement);
        }
      this.go();
    });
  }

  place(step: Step): Node {
    let canvas = this.made.get(step);
    if (!canvas) {
      canvas = h("canvas", {
        width: 144, height: 96, class: "thumbnail", "data-step": this.data.steps.indexOf(step), "aria-hidden": "true" });
      this.made.set(step, canvas);
      this.seen.observe(canvas);
    }
    return canvas;
  }

  private go(): void {
    if (this.busy || !this.queue.length) return;
    this.busy = true;
    setTimeout(() => {
      const canvas = this.queue.shift()!;
      const step = this.data.steps[Number(canvas.dataset.step)]!;
      this.show(step, step.toi < 1 ? step.toi : 1);
      this.picture.copyInto(canvas);
      this.back();
      this.picture.drawNow(); // in the same task: the large picture does not flicker
      this.busy = false;
      this.go();
    }, 30);
  }
}

// Articulated models in motion: where they are, what touches first, and the links that limit the motion.
import type { ArticulatedResult, LinkContact, LinkId } from "../../package/src/graze";
import { button, checkbox, fill, h, savePicture, slider } from "../dom";
import { engine } from "../engine";
import { keep, number } from "../state";
import { isDark, onTheme } from "../theme";
import { Bodies } from "../viewer/bodies";
import { Scene3D } from "../viewer/scene3d";
import { SortedTable } from "../viewer/table";
import { timeline } from "../viewer/timeline";
import { palette, time } from "../viewer/words";
import { connectedParts } from "../viewer/data";
import { drawnGeometry, linkGeometry, moved, posesAt, unmoved } from "./pose";
import { linkCount, type ModelScene, triangleCount } from "./scene";

interface Segment {
  name: string;
  index: number;
  verdict: string;
  toi: number;
  result: ArticulatedResult;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
const limiting = [[0.90, 0.33, 0.24], [0.96, 0.62, 0.16]];

/** `more` is shown above the answer. */
export function mountModels(host: HTMLElement, scene: ModelScene, values: URLSearchParams, more: HTMLElement | null = null): void {
  new ModelViewer(host, scene, values, more);
}

class ModelViewer {
  private readonly picture = new Scene3D();
  private readonly bodies: Bodies;
  private readonly summary = h("p", { class: "summary", role: "status" }, "computing …");
  private readonly list = h("div", {});
  private readonly contacts: SortedTable<LinkContact>;
  private readonly timeSlider: ReturnType<typeof slider>;
  private readonly playButton = button("Play", () => this.play(), { id: "play" });
  private readonly starts: number[] = []; // a model's first body
  private readonly hidden = new Set<number>();
  private readonly answers = new Map<string, Promise<ArticulatedResult>>();
  private models: Promise<number> | null = null;
  private separation: number;
  private segment: number;
  private t = 0;
  private first: LinkContact | null = null; // contact of the segment
  private shownContact: LinkContact | null = null;
  private playing = 0;
  private asked = 0;
  private moved = false; // somebody chose a segment, a time or a contact
  private segments: Segment[] = []; // once all are answered
  private follow: (segment: number) => void = () => {};

  constructor(host: HTMLElement, private readonly scene: ModelScene, values: URLSearchParams, more: HTMLElement | null) {
    this.segment = Math.min(scene.segments.length - 1, Math.max(0, number(values, "segment", 0)));
    this.separation = number(values, "separation", scene.separation);
    const start = number(values, "t", NaN);
    for (let i = 0, first = 0; i < scene.models.length; first += scene.models[i++]!.links.length) this.starts.push(first);
    this.bodies = new Bodies(scene.models.flatMap((m) => m.links.map(drawnGeometry)));
    this.contacts = this.contactTable();
    this.timeSlider = slider("time", { min: 0, max: 1, step: "any", value: 0 }, time, (t) => {
      this.moved = true;
      this.goTo(t);
    });
    fill(host, this.layout(more, values));
    this.picture.setBounds(this.corners());
    this.picture.setBodies(this.bodies);
    this.picture.setUp(values.get("up") === "y" ? "y" : "z");
    if (!this.picture.setCameraText(values.get("camera") ?? "")) this.picture.showAll();
    this.picture.onCamera = () => keep({ camera: this.picture.cameraText() });
    onTheme(() => this.picture.setTheme(isDark()));
    Object.assign(globalThis, { grazePicture: this.picture, grazeVertex: (id: LinkId, vertex: number, t: number) => this.vertexAt(id, vertex, t) });
    this.place(start || 0);
    void this.openSegment(this.segment, start);
    if (scene.segments.length > 1) void this.answerAll().then(() => values.has("segment") || this.moved || this.openFirst());
  }

  private layout(more: HTMLElement | null, values: URLSearchParams): HTMLElement {
    const { scene } = this;
    const about = [counted(scene.models.length, "model"), counted(linkCount(scene.models), "link"), counted(triangleCount(scene.models), "triangle")].join(", ");
    return h("section", { class: "viewer" },
      h("div", { class: "stage" }, this.picture.element, h("div", { class: "bar" }, this.playButton, this.timeSlider.element)),
      h("div", { class: "side" },
        h("h1", {}, scene.title), h("p", { class: "soft" }, scene.note ? `${scene.note}; ${about}` : about), more, this.summary,
        h("div", { class: "row" },
          button("First contact", () => void this.goToFirst(), { id: "first-contact" }),
          button("Everything", () => this.picture.showAll()),
          button("Save picture", () => this.save())),
        this.list,
        h("div", { class: "row" }, this.separationBox(), checkbox("z is up", values.get("up") !== "y", (on) => this.setUp(on))),
        this.modelList(), this.contacts.element,
        h("p", { class: "soft" }, "Red and orange: the parts that touch first.")));
  }

  private setUp(z: boolean): void {
    this.picture.setUp(z ? "z" : "y");
    keep({ up: z ? null : "y" });
  }

  private separationBox(): HTMLElement {
    const input = h("input", { type: "number", min: 0, step: "any", value: this.separation, name: "separation" });
    input.addEventListener("change", () => {
      this.separation = input.valueAsNumber || 0;
      keep({ separation: this.separation || null });
      void this.openSegment(this.segment, NaN);
      if (this.scene.segments.length > 1) void this.answerAll();
    });
    return h("label", { class: "choice" }, "separation ", input);
  }

  private modelList(): HTMLElement | null {
    if (this.scene.models.length < 2) return null;
    return h("details", { class: "groups" }, h("summary", {}, `${this.scene.models.length} models`),
      ...this.scene.models.map((model, m) => checkbox(model.name, true, (on) => {
        if (on) this.hidden.delete(m);
        else this.hidden.add(m);
        model.links.forEach((_, l) => this.bodies.show(this.starts[m]! + l, on));
        this.picture.draw();
      })));
  }

  private nameOf({ model, link }: LinkId): string {
    const { name, links } = this.scene.models[model]!;
    if (this.scene.models.length === 1) return links[link]!.name;
    return links.length === 1 && links[0]!.name === name ? name : `${name}/${links[link]!.name}`;
  }

  private contactTable(): SortedTable<LinkContact> {
    const first = (c: LinkContact) => this.nameOf(c.links[0]), second = (c: LinkContact) => this.nameOf(c.links[1]);
    return new SortedTable<LinkContact>([
      { title: "link", text: first, order: first },
      { title: "and link", text: second, order: second },
      { title: "first touch", text: (c) => time(c.toi), order: (c) => c.toi, number: true },
      { title: "verdict", text: (c) => c.verdict, order: (c) => c.verdict, class: (c) => c.verdict },
    ], (contact) => this.goToContact(contact), "links that touch on the way");
  }

  // ---- answers ----

  private ask(segment: number, mode: "earliest" | "all"): Promise<ArticulatedResult> {
    this.models ??= engine.openModels(this.scene.models);
    const { linkPairs, tolerance } = this.scene, { separation } = this, key = `${segment} ${mode} ${separation}`;
    let answer = this.answers.get(key);
    if (!answer) {
      answer = this.models.then((id) => engine.articulate(id, this.scene.segments[segment]!, { mode, separation, tolerance, linkPairs }));
      this.answers.set(key, answer);
    }
    return answer;
  }

  private async openSegment(segment: number, t: number): Promise<void> {
    const mine = ++this.asked;
    this.segment = segment;
    if (this.scene.segments.length > 1) keep({ segment });
    this.follow(segment);
    try {
      const result = await this.ask(segment, "earliest");
      if (mine !== this.asked) return;
      this.first = result.contact;
      this.show(result.contact);
      fill(this.summary, ...this.sentence(result));
      if (!this.playing) {
        const start = Number.isNaN(t) ? (result.toi < 1 ? result.toi : 0) : t;
        this.timeSlider.set(start);
        this.goTo(start);
      }
      const all = await this.ask(segment, "all");
      if (mine === this.asked) this.contacts.setRows([...all.contacts].sort((a, b) => a.toi - b.toi));
    } catch (problem) {
      if (mine === this.asked) fill(this.summary, h("span", { class: "hit" }, (problem as Error).message));
    }
  }

  private sentence(result: ArticulatedResult): (Node | string)[] {
    const verdict = h("strong", { class: result.verdict }, result.verdict), { contact } = result;
    if (result.verdict === "clear") return [verdict, this.scene.segments.length > 1 ? ` – it is proven that no links touch in segment ${this.segment}.` : " – it is proven that no links touch on the way."];
    const names = contact ? contact.links.map((l) => this.nameOf(l)).join(" and ") : "two links";
    const free = `it is proven that nothing touches before t = ${result.toi}${this.secondsAt(result.toi)}`;
    if (result.verdict === "unresolved") return [verdict, ` – ${free}; beyond that it is not decided (${result.reason}).`];
    return [verdict, ` – ${free}; then ${names} ${contact?.proven ? "touch" : "come within the tolerance"}.`];
  }

  /** Of a plan: when that is. */
  private secondsAt(t: number): string {
    const { times } = this.scene, from = times?.[this.segment], to = times?.[this.segment + 1];
    return from === undefined || to === undefined ? "" : ` of segment ${this.segment}, at ${time(from + t * (to - from))} s`;
  }

  private secondsOf(segment: number): number {
    const { times, segments } = this.scene;
    return times ? times[segment + 1]! - times[segment]! : segments.length > 1 ? 0.4 : 3;
  }

  /** Every segment's first contact, in the background, as a timeline and a table. */
  private async answerAll(): Promise<void> {
    const separation = this.separation, segments: Segment[] = [];
    const progress = h("p", { class: "soft", role: "status" });
    fill(this.list, progress);
    try {
      for (let i = 0; i < this.scene.segments.length; i++) {
        const result = await this.ask(i, "earliest");
        if (separation !== this.separation || !this.list.isConnected) return;
        segments.push({ name: `segment ${i}`, index: i, verdict: result.verdict, toi: result.toi, result });
        if (i % 20 === 0) progress.textContent = `segment ${i} of ${this.scene.segments.length} …`;
      }
      fill(this.list, ...this.segmentList(segments));
    } catch (problem) {
      progress.textContent = (problem as Error).message;
    }
  }

  private segmentList(segments: Segment[]): HTMLElement[] {
    const open = (s: Segment) => {
      this.moved = true;
      void this.openSegment(s.index, NaN);
    };
    const who = (s: Segment) => s.result.contact?.links.map((l) => this.nameOf(l)).join(", ") ?? "–";
    const table = new SortedTable<Segment>([
      { title: "segment", text: (s) => String(s.index), order: (s) => s.index, number: true },
      { title: "verdict", text: (s) => s.verdict, order: (s) => s.verdict, class: (s) => s.verdict },
      { title: "free until", text: (s) => time(s.toi), order: (s) => s.toi, number: true },
      { title: "links", text: who, order: who },
    ], open, "segments of the motion", 400);
    table.setRows(segments);
    this.segments = segments;
    const at = slider("segment", { min: 0, max: segments.length - 1, step: 1, value: this.segment }, String, (i) => open(segments[i]!));
    this.follow = (segment) => {
      table.select(segments[segment]!);
      at.set(segment);
    };
    this.follow(this.segment);
    const hits = segments.filter((s) => s.verdict === "hit").length;
    return [at.element, timeline("segments", segments, open),
      h("details", { open: true }, h("summary", {}, `${segments.length} segments: ${hits} hit, ${segments.filter((s) => s.verdict === "clear").length} clear`), table.element)];
  }

  // ---- the picture ----

  /** Position at which a vertex of a link is drawn: tests compare it with where the library finds contacts. */
  private vertexAt({ model, link }: LinkId, vertex: number, t: number): number[] {
    const found = this.scene.models[model]!, pose = posesAt(found, this.scene.segments[this.segment]![model]!, t)[link]!;
    return moved(pose, [...linkGeometry(found.links[link]!.meshes).vertices.subarray(3 * vertex, 3 * vertex + 3)]);
  }

  /** Marks what touches: of a link of several pieces the piece at the contact. */
  private show(contact: LinkContact | null): void {
    const bodyOf = ({ model, link }: LinkId) => this.starts[model]! + link;
    for (const id of this.shownContact?.links ?? []) this.bodies.mark(bodyOf(id), () => false, limiting[0]!);
    this.shownContact = contact;
    contact?.links.forEach((id, side) => this.bodies.mark(bodyOf(id), this.pieceAt(id, contact), limiting[side]!));
  }

  private pieceAt({ model, link }: LinkId, { point, toi }: LinkContact): (vertex: number) => boolean {
    const found = this.scene.models[model]!, { vertices, faces } = drawnGeometry(found.links[link]!);
    const pieces = connectedParts(vertices.length / 3, faces, new Uint32Array(), Infinity)!;
    if (!point || pieces.names.length < 2) return () => true;
    const pose = posesAt(found, this.scene.segments[this.segment]![model]!, toi)[link]!;
    const piece = nearestPiece(vertices, pieces.of, pieces.names.length, unmoved(pose, point));
    return (vertex) => pieces.of[vertex] === piece;
  }

  private place(t: number): void {
    this.scene.models.forEach((model, m) =>
      posesAt(model, this.scene.segments[this.segment]![m]!, t).forEach(({ q, p }, l) => {
        const body = this.starts[m]! + l;
        this.bodies.place(body, q, p);
        this.bodies.colour(body, palette[m % palette.length]!.map((x) => x * (1 - 0.12 * (l % 3))));
      }));
    const point = this.shownContact?.point;
    this.picture.setContacts(Float64Array.from(point ?? []));
  }

  private goTo(t: number): void {
    this.t = t;
    this.place(t);
    this.picture.setTime(t);
    keep({ t: Number(t.toPrecision(8)) });
  }

  /** A plan or a path opens at the first segment that touches. */
  private openFirst(): void {
    const first = this.segments.find((s) => s.result.contact);
    if (first && first.index !== this.segment) void this.openSegment(first.index, NaN);
  }

  /** The contact of this segment, or else of the next one that has any. */
  private async goToFirst(): Promise<void> {
    this.moved = true;
    const { segments, segment } = this, later = [...segments.slice(segment), ...segments.slice(0, segment)];
    const next = later.find((s) => s.result.contact);
    if (!this.first && next) await this.openSegment(next.index, NaN);
    if (this.first) this.goToContact(this.first);
  }

  private goToContact(contact: LinkContact): void {
    this.show(contact);
    this.timeSlider.set(contact.toi);
    this.goTo(contact.toi);
    if (contact.point) this.picture.lookAt(contact.point, 0.25 * this.picture.size);
  }

  private play(): void {
    this.moved = true;
    if (this.playing) {
      cancelAnimationFrame(this.playing);
      this.playing = 0;
      this.playButton.textContent = "Play";
      return;
    }
    this.playButton.textContent = "Pause";
    let before = performance.now();
    const go = (now: number) => {
      if (!this.picture.element.isConnected) return;
      let t = this.t + (now - before) / (1000 * this.secondsOf(this.segment));
      before = now;
      if (t > 1) {
        t = 0;
        if (this.scene.segments.length > 1) void this.openSegment((this.segment + 1) % this.scene.segments.length, 0);
      }
      this.goTo(t);
      this.timeSlider.set(t);
      this.playing = requestAnimationFrame(go);
    };
    this.playing = requestAnimationFrame(go);
  }

  /** Corners of boxes around the links at both ends of all segments, or of some where they are many. */
  private corners(): Float64Array {
    const out: number[] = [], every = Math.ceil(this.scene.segments.length / 20);
    const boxes = this.scene.models.map((m) => m.links.map((l) => boxOf(drawnGeometry(l).vertices)));
    this.scene.segments.filter((_, s) => s % every === 0).forEach((motions) => this.scene.models.forEach((model, m) => {
      for (const t of [0, 1]) posesAt(model, motions[m]!, t).forEach((pose, l) => boxes[m]![l]!.forEach((x) => out.push(...moved(pose, x))));
    }));
    return Float64Array.from(out);
  }

  private save(): void {
    this.picture.drawNow();
    savePicture(this.picture.canvas, `graze-${this.scene.title}`);
  }
}

/** The piece whose box is nearest to a place; of boxes that hold it the smallest. */
function nearestPiece(x: Float64Array, of: Uint32Array, count: number, at: number[]): number {
  const boxes = Array.from({ length: count }, () => ({ low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] }));
  for (let i = 0; i < x.length; i++) {
    const { low, high } = boxes[of[Math.floor(i / 3)]!]!;
    low[i % 3] = Math.min(low[i % 3]!, x[i]!);
    high[i % 3] = Math.max(high[i % 3]!, x[i]!);
  }
  const order = boxes.map(({ low, high }, piece) => ({
    piece, size: Math.hypot(...low.map((l, c) => high[c]! - l)), away: Math.hypot(...low.map((l, c) => Math.max(0, l - at[c]!, at[c]! - high[c]!))) }));
  return order.sort((a, b) => (Math.abs(a.away - b.away) > 1e-6 * a.size ? a.away - b.away : a.size - b.size))[0]!.piece;
}

/** The eight corners; none of a link without geometry. */
function boxOf(x: Float64Array): number[][] {
  if (!x.length) return [];
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < x.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, x[i]!);
    high[i % 3] = Math.max(high[i % 3]!, x[i]!);
  }
  return Array.from({ length: 8 }, (_, bits) => low.map((l, c) => ((bits >> c) & 1 ? high[c]! : l)));
}

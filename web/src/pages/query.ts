// The query explorer: one pair, every method.
import type { CertificateEntry, Kind, Method, Result } from "../../package/src/graze";
import { button, fill, h, savePicture, select, slider } from "../dom";
import { engine } from "../engine";
import { keep, number } from "../state";
import type { WrittenQueries } from "../viewer/data";
import { SortedTable } from "../viewer/table";
import { superscript } from "../viewer/words";
import { firstQuery, kinds, type Query, queryFromText, queryOf, textOf } from "./queries";
import { QueryView, rowsOf } from "./queryview";

const rowNames: Record<Kind, string[]> = {
  vf: ["vertex", "face 0", "face 1", "face 2"], ee: ["a0", "a1", "b0", "b1"], pe: ["point", "edge 0", "edge 1"], pp: ["a", "b"],
};
const MOST_CHECKS = 20000; // of the methods that may take very long

interface Answer {
  method: Method;
  result: Result;
  us: number;
}

export class QueryExplorer {
  readonly element: HTMLElement;
  private readonly view = new QueryView();
  private readonly says = h("p", { class: "summary", role: "status" });
  private readonly points = h("div", { class: "scroll" });
  private readonly exact = h("div", {});
  private readonly pieces = h("div", {});
  private readonly message = h("p", { class: "message", role: "status" });
  private readonly table: SortedTable<Answer>;
  private readonly time: ReturnType<typeof slider>;
  private readonly kindBox = h("span", {});
  private query: Query;
  private t: number;
  private separation: number;
  private entries: CertificateEntry[] = [];
  private asked = 0;

  constructor(values: URLSearchParams, start: Query, separation = 0) {
    this.query = { kind: start.kind, points: start.points.slice() };
    this.t = number(values, "t", 0);
    this.separation = Math.max(0, number(values, "separation", separation));
    this.time = slider("time", { min: 0, max: 1, step: "any", value: this.t }, (t) => t.toFixed(6), (t) => this.goTo(t));
    this.table = answerTable((answer) => this.goTo(answer.result.toi));
    this.element = this.layout();
    this.view.onDrag = (end, row, place) => {
      this.query.points.set(place, 12 * end + 3 * row);
      this.changed(false);
    };
    const camera = values.get("camera");
    this.changed(true);
    if (camera) this.view.picture.setCameraText(camera);
    this.view.picture.onCamera = () => keep({ camera: this.view.picture.cameraText() });
  }

  private layout(): HTMLElement {
    const paste = h("textarea", { rows: 3, id: "paste", placeholder: '24 numbers, eight rows of a query file, or {"x0":…,"x1":…}', "aria-label": "a query as text" });
    return h("section", { class: "viewer" },
      h("div", { class: "stage" }, this.view.element,
        h("div", { class: "bar" }, this.time.element, button("First contact", () => this.goToContact(), { id: "first-contact" }),
          button("Save picture", () => this.save())),
        h("p", { class: "soft" }, "Orange: the first primitive; blue: the second; gray: the paths. Drag a gray end to move it. Green: the slab that proves this moment free.")),
      h("div", { class: "side" }, this.says, this.exact, this.table.element, this.pieces,
        h("h2", {}, "The query"), h("div", { class: "row" }, this.kindBox, this.separationBox(), this.familyBox()),
        this.points,
        paste, h("div", { class: "row" }, button("Read this text", () => void this.paste(paste.value), { id: "take" }),
          button("Write the query here", () => (paste.value = JSON.stringify(this.asJson())))), this.message));
  }

  private asJson(): object {
    const rows = (end: number) => Array.from({ length: rowsOf(this.query.kind) }, (_, i) => [...this.query.points.subarray(12 * end + 3 * i, 12 * end + 3 * i + 3)]);
    return { kind: this.query.kind, x0: rows(0), x1: rows(1) };
  }

  private separationBox(): HTMLElement {
    const input = h("input", { type: "number", min: 0, step: "any", value: this.separation, size: 8 });
    input.addEventListener("change", () => {
      this.separation = Math.max(0, input.valueAsNumber || 0);
      this.changed(false);
    });
    return h("label", { class: "choice" }, "separation ", input);
  }

  private familyBox(): HTMLElement {
    const place = h("span", {});
    void engine.about().then(({ families }) => {
      let index = 0;
      const menu = select("handcrafted", [["", "–"], ...families.map((f): [string, string] => [f.name, f.name])], "", (name) => void take(name));
      const take = async (name: string) => {
        if (!name) return;
        const kind = this.query.kind === "ee" ? "ee" : "vf";
        this.message.textContent = families.find((f) => f.name === name)!.summary;
        this.show({ kind, points: await engine.handcrafted(name, kind, index) });
      };
      const again = button("next one", () => {
        index++;
        void take((menu.querySelector("select") as HTMLSelectElement).value);
      });
      fill(place, menu, " ", again);
    });
    return place;
  }

  private async paste(text: string): Promise<void> {
    this.message.className = "message";
    this.message.textContent = "";
    try {
      this.show(await queryFromText(text, this.query.kind));
    } catch (problem) {
      this.message.className = "message problem";
      this.message.textContent = (problem as Error).message;
    }
  }

  /** Another query, from outside. */
  show(query: Query): void {
    this.query = { kind: query.kind, points: query.points.slice() };
    this.changed(true);
  }

  private pointTable(): HTMLElement {
    const { kind, points } = this.query;
    const cell = (at: number, label: string) => {
      const input = h("input", { type: "number", step: "any", value: points[at]!, "aria-label": label });
      input.addEventListener("change", () => {
        if (Number.isFinite(input.valueAsNumber)) points[at] = input.valueAsNumber;
        this.changed(false, true);
      });
      return h("td", {}, input);
    };
    const rows = rowNames[kind].map((name, i) => h("tr", {}, h("th", { scope: "row" }, name),
      ...[0, 1].flatMap((end) => [0, 1, 2].map((c) => cell(12 * end + 3 * i + c, `${name}, ${"xyz"[c]} at t = ${end}`)))));
    return h("table", { class: "points" }, h("thead", {}, h("tr", {}, h("th", {}), h("th", { colspan: 3 }, "t = 0"), h("th", { colspan: 3 }, "t = 1"))),
      h("tbody", {}, ...rows));
  }

  private changed(aim: boolean, typed = false): void {
    const { kind, points } = this.query;
    keep({ kind, q: textOf(points), separation: this.separation || null });
    fill(this.kindBox, select("kind", kinds, kind, (value) => this.show({ kind: value as Kind, points })));
    if (!typed) fill(this.points, this.pointTable());
    this.view.set(kind, points, aim);
    this.goTo(this.t);
    void this.ask();
  }

  private async ask(): Promise<void> {
    const mine = ++this.asked, { kind, points } = this.query, { separation } = this;
    try {
      const { methods } = await engine.about();
      const certificate = await engine.certificate(kind, points, { separation });
      const truth = await engine.truth(kind, points, { separation });
      if (mine !== this.asked) return;
      this.entries = certificate.entries;
      const { result } = certificate;
      fill(this.says, h("strong", { class: result.verdict }, result.verdict),
        result.verdict === "clear" ? " – it is proven that nothing touches." : ` – it is proven that nothing touches before t = ${result.toi}.`);
      this.view.setContact(result.point);
      fill(this.exact, h("p", {}, "Exactly: ", truth.hit ? (truth.lower === truth.upper ? `first contact at ${truth.lower}` : `first contact between ${truth.lower} and the next double`) : "no contact", "."),
        truth.hit && h("details", {}, h("summary", {}, `a root of an integer polynomial of degree ${truth.polynomial.length - 1}`),
          h("p", { class: "mono polynomial" }, polynomialText(truth.polynomial))));
      fill(this.pieces, h("h2", {}, "Certificate"), h("p", { class: "soft" }, `${this.entries.length} ${this.entries.length === 1 ? "piece" : "pieces"} of time, each with its proof`), this.pieceBar());
      this.goTo(this.t);
      const answers: Answer[] = [];
      for (const method of methods) {
        if (!method.available || !method.kinds.includes(kind)) continue;
        try {
          const maxChecks = method.conservative || method.name === "irf" ? MOST_CHECKS : 0;
          const { result: answer, us } = await engine.timed(kind, points, { method: method.name, separation, maxChecks });
          if (mine !== this.asked) return;
          answers.push({ method, result: answer, us });
          this.table.setRows([...answers]);
        } catch {
          continue; // a method that does not take a separation
        }
      }
    } catch (problem) {
      if (mine === this.asked) this.says.textContent = (problem as Error).message;
    }
  }

  private pieceBar(): HTMLElement {
    return h("div", { class: "pieces" }, ...this.entries.slice(0, 400).map((e) =>
      h("button", {
        type: "button", style: `flex:${Math.max(e.t1 - e.t0, 1e-4)}`, class: e.direction ? "direction" : e.volume ? "volume" : "decided",
        title: `${e.t0} to ${e.t1}: ${e.direction ? `direction (${e.direction.map((x) => x.toPrecision(4)).join(", ")})` : e.volume ? "volume" : "exact arithmetic"}`,
        onclick: () => this.goTo((e.t0 + e.t1) / 2),
      }, "")), h("span", { style: `flex:${Math.max(0, 1 - (this.entries.at(-1)?.t1 ?? 0))}` }));
  }

  private goTo(t: number): void {
    this.t = t;
    this.time.set(t);
    this.view.setTime(t);
    this.view.setSlab(this.entries.find((e) => e.t0 <= t && t <= e.t1)?.direction ?? null);
    keep({ t: Number(t.toPrecision(8)) });
  }

  private goToContact(): void {
    void engine.ccd(this.query.kind, this.query.points, { separation: this.separation }).then((r) => this.goTo(r.toi));
  }

  private save(): void {
    this.view.picture.drawNow();
    savePicture(this.view.picture.canvas, "graze-query");
  }
}

function answerTable(pick: (answer: Answer) => void): SortedTable<Answer> {
  return new SortedTable<Answer>([
    { title: "method", text: (a) => a.method.name, order: (a) => a.method.name },
    { title: "verdict", text: (a) => a.result.verdict, order: (a) => a.result.verdict, class: (a) => a.result.verdict },
    { title: "free until", text: (a) => (a.method.givesToi || a.result.verdict === "clear" ? a.result.toi.toFixed(9) : "–"), order: (a) => a.result.toi, number: true },
    { title: "proven by", text: (a) => (a.result.toiUpper === null ? "–" : a.result.toiUpper.toFixed(9)), order: (a) => a.result.toiUpper ?? 2, number: true },
    { title: "checks", text: (a) => String(a.result.checks), order: (a) => a.result.checks, number: true },
    { title: "µs", text: (a) => a.us.toFixed(a.us < 10 ? 2 : 0), order: (a) => a.us, number: true },
  ], pick, "every method on this query, in this browser, with at most 20,000 checks");
}

function polynomialText(coefficients: bigint[]): string {
  return coefficients.map((c, k) => ({ c, k })).filter(({ c }) => c !== 0n).reverse()
    .map(({ c, k }) => `${c < 0n ? "− " : "+ "}${c < 0n ? -c : c}${k ? ` t${k > 1 ? superscript(k) : ""}` : ""}`).join(" ").replace(/^\+ /, "") + " = 0";
}

export function queryPage(host: HTMLElement, values: URLSearchParams): void {
  fill(host, h("h1", {}, "Query explorer"), new QueryExplorer(values, queryOf(values) ?? firstQuery).element);
}

/** A page of queries that the program wrote: a list, and the explorer. */
export function mountQueries(host: HTMLElement, written: WrittenQueries, values: URLSearchParams): void {
  const queries = written.queries.map((q) => ({
    ...q, points: Float64Array.from([q.x0, q.x1].flatMap((rows) => [...rows.flat(), ...Array<number>(12 - rows.flat().length).fill(0)])) }));
  if (!queries.length) {
    fill(host, h("h1", {}, written.title), h("p", {}, "This file has no queries."));
    return;
  }
  const explorer = new QueryExplorer(values, queryOf(values) ?? queries[0]!, written.separation);
  const nameOf = (q: (typeof queries)[number]) => (q.index !== undefined ? `${q.kind} ${q.index}` : `${q.kind} ${q.a} ${q.b}`);
  const list = new SortedTable<(typeof queries)[number]>([
    { title: "query", text: nameOf, order: (q) => queries.indexOf(q) },
    { title: "verdict", text: (q) => String(q.verdict ?? (q.truth === undefined ? "–" : q.truth ? "touches" : "free")), order: (q) => String(q.verdict ?? q.truth) },
  ], (q) => explorer.show(q), "queries", 500);
  list.setRows(queries, written.total);
  fill(host, h("h1", {}, written.title), h("div", { class: "queries" }, list.element, explorer.element));
}

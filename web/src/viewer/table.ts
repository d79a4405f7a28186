// A table that sorts by its heads and picks a row by mouse or keyboard. Long lists show their first rows and say so.
import { fill, h } from "../dom";

export interface Column<Row> {
  title: string;
  text(row: Row): string | Node;
  order(row: Row): number | string;
  class?(row: Row): string;
  number?: true; // to the right
}

export class SortedTable<Row> {
  readonly element: HTMLElement;
  private readonly body = h("tbody");
  private readonly more = h("p", { class: "soft" });
  private readonly heads: HTMLTableCellElement[];
  private rows: Row[] = [];
  private by: number | null = null;
  private down = false;
  private picked: Row | null = null;

  constructor(
    private readonly columns: Column<Row>[], private readonly pick: (row: Row) => void, caption: string,
    private readonly most = 200) {
    this.heads = columns.map((column, i) =>
      h("th", { scope: "col", class: column.number ? "number" : null }, h("button", { type: "button", onclick: () => this.sortBy(i) }, column.title)));
    this.element = h("div", {}, h("div", { class: "scroll" },
      h("table", { class: "list" }, h("caption", {}, caption), h("thead", {}, h("tr", {}, ...this.heads)), this.body)),
      this.more);
  }

  setRows(rows: Row[], total = rows.length): void {
    this.asked = true;
    this.rows = rows;
    this.total = total;
    this.show();
  }
  private total = 0;
  private asked = false; // rows were set, if only none

  private sortBy(column: number): void {
    this.down = this.by === column && !this.down;
    this.by = column;
    this.heads.forEach((head, i) =>
      i === column ? head.setAttribute("aria-sort", this.down ? "descending" : "ascending") : head.removeAttribute("aria-sort"));
    this.show();
  }

  private sorted(): Row[] {
    if (this.by === null) return this.rows;
    const { order } = this.columns[this.by]!;
    const sign = this.down ? -1 : 1;
    return [...this.rows].sort((a, b) => {
      const x = order(a), y = order(b);
      return x < y ? -sign : x > y ? sign : 0;
    });
  }

  private show(): void {
    const rows = this.sorted().slice(0, this.most);
    if (rows.length || !this.asked) fill(this.body, ...rows.map((row) => this.rowElement(row)));
    else fill(this.body, h("tr", { class: "none" }, h("td", { colspan: this.columns.length }, "none")));
    this.more.textContent = rows.length < this.total ? `The first ${rows.length} of ${this.total}.` : "";
  }

  private rowElement(row: Row): HTMLElement {
    const choose = () => {
      this.select(row);
      this.pick(row);
    };
    const element = h("tr", { tabindex: 0, onclick: choose, "aria-selected": String(row === this.picked) },
      ...this.columns.map((c) => h("td", { class: c.number ? "number" : c.class?.(row) ?? null }, c.text(row))));
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose();
    });
    this.elements.set(element, row);
    return element;
  }
  private readonly elements = new WeakMap<Element, Row>();

  select(row: Row | null): void {
    this.picked = row;
    for (const element of this.body.children)
      element.setAttribute("aria-selected", String(row !== null && this.elements.get(element) === row));
  }
}

// Elements made by calls. Whatever comes from outside goes in as text, never as markup.

type Child = Node | string | number | null | undefined | false;
type Properties = Record<string, unknown>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, properties: Properties = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, properties);
  put(element, ...children);
  return element;
}

export function svg(tag: string, properties: Properties = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  apply(element, properties);
  put(element, ...children);
  return element;
}

function apply(element: Element, properties: Properties): void {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (name === "value") (element as HTMLInputElement).value = String(value);
    else if (name === "style") (element as HTMLElement).style.cssText = String(value); // the page's policy forbids the attribute
    else if (name === "checked") (element as HTMLInputElement).checked = Boolean(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

function put(element: Element, ...children: Child[]): void {
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
}

/** Replaces what an element holds. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  put(element, ...children);
}

let labels = 0;

/** A labelled range with its value beside it. */
export function slider(
  label: string, range: { min: number; max: number; step: number | "any"; value: number },
  show: (value: number) => string, change: (value: number) => void): { element: HTMLElement; set(value: number): void } {
  const id = `slider-${++labels}`;
  const shown = h("output", { for: id }, show(range.value));
  const input = h("input", { type: "range", id, min: range.min, max: range.max, step: range.step });
  input.value = String(range.value);
  input.addEventListener("input", () => {
    shown.textContent = show(input.valueAsNumber);
    change(input.valueAsNumber);
  });
  return {
    element: h("div", { class: "slider" }, h("label", { for: id }, label), input, shown),
    set(value) {
      input.value = String(value);
      shown.textContent = show(value);
    },
  };
}

export function select(
  label: string, options: [value: string, text: string][], value: string, change: (value: string) => void): HTMLElement {
  const list = h("select", {}, ...options.map(([v, text]) => h("option", { value: v }, text)));
  list.value = value;
  list.addEventListener("change", () => change(list.value));
  return h("label", { class: "choice" }, label, " ", list);
}

export function checkbox(label: string, checked: boolean, change: (on: boolean) => void): HTMLElement {
  const box = h("input", { type: "checkbox", checked });
  box.addEventListener("change", () => change(box.checked));
  return h("label", { class: "choice" }, box, " ", label);
}

export function button(label: string, press: () => void, properties: Properties = {}): HTMLButtonElement {
  return h("button", { type: "button", onclick: press, ...properties }, label);
}

/** Saves a picture that is drawn already. */
export function savePicture(canvas: HTMLCanvasElement, name: string): void {
  const link = h("a", { download: `${name}.png`, href: canvas.toDataURL("image/png") });
  link.click();
}

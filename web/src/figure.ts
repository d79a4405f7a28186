// A figure drawn on a canvas in the colours of the theme, sharp on every screen, redrawn when the theme or its size changes.
import { h, savePicture } from "./dom";
import { onTheme } from "./theme";

export interface Pen {
  g: CanvasRenderingContext2D;
  width: number;
  height: number;
  color(name: "ink" | "soft" | "line" | "page" | "panel" | "accent" | "hit" | "clear" | "unresolved" | "crossing" | "wall" | "box"): string;
}

export class Figure {
  readonly canvas: HTMLCanvasElement;
  readonly element: HTMLElement;

  /** `shape` is height over width. */
  constructor(private readonly label: string, private readonly shape: number, private readonly paint: (pen: Pen) => void) {
    this.canvas = h("canvas", { class: "figure", role: "img", "aria-label": label });
    this.element = h("figure", { style: `max-width: min(58rem, ${(58 / shape).toFixed(0)}vh)` }, this.canvas, // with what moves it on one screen
      h("figcaption", {}, h("button", { type: "button", class: "plain save", onclick: () => this.save() }, "save as PNG")));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    onTheme(() => this.draw());
  }

  describe(text: string): void {
    this.canvas.setAttribute("aria-label", text);
  }

  draw(): void {
    const width = this.canvas.clientWidth, height = width * this.shape, ratio = devicePixelRatio || 1;
    if (!width) return;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.canvas.style.height = `${height}px`;
    const g = this.canvas.getContext("2d")!;
    const style = getComputedStyle(document.documentElement);
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.font = "13px system-ui, sans-serif";
    g.lineJoin = "round";
    const pen: Pen = { g, width, height, color: (name) => style.getPropertyValue(`--${name}`).trim() };
    g.fillStyle = pen.color("page");
    g.fillRect(0, 0, width, height);
    this.paint(pen);
  }

  private save(): void {
    this.draw();
    savePicture(this.canvas, `graze-${this.label.replace(/[^a-z0-9]+/gi, "-").slice(0, 40)}`);
  }
}

/** A polygon or a line through points. */
export function trace(g: CanvasRenderingContext2D, points: number[][], close = false): void {
  g.beginPath();
  points.forEach(([x, y], i) => (i ? g.lineTo(x!, y!) : g.moveTo(x!, y!)));
  if (close) g.closePath();
}

export function disc(g: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  g.beginPath();
  g.arc(x, y, r, 0, 2 * Math.PI);
}

/** The convex hull of points in the plane, counter-clockwise. */
export function hull(points: number[][]): number[][] {
  const sorted = [...points].sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]!);
  const half = (list: number[][]) => {
    const out: number[][] = [];
    for (const p of list) {
      while (out.length > 1) {
        const [a, b] = [out[out.length - 2]!, out[out.length - 1]!];
        if ((b[0]! - a[0]!) * (p[1]! - a[1]!) - (b[1]! - a[1]!) * (p[0]! - a[0]!) > 0) break;
        out.pop();
      }
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

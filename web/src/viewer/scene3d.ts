// The picture: a mesh whose vertices move on straight lines, contacts, and the pair that is looked at. Drawn on demand.
import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, GLSL3, Group, LineSegments, Matrix4, Mesh, PerspectiveCamera, Points, Scene,
  ShaderMaterial, Sphere, Vector3, WebGLRenderer,
} from "three";
import type { Bodies } from "./bodies";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const surfaceVertex = `
in vec3 position1, shade;
uniform float t;
uniform mat4 whole;
out vec3 place, colour;
void main() {
  place = mix(position, position1, t);
  colour = shade;
  gl_Position = whole * vec4(place, 1.0);
}`;
const surfaceFragment = `
precision highp float;
in vec3 place, colour;
uniform vec3 lamp;
out vec4 pixel;
void main() {
  vec3 n = cross(dFdx(place), dFdy(place));
  float light = 0.45 + 0.55 * abs(dot(n, lamp)) * inversesqrt(max(dot(n, n), 1e-30));
  pixel = vec4(colour * light, 1.0);
}`;
const plainVertex = `
in vec3 position1;
uniform float t, size, nearer;
void main() {
  vec4 seen = modelViewMatrix * vec4(mix(position, position1, t), 1.0);
  gl_Position = projectionMatrix * seen;
  vec4 before = projectionMatrix * (seen + vec4(0.0, 0.0, nearer, 0.0)); // as deep as a place nearer to the eye
  if (nearer > 0.0) gl_Position.z = before.w > 0.0 ? max(before.z / before.w, -0.999) * gl_Position.w : -0.999 * gl_Position.w;
  gl_PointSize = size;
}`;
const plainFragment = `
precision highp float;
uniform vec3 tint;
uniform float round_off, opacity;
out vec4 pixel;
void main() {
  if (round_off > 0.0 && length(gl_PointCoord - 0.5) > 0.5) discard;
  pixel = vec4(tint, opacity);
}`;

interface Plain {
  /** Distance that it is drawn in front of its place, in radii of the scene. */
  nearer: number;
  material: ShaderMaterial;
  geometry: BufferGeometry;
}

/** Points, lines or triangles in one colour that move with the rest. */
function plain(tint: string, size = 1, nearer = 0, opacity = 1): Plain {
  const uniforms = {
    t: { value: 0 }, size: { value: size }, nearer: { value: 0 }, opacity: { value: opacity },
    tint: { value: new Color(tint).convertLinearToSRGB() }, round_off: { value: size > 1 ? 1 : 0 },
  };
  return {
    nearer,
    material: new ShaderMaterial({
      uniforms, vertexShader: plainVertex, fragmentShader: plainFragment, glslVersion: GLSL3, side: DoubleSide,
      transparent: opacity < 1, depthWrite: opacity === 1,
    }),
    geometry: new BufferGeometry(),
  };
}

function place(geometry: BufferGeometry, x0: Float32Array, x1: Float32Array, index?: Uint32Array): void {
  geometry.setAttribute("position", new BufferAttribute(x0, 3));
  geometry.setAttribute("position1", new BufferAttribute(x1, 3));
  if (index) geometry.setIndex(new BufferAttribute(index, 1));
  geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
}

/** Pieces in one colour that are drawn over the mesh. */
export interface LayerStyle {
  shape: "triangles" | "lines" | "points";
  tint: string;
  size?: number;
  nearer?: number;
  opacity?: number;
}

const shapes = {
  triangles: (p: Plain) => new Mesh(p.geometry, p.material),
  lines: (p: Plain) => new LineSegments(p.geometry, p.material),
  points: (p: Plain) => new Points(p.geometry, p.material),
};

/** Without a graphics card every sample of a pixel costs as much as the pixel. */
function isSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const about = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = about ? String(gl!.getParameter(about.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

const SLOW_MS = 28; // a picture that takes longer is simplified while it moves
const COARSE_FACES = 12000;
const MOVING_DOTS = 1500;

/** Faces between fewer vertices: those of one cell of a grid become one of them. */
function coarser(x: Float32Array, faces: Uint32Array, most: number): Uint32Array {
  let cells = Math.ceil(Math.sqrt(most)), kept = faces;
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < x.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, x[i]!);
    high[i % 3] = Math.max(high[i % 3]!, x[i]!);
  }
  const span = Math.max(...high.map((h, c) => h - low[c]!)) || 1;
  do {
    const first = new Map<number, number>(), chosen = new Uint32Array(x.length / 3), out: number[] = [];
    for (let v = 0; v < chosen.length; v++) {
      const key = [0, 1, 2].reduce((k, c) => k * 4096 + Math.floor(((x[3 * v + c]! - low[c]!) / span) * cells), 0);
      if (!first.has(key)) first.set(key, v);
      chosen[v] = first.get(key)!;
    }
    for (let i = 0; i < faces.length; i += 3) {
      const [a, b, c] = [chosen[faces[i]!]!, chosen[faces[i + 1]!]!, chosen[faces[i + 2]!]!];
      if (a !== b && b !== c && a !== c) out.push(a, b, c);
    }
    kept = Uint32Array.from(out);
    cells = Math.floor(cells * 0.75);
  } while (kept.length > 3 * most && cells > 4);
  return kept;
}

export class Scene3D {
  /** Called with a sentence once it is known that motion is drawn with fewer faces. */
  onSimplified: ((says: string) => void) | null = null;
  private full: BufferAttribute | null = null;
  private coarse: BufferAttribute | null = null;
  private slow: boolean | null = null;
  private moving = 0;
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  onCamera: (() => void) | null = null;

  /** Radius of what is looked at. */
  get size(): number {
    return this.radius;
  }

  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(40, 1, 0.01, 100);
  private controls!: OrbitControls;
  private readonly surface = new BufferGeometry();
  private readonly surfaceMaterial = new ShaderMaterial({
    uniforms: { t: { value: 0 }, whole: { value: new Matrix4() }, lamp: { value: new Vector3() } }, vertexShader: surfaceVertex, fragmentShader: surfaceFragment, glslVersion: GLSL3,
    side: DoubleSide,
  });
  private readonly wires = plain("#000000", 1, 0.002, 0.18);
  private readonly strands = plain("#5b6670", 1, 0.002);
  private readonly crossing = plain("#a23bc4", 1, 0.5, 0.85);
  private readonly dots = plain("#d1242f", 7, 2);
  private readonly plains = [this.wires, this.strands, this.crossing, this.dots];
  private readonly layers = new Map<string, Plain>();
  private readonly world = new Group();
  private readonly wireObject: LineSegments;
  private readonly crossingObject: Mesh;
  private readonly dotObject: Points;
  private centre = [0, 0, 0];
  private radius = 1;
  private reach = 1; // everything is within it of the origin
  private time = 0;
  private due = 0;

  constructor() {
    this.renderer = new WebGLRenderer({ antialias: !isSoftware(), alpha: true });
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "the mesh; drag or use the arrow keys to turn it, + and − to come closer");
    this.element = document.createElement("div");
    this.element.className = "picture";
    this.element.append(this.canvas);
    this.wireObject = new LineSegments(this.wires.geometry, this.wires.material);
    this.crossingObject = new Mesh(this.crossing.geometry, this.crossing.material);
    this.dotObject = new Points(this.dots.geometry, this.dots.material);
    this.world.add(
      new Mesh(this.surface, this.surfaceMaterial), this.wireObject,
      new LineSegments(this.strands.geometry, this.strands.material), this.crossingObject, this.dotObject);
    this.wireObject.visible = false;
    this.scene.add(this.world);
    for (const p of this.plains) place(p.geometry, new Float32Array(), new Float32Array());
    this.rebuildControls();
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /** They take the camera's up as it is when they are made. */
  private rebuildControls(): void {
    const target = this.controls?.target.clone() ?? new Vector3();
    this.controls?.dispose();
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.target.copy(target);
    this.controls.addEventListener("change", () => {
      this.move();
      this.onCamera?.();
    });
  }

  private key(event: KeyboardEvent): void {
    const turn: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const offset = this.camera.position.clone().sub(this.controls.target);
    const by = turn[event.key];
    if (by) {
      const across = new Vector3().crossVectors(this.camera.up, offset).normalize();
      offset.applyAxisAngle(this.camera.up, by[0] * 0.1).applyAxisAngle(across, by[1] * 0.1);
    } else if (event.key === "+" || event.key === "=") offset.multiplyScalar(0.85);
    else if (event.key === "-") offset.multiplyScalar(1 / 0.85);
    else return;
    event.preventDefault();
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.draw();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.drawNow();
  }

  /** Coordinates as the picture has them: around the origin, so that single precision is enough. */
  private local(x: Float64Array): Float32Array {
    const out = new Float32Array(x.length);
    for (let i = 0; i < x.length; i++) out[i] = x[i]! - this.centre[i % 3]!;
    return out;
  }

  /** Frames of one mesh are centred alike. */
  setBounds(x: Float64Array): void {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < x.length; i++) {
      low[i % 3] = Math.min(low[i % 3]!, x[i]!);
      high[i % 3] = Math.max(high[i % 3]!, x[i]!);
    }
    this.centre = low.map((l, c) => (l + high[c]!) / 2);
    this.radius = Math.hypot(...low.map((l, c) => high[c]! - l)) / 2 || 1;
    this.reach = this.radius;
  }

  private include(...lists: Float32Array[]): void {
    for (const x of lists) for (let i = 0; i < x.length; i += 3) this.reach = Math.max(this.reach, Math.hypot(x[i]!, x[i + 1]!, x[i + 2]!));
  }

  setMotion(x0: Float64Array, x1: Float64Array): void {
    const a = this.local(x0), b = this.local(x1);
    this.include(a, b);
    place(this.surface, a, b);
    place(this.wires.geometry, a, b);
    place(this.strands.geometry, a, b);
    place(this.crossing.geometry, a, b, new Uint32Array());
    this.draw();
  }

  /** Rigid pieces beside the mesh; they are placed before each picture. */
  setBodies(bodies: Bodies): void {
    bodies.group.position.set(-this.centre[0]!, -this.centre[1]!, -this.centre[2]!);
    this.world.add(bodies.group);
    this.draw();
  }

  setFaces(faces: Uint32Array, lines: Uint32Array): void {
    this.full = new BufferAttribute(faces, 1);
    this.coarse = null;
    this.slow = null;
    this.surface.setIndex(this.full);
    this.strands.geometry.setIndex(new BufferAttribute(lines, 1));
    const edges = new Uint32Array(faces.length * 2);
    for (let i = 0, k = 0; i < faces.length; i += 3)
      for (let c = 0; c < 3; c++) {
        edges[k++] = faces[i + c]!;
        edges[k++] = faces[i + ((c + 1) % 3)]!;
      }
    this.wires.geometry.setIndex(new BufferAttribute(edges, 1));
    this.draw();
  }

  setShades(shades: Float32Array): void {
    this.surface.setAttribute("shade", new BufferAttribute(shades, 3));
    this.draw();
  }

  /** Faces that intersect already, as corners. */
  setCrossing(corners: Uint32Array): void {
    this.crossing.geometry.setIndex(new BufferAttribute(corners, 1));
    this.draw();
  }

  showCrossing(on: boolean): void {
    this.crossingObject.visible = on;
    this.draw();
  }

  setContacts(points: Float64Array): void {
    const local = this.local(points);
    place(this.dots.geometry, local, local);
    this.draw();
  }

  /** Replaces a layer; pieces are [corner][end], three numbers each. */
  setLayer(name: string, style: LayerStyle, pieces: number[][][]): void {
    let layer = this.layers.get(name);
    if (!layer) {
      layer = plain(style.tint, style.size, style.nearer, style.opacity);
      this.layers.set(name, layer);
      this.plains.push(layer);
      this.world.add(shapes[style.shape](layer));
    }
    const ends = [0, 1].map((end) => this.local(Float64Array.from(pieces.flatMap((p) => p[end]!))));
    this.include(ends[0]!, ends[1]!);
    place(layer.geometry, ends[0]!, ends[1]!);
    this.draw();
  }

  /** Place of a point of the mesh on the canvas, in pixels, and its depth. */
  toScreen(point: number[]): Vector3 {
    const at = new Vector3(...point.map((x, c) => x - this.centre[c]!)).project(this.camera);
    return at.set(((at.x + 1) / 2) * this.canvas.clientWidth, ((1 - at.y) / 2) * this.canvas.clientHeight, at.z);
  }

  fromScreen(x: number, y: number, depth: number): number[] {
    const at = new Vector3((2 * x) / this.canvas.clientWidth - 1, 1 - (2 * y) / this.canvas.clientHeight, depth);
    return at.unproject(this.camera).toArray().map((value, c) => value + this.centre[c]!);
  }

  setTurning(on: boolean): void {
    this.controls.enabled = on;
  }

  setTime(t: number): void {
    this.time = t;
    this.move();
  }

  /** Draws something that will change again at once: simply, where all of it takes too long. */
  private move(): void {
    clearTimeout(this.moving);
    this.moving = window.setTimeout(() => {
      this.moving = 0;
      this.draw();
    }, 250);
    this.draw();
  }

  private prepareMotion(): void {
    if (this.slow !== null || !this.full || this.full.count < 6 * COARSE_FACES) return;
    this.slow = false;
    this.slow = this.measure(2) > SLOW_MS;
    const x = this.surface.getAttribute("position");
    if (!this.slow || !x) return;
    this.coarse = new BufferAttribute(coarser(x.array as Float32Array, this.full.array as Uint32Array, COARSE_FACES), 1);
    this.onSimplified?.(`While it moves, ${this.coarse.count / 3} of ${this.full.count / 3} triangles are drawn: there is no graphics card.`);
  }

  showWires(on: boolean): void {
    this.wireObject.visible = on;
    this.draw();
  }

  showContacts(on: boolean): void {
    this.dotObject.visible = on;
    this.draw();
  }

  setTheme(dark: boolean): void {
    (this.wires.material.uniforms.tint!.value as Color).set(dark ? "#ffffff" : "#000000");
    this.draw();
  }

  /** Which axis points up; the camera turns about it. */
  setUp(axis: "y" | "z"): void {
    this.camera.up.set(0, axis === "y" ? 1 : 0, axis === "z" ? 1 : 0);
    this.camera.position.copy(this.controls.target).add(axis === "y" ? new Vector3(0.6, 0.5, 1) : new Vector3(0.6, -1, 0.5));
    this.rebuildControls();
    this.showAll();
  }

  /** The whole mesh from a corner. */
  showAll(): void {
    this.aim([0, 0, 0], this.radius);
  }

  /** Comes closer to a place. */
  lookAt(point: number[], size: number): void {
    this.aim(point.map((x, c) => x - this.centre[c]!), Math.max(size, this.radius * 0.02));
  }

  private aim(target: number[], size: number): void {
    const direction = this.camera.position.clone().sub(this.controls.target);
    if (direction.lengthSq() === 0 || !Number.isFinite(direction.lengthSq())) direction.set(0.6, 0.5, 1);
    const narrow = Math.min(1, this.camera.aspect);
    this.controls.target.set(target[0]!, target[1]!, target[2]!);
    this.camera.position.copy(this.controls.target).addScaledVector(direction.normalize(), (size * 3.1) / narrow);
    this.controls.update();
    this.draw();
  }

  /** Depth is as fine as it can be: what touches nearly must not look as if it went through. */
  private fitDepth(): void {
    const away = this.camera.position.length(), reach = this.reach * 1.01;
    const least = Math.min(reach, this.camera.position.distanceTo(this.controls.target)) / 50;
    this.camera.near = Math.max(away - reach, least);
    this.camera.far = Math.max(away + reach, 2 * this.camera.near);
    this.camera.updateProjectionMatrix();
    for (const p of this.plains) p.material.uniforms.nearer!.value = p.nearer * this.radius;
  }

  /** Camera and target as text for the address, relative to the mesh's size. */
  cameraText(): string {
    const numbers = [...this.camera.position.toArray(), ...this.controls.target.toArray()];
    return numbers.map((x) => Number((x / this.radius).toPrecision(5))).join(",");
  }

  setCameraText(text: string): boolean {
    const numbers = text.split(",").map((x) => Number(x) * this.radius);
    if (numbers.length !== 6 || !numbers.every(Number.isFinite)) return false;
    this.showAll();
    this.camera.position.fromArray(numbers);
    this.controls.target.fromArray(numbers, 3);
    this.controls.update();
    return true;
  }

  draw(): void {
    this.due ||= requestAnimationFrame(() => {
      this.drawNow();
      this.prepareMotion();
    });
  }

  drawNow(): void {
    cancelAnimationFrame(this.due);
    this.due = 0;
    const simply = this.moving !== 0 && this.coarse !== null;
    if (this.full) this.surface.setIndex(simply ? this.coarse : this.full);
    this.dots.geometry.setDrawRange(0, simply ? MOVING_DOTS : Infinity);
    this.crossing.geometry.setDrawRange(0, simply ? 0 : Infinity);
    this.fitDepth();
    this.camera.updateMatrixWorld();
    const { t, whole, lamp } = this.surfaceMaterial.uniforms as Record<string, { value: never }>;
    t!.value = this.time as never;
    (whole!.value as Matrix4).multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse);
    (lamp!.value as Vector3).set(0.25, 0.4, 1).normalize().transformDirection(this.camera.matrixWorld);
    for (const p of this.plains) p.material.uniforms.t!.value = this.time;
    this.renderer.render(this.scene, this.camera);
  }

  /** Draws the present state small, for a row of a table. */
  copyInto(target: HTMLCanvasElement): void {
    this.drawNow();
    const from = this.canvas, side = Math.min(from.width / target.width, from.height / target.height);
    const width = target.width * side, height = target.height * side;
    const context = target.getContext("2d")!;
    context.clearRect(0, 0, target.width, target.height);
    context.drawImage(
      from, (from.width - width) / 2, (from.height - height) / 2, width, height, 0, 0, target.width, target.height);
  }

  /** Milliseconds that drawing takes, the least of a few. */
  measure(times = 5): number {
    const pixel = new Uint8Array(4), gl = this.renderer.getContext();
    let least = Infinity;
    for (let i = 0; i < times; i++) {
      const begin = performance.now();
      this.drawNow();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      least = Math.min(least, performance.now() - begin);
    }
    return least;
  }
}

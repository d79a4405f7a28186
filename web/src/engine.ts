// The worker as functions that return promises.
import type {
  ArticulatedExample, ArticulatedOptions, ArticulatedResult, CertificateEntry, Family, Kind, Method, Mode, Model, Motion, NamedFile, Options, Result, Scene, StepOptions, StepResult, Truth,
} from "../package/src/graze";
import EngineWorker from "./worker?worker&inline";

type Waiting = { done(answer: unknown): void; failed(problem: Error): void };

const waiting = new Map<number, Waiting>();
let worker: Worker | null = null;
let last = 0;

function start(): Worker {
  const made = new EngineWorker();
  made.onmessage = (event: MessageEvent<{ id: number; answer?: unknown; problem?: string }>) => {
    const { id, answer, problem } = event.data;
    const call = waiting.get(id);
    waiting.delete(id);
    if (problem === undefined) call?.done(answer);
    else call?.failed(new Error(problem));
  };
  return made;
}

function call<T>(name: string, ...rest: unknown[]): Promise<T> {
  worker ??= start();
  const id = ++last;
  return new Promise<T>((done, failed) => {
    waiting.set(id, { done: done as (answer: unknown) => void, failed });
    worker!.postMessage({ id, call: name, rest });
  });
}

export interface OpenScene {
  id: number;
  scene: Scene;
}

export const engine = {
  about: () => call<{ version: string; isa: string; methods: Method[]; families: Family[]; examples: string[] }>("about"),
  handcrafted: (family: string, kind: "vf" | "ee", index: number) => call<Float64Array>("handcrafted", family, kind, index),
  timed: (kind: Kind, query: Float64Array, options?: Options) => call<{ result: Result; us: number }>("timed", kind, query, options),
  ccd: (kind: Kind, query: Float64Array, options?: Options) => call<Result>("ccd", kind, query, options),
  ccdBatch: (kind: Kind, queries: Float64Array, options?: Options) => call<Result[]>("ccdBatch", kind, queries, options),
  truth: (kind: Kind, query: Float64Array, options?: { separation?: number; tMax?: number }) =>
    call<Truth>("truth", kind, query, options),
  certificate: (kind: Kind, query: Float64Array, options?: Options) =>
    call<{ result: Result; entries: CertificateEntry[] }>("certificate", kind, query, options),
  readQueries: (file: NamedFile) => call<{ queries: Float64Array; truth: Uint8Array | null }>("readQueries", file),
  readScene: (a: NamedFile, b: NamedFile) => call<OpenScene>("readScene", a, b),
  makeScene: (x0: Float64Array, x1: Float64Array, faces: Uint32Array, lines: Uint32Array) =>
    call<OpenScene>("makeScene", x0, x1, faces, lines),
  step: (scene: number, mode: Mode, options?: StepOptions) => call<StepResult>("step", scene, mode, options),
  readMesh: (file: NamedFile) => call<{ vertices: Float64Array; faces: Uint32Array }>("readMesh", file),
  example: (name: string) => call<ArticulatedExample>("example", name),
  openModels: (models: Model[]) => call<number>("openModels", models),
  articulate: (models: number, motions: Motion[], options?: ArticulatedOptions) =>
    call<ArticulatedResult>("articulate", models, motions, options),
  intersections: (scene: number) => call<Uint32Array>("intersections", scene),
};

/** Tests compare what the page computes with the program. */
(globalThis as unknown as { graze: typeof engine }).graze = engine;

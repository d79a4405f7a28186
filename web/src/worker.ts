// The library, in a thread of its own: one message a call, one message back.
import plain from "modules/graze-plain.wasm.gz?url";
import withSimd from "modules/graze.wasm.gz?url";
import { Graze, hasSimd, type Kind, type Model, type Options, type Result, type Scene } from "../package/src/graze";

async function unpacked(dataAddress: string): Promise<ArrayBuffer> {
  const text = atob(dataAddress.slice(dataAddress.indexOf(",") + 1));
  const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

const library = unpacked(hasSimd() ? withSimd : plain).then((bytes) => Graze.load(bytes));
const scenes: Scene[] = [], modelSets: Model[][] = [];

/** Calls of the page beside the methods of Graze: scenes and models stay here and are named by number. */
const sceneCalls: Record<string, (graze: Graze, ...rest: never[]) => unknown> = {
  readScene: (graze, a: never, b: never) => opened(graze.readScene(a, b)),
  makeScene: (graze, x0: never, x1: never, faces: never, lines: never) => opened(graze.makeScene(x0, x1, faces, lines)),
  step: (graze, id: never, mode: never, options: never) => graze.step(scenes[id]!, mode, options),
  intersections: (graze, id: never) => graze.intersections(scenes[id]!),
  openModels: (_, models: never) => modelSets.push(models) - 1,
  articulate: (graze, id: never, motions: never, options: never) => graze.articulate(modelSets[id]!, motions, options),
  about: (graze) => ({ version: graze.version, isa: graze.isa, methods: graze.methods, families: graze.families, examples: graze.examples }),
  timed: (graze, kind: never, query: never, options: never) => timed(graze, kind, query, options),
};

const BATCH_MS = 2, BATCHES = 8;

/** An answer and the time of a call in microseconds: the least mean of a few batches, so that code that is not compiled yet does not count. */
function timed(graze: Graze, kind: Kind, query: Float64Array, options: Options): { result: Result; us: number } {
  const result = graze.ccd(kind, query, options);
  let least = Infinity;
  for (let batch = 0; batch < BATCHES; batch++) {
    const begin = performance.now();
    let calls = 0, spent = 0;
    do {
      graze.ccd(kind, query, options);
      calls++;
      spent = performance.now() - begin;
    } while (spent < BATCH_MS);
    least = Math.min(least, spent / calls);
  }
  return { result, us: 1000 * least };
}

function opened(scene: Scene): { id: number; scene: Scene } {
  return { id: scenes.push(scene) - 1, scene };
}

self.onmessage = async (event: MessageEvent<{ id: number; call: string; rest: unknown[] }>) => {
  const { id, call, rest } = event.data;
  try {
    const graze = await library;
    const special = sceneCalls[call];
    const answer = special
      ? special(graze, ...(rest as never[]))
      : (graze as unknown as Record<string, (...r: unknown[]) => unknown>)[call]!(...rest);
    self.postMessage({ id, answer });
  } catch (problem) {
    self.postMessage({ id, problem: problem instanceof Error ? problem.message : String(problem) });
  }
};

// The raw module: its exports as functions of numbers, and memory helpers. What it exports is in web/module/*.c.

type Exports = Record<string, CallableFunction> & { memory: WebAssembly.Memory; __indirect_function_table: WebAssembly.Table };

const notAnExit = Symbol("longjmp");

/** Imports that the module asks of its host: a clock, an empty environment, and C's setjmp and longjmp. */
function hostImports(get: () => Exports): WebAssembly.Imports {
  let high = 0;
  const invoke = (index: number, ...rest: number[]) => {
    const at = get().stackSave!();
    try {
      return (get().__indirect_function_table.get(index) as CallableFunction)(...rest);
    } catch (thrown) {
      if (thrown !== notAnExit) throw thrown;
      get().stackRestore!(at);
      get().setThrew!(1, 0);
    }
  };
  const env: Record<string, CallableFunction> = {
    getTempRet0: () => high,
    setTempRet0: (value: number) => void (high = value),
    emscripten_notify_memory_growth: () => {},
    _emscripten_throw_longjmp: () => {
      throw notAnExit;
    },
  };
  const wasi: Record<string, CallableFunction> = {
    clock_time_get: (_clock: number, _precision: bigint, out: number) => {
      new DataView(get().memory.buffer).setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    environ_sizes_get: (count: number, size: number) => {
      const view = new DataView(get().memory.buffer);
      view.setUint32(count, 0, true);
      view.setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
  };
  // files are handed over in memory: every other call to the system fails with "not supported"
  const orElse = (table: Record<string, CallableFunction>, other: (name: string) => CallableFunction) =>
    new Proxy(table, { get: (known, name: string) => known[name] ?? other(name) });
  return {
    env: orElse(env, (name) => (name.startsWith("invoke_") ? invoke : () => -52)),
    wasi_snapshot_preview1: orElse(wasi, () => () => 52),
  } as unknown as WebAssembly.Imports;
}

export class RawModule {
  private constructor(private readonly exports: Exports) {}

  static async start(source: BufferSource | WebAssembly.Module): Promise<RawModule> {
    let exports: Exports;
    const imports = hostImports(() => exports);
    const compiled = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    const instance = await WebAssembly.instantiate(compiled, imports);
    exports = instance.exports as unknown as Exports;
    if (!exports.memory || !exports.ccd_batch) throw new TypeError("this is not graze.wasm: it exports no ccd_batch");
    exports._initialize?.();
    return new RawModule(exports);
  }

  call(name: string, ...rest: number[]): number {
    return this.exports[name]!(...rest) as number;
  }

  /** Calls a function that answers 0 on failure. */
  must(name: string, ...rest: number[]): number {
    const answer = this.call(name, ...rest);
    if (!answer) throw this.failure();
    return answer;
  }

  /** Why the last call failed. */
  failure(): Error {
    const text = this.text(this.call("error"));
    return this.call("error_is_of_arguments") ? new RangeError(text) : new Error(text);
  }

  text(at: number): string {
    const bytes = new Uint8Array(this.exports.memory.buffer);
    let end = at;
    while (bytes[end]) end++;
    return new TextDecoder().decode(bytes.subarray(at, end));
  }

  doubles(at: number, count: number): Float64Array {
    return new Float64Array(this.exports.memory.buffer, at, count).slice();
  }

  integers(at: number, count: number): Uint32Array {
    return new Uint32Array(this.exports.memory.buffer, at, count).slice();
  }

  bytes(at: number, count: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, at, count).slice();
  }

  /** Runs `work` with arrays copied into the module; a NUL follows each. They are released afterwards. */
  with<T>(arrays: (ArrayBufferView | number)[], work: (...at: number[]) => T): T {
    const places: number[] = [];
    try {
      for (const array of arrays) places.push(this.place(array));
      return work(...places);
    } finally {
      for (const at of places) this.call("release", at);
    }
  }

  private place(array: ArrayBufferView | number): number {
    const size = typeof array === "number" ? array : array.byteLength;
    const at = size < 2 ** 31 - 1 ? this.call("allocate", size + 1) : 0;
    if (!at) throw new RangeError(`out of memory: ${size} bytes`);
    const target = new Uint8Array(this.exports.memory.buffer, at, size + 1);
    if (typeof array === "number") target.fill(0);
    else {
      target.set(new Uint8Array(array.buffer, array.byteOffset, size));
      target[size] = 0;
    }
    return at;
  }
}

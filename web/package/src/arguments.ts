// Arguments as the module takes them. JavaScript hands over anything: each is converted without loss, or refused by a
// TypeError (wrong kind) or a RangeError (wrong value, wrong length). Arrays come out as copies of our own.

/** Numbers as callers have them. All are converted to doubles, exactly. */
export type Numbers =
  | readonly number[] | Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array | Uint8Array
  | Uint8ClampedArray;

/** Takes one value, or throws an error that names it. */
export type Check<T> = (value: unknown, name: string) => T;
export type Checks<T> = { [K in keyof T]-?: Check<T[K]> };

const typedArrays = Object.getPrototypeOf(Int8Array.prototype) as object;
const tagOf = Object.getOwnPropertyDescriptor(typedArrays, Symbol.toStringTag)!.get!;
/** "Float32Array", …, also for an array of another window; undefined for anything else. */
const typedName = (value: unknown): string | undefined => tagOf.call(value) as string | undefined;

function described(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  const kind = typeof value === "object" ? (typedName(value) ?? "object") : typeof value;
  return `${/^[aeiouI]/.test(kind) ? "an" : "a"} ${kind}`;
}

function wrongKind(value: unknown, name: string, wanted: string): TypeError {
  return new TypeError(`${name} is ${described(value)}; it must be ${wanted}`);
}

// ---- names ----

function changesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

function nearest(name: string, known: readonly string[]): string {
  const word = name.toLowerCase();
  const far = known.map((other) => changesBetween(word, other.toLowerCase()));
  return known[far.indexOf(Math.min(...far))]!;
}

const unknownName = (what: string, name: string, known: readonly string[]): string =>
  `unknown ${what} '${name.slice(0, 40)}': did you mean '${nearest(name.slice(0, 40), known)}'?`;

/** The index of a name in a list. */
export function oneOf(value: unknown, known: readonly string[], what: string): number {
  if (typeof value !== "string") throw wrongKind(value, what, "a string");
  const index = known.indexOf(value);
  if (index < 0) throw new RangeError(unknownName(what, value, known));
  return index;
}

export function text(value: unknown, name: string): string {
  if (typeof value !== "string") throw wrongKind(value, name, "a string");
  return value;
}

// ---- numbers ----

function number(value: unknown, name: string): number {
  if (typeof value !== "number") throw wrongKind(value, name, "a number");
  return value;
}

export function between(low: number, high: number): Check<number> {
  return (value, name) => {
    const x = number(value, name);
    if (!(x >= low && x <= high)) throw new RangeError(`${name} is ${x}; it must be in [${low}, ${high}]`);
    return x;
  };
}

export function whole(low: number, high: number): Check<number> {
  return (value, name) => {
    const x = number(value, name);
    if (!(Number.isInteger(x) && x >= low && x <= high))
      throw new RangeError(`${name} is ${x}; it must be a whole number from ${low} to ${high}`);
    return x;
  };
}

/** A length: finite and not negative. */
export const length = between(0, Number.MAX_VALUE);

// ---- arrays ----

/** An array of numbers as doubles. One whose buffer was given away is refused by the copy itself. */
export function numbers(value: unknown, name: string): Float64Array {
  const kind = typedName(value);
  if (kind?.startsWith("Big")) throw wrongKind(value, name, "an array of numbers");
  if (kind) return new Float64Array(value as Float64Array);
  const list = listOf(value, name, "an array of numbers"), made = new Float64Array(list.length);
  for (let i = 0; i < made.length; i++) made[i] = number(list[i], `${name}[${i}]`);
  return made;
}

/** As many numbers as wanted. */
export function numbersOf(value: unknown, name: string, wanted: number): Float64Array {
  const made = numbers(value, name);
  if (made.length !== wanted) throw new RangeError(`${name} has ${made.length} numbers; it must have ${wanted}`);
  return made;
}

/** Rows of numbers. */
export function rows(value: unknown, name: string, size: number): Float64Array {
  const made = numbers(value, name);
  if (made.length % size) throw new RangeError(`${name} has ${made.length} numbers; it must have ${size} for each`);
  return made;
}

function allFinite(list: Float64Array, name: string): Float64Array {
  const bad = list.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0) throw new RangeError(`${name}[${bad}] is ${list[bad]}; it must be finite`);
  return list;
}

/** Points: three finite numbers each. */
export const points = (value: unknown, name: string): Float64Array => allFinite(rows(value, name, 3), name);

/** As many finite numbers as wanted. */
export const finiteOf = (value: unknown, name: string, wanted: number): Float64Array => allFinite(numbersOf(value, name, wanted), name);

/** Rows of whole numbers below a limit. */
export function indices(value: unknown, name: string, size: number, limit: number): Uint32Array {
  const given = rows(value, name, size), index = whole(0, limit - 1);
  given.forEach((x, i) => index(x, `${name}[${i}]`));
  return Uint32Array.from(given);
}

export function bytes(value: unknown, name: string): Uint8Array {
  if (typedName(value) !== "Uint8Array") throw wrongKind(value, name, "a Uint8Array");
  return new Uint8Array(value as Uint8Array);
}

export function listOf(value: unknown, name: string, wanted = "an array"): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongKind(value, name, wanted);
  return value;
}

// ---- objects ----

export function record(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value) || typedName(value)) throw wrongKind(value, name, "an object");
  return value as Record<string, unknown>;
}

function plainObject(value: unknown, name: string): Record<PropertyKey, unknown> {
  const given = record(value, name), above = Object.getPrototypeOf(given) as object | null;
  if (above && Object.getPrototypeOf(above)) throw new TypeError(`${name} must be a plain object`);
  return given;
}

/** The fields of a plain object, each by its check. undefined counts as left out; an unknown one is an error. */
export function fieldsOf<T>(value: unknown, checks: Checks<T>, what: "option" | "field of a motion"): Partial<T> {
  if (value === undefined) return {};
  const given = plainObject(value, what), taken: Partial<T> = {};
  for (const key of Reflect.ownKeys(given)) {
    if (!Object.hasOwn(checks, key)) throw new TypeError(unknownName(what, String(key), Object.keys(checks)));
    const field = given[key];
    if (field !== undefined) taken[key as keyof T] = checks[key as keyof T](field, String(key));
  }
  return taken;
}

/** Equal to the last bit: 0 and −0 differ. */
export function sameArrays(a: readonly ArrayLike<number>[], b: readonly ArrayLike<number>[]): boolean {
  return a.length === b.length && a.every((list, i) => sameNumbers(list, b[i]!));
}

function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}

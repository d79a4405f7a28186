// The address holds what is looked at: #/page?name=value. Dropped files are not in it: they stay on the machine.

export interface Address {
  page: string;
  values: URLSearchParams;
}

export function readAddress(): Address {
  const [page = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return { page, values: new URLSearchParams(query) };
}

let pending = 0;
let wanted: URLSearchParams | null = null;
addEventListener("hashchange", () => (wanted = null));

/** Writes values of the page that is open, at most a few times a second; null takes one out. */
export function keep(values: Record<string, string | number | null>): void {
  const { page } = readAddress();
  wanted ??= readAddress().values;
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === "") wanted.delete(name);
    else wanted.set(name, String(value));
  }
  if (pending) return;
  pending = window.setTimeout(() => {
    pending = 0;
    if (!wanted) return;
    const query = wanted.toString();
    wanted = null;
    if (readAddress().page === page) history.replaceState(null, "", `#/${page}${query ? `?${query}` : ""}`);
  }, 150);
}

export function number(values: URLSearchParams, name: string, otherwise: number): number {
  const text = values.get(name);
  const value = text === null || text === "" ? NaN : Number(text);
  return Number.isFinite(value) ? value : otherwise;
}

/** Last choice of a reader, for all pages of this place; null where the browser keeps nothing. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`graze-${name}`);
  } catch {
    return null;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`graze-${name}`, value);
  } catch { /* it is forgotten with the page */ }
}

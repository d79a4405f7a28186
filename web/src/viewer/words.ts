// Colors and words that pictures and sentences share.
export const palette = [
  [0.36, 0.55, 0.78], [0.80, 0.72, 0.58], [0.47, 0.68, 0.52], [0.72, 0.56, 0.72], [0.80, 0.62, 0.48], [0.52, 0.70, 0.74],
  [0.66, 0.66, 0.46], [0.62, 0.60, 0.68],
];

export const time = (t: number | null): string => (t === null ? "–" : t === 0 || t >= 1e-3 ? t.toFixed(6) : t.toExponential(3));

/** A small integer as an exponent. */
export const superscript = (k: number): string => [...String(k)].map((d) => (d === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(d)])).join("");

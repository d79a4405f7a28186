// Numbers as the 64 bits that they are: −0 is not 0, and nothing is rounded on the way.
export function bits(x) {
  if (x === null || x === undefined) return "none";
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(x);
  return bytes.toString("hex");
}

export const allBits = (list) => (list ? list.map(bits).join(" ") : "none");

/** A pair of --pairs-out, and one that the package gives, as one text each. */
export const writtenPair = (p) =>
  [p.kind, p.a, p.b, p.verdict, ...[p.toi, p.toi_upper, p.u, p.v].map(bits), allBits(p.point), allBits(p.normal), p.vertices.join(" ")].join();
export const packagePair = ({ kind, a, b, vertices, result: r }) =>
  [kind, a, b, r.verdict, ...[r.toi, r.toiUpper, r.u, r.v].map(bits), allBits(r.point), allBits(r.normal), vertices.join(" ")].join();

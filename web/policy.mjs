// A Content-Security-Policy for a page that is one file: only the scripts and styles that the build put there, by their hashes.
import { createHash } from "node:crypto";

const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const inside = (html, tag) => [...html.matchAll(new RegExp(`<${tag}(?: type="module")?>(.*?)</${tag}>`, "gs"))].map((found) => hashOf(found[1]));

/** Puts the policy first in the head. `rules` are added; those for scripts follow the hashes. */
export function withPolicy(html, { scripts = "", rules = "" } = {}) {
  const styles = inside(html, "style").join(" ") || "'none'", own = inside(html, "script").join(" ");
  const policy = `default-src 'none'; script-src ${own} ${scripts}; style-src ${styles}; img-src data:; base-uri 'none'; form-action 'none'; ${rules}`;
  return html.replace('<meta charset="utf-8">', (meta) => `${meta}<meta http-equiv="Content-Security-Policy" content="${policy.replace(/ +/g, " ").trim()}">`);
}

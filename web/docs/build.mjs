// The documents as a site that works from a disk: the Markdown of the repository, a reference made of the headers, and a
// search over all of it.       node web/docs/build.mjs OUTPUT_FOLDER
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Marked } from "marked";
import { mathOf } from "../formulas.mjs";
import { pieces } from "../highlight.mjs";
import { withPolicy } from "../policy.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const output = process.argv[2] ?? join(root, "build/docs");
const read = (path) => readFileSync(join(root, path), "utf8");
const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
/** The name of a heading, as sites that show the repository make it: links lead to it there and here. */
const slug = (text) => text.toLowerCase().replace(/<[^>]*>|&[^;]*;/g, "").replace(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");

// ---- pages ----

const pagesOf = (folder) => readdirSync(join(root, folder)).filter((n) => n.endsWith(".md")).sort((a, b) => a.localeCompare(b, "en", { numeric: true })).map((n) => `${folder}/${n}`);
/** In the order of reading; documents that are not named follow. */
const first = ["docs/start.md", "README.md", "docs/integration.md", "docs/methods.md", "docs/numerics.md", ...pagesOf("docs/numerics"), "docs/certificates.md", "docs/datasets.md"];
const last = ["docs/benchmarks.md", "docs/architecture.md", "test/promises.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];
const others = pagesOf("docs").filter((n) => !first.includes(n) && !last.includes(n));
const headers = readdirSync(join(root, "include/graze")).filter((n) => n.endsWith(".h") && n !== "graze.h").map((n) => `include/graze/${n}`);
const sources = [...first, ...others, ...last];

const pageOf = (path) => {
  const name = basename(path);
  if (name === "README.md") return path.includes("web/package") ? "package.html" : "about.html";
  if (name === "start.md") return "index.html";
  if (name.endsWith(".h")) return `reference-${name.slice(0, -2)}.html`;
  return `${path.replace(/^docs\//, "").replaceAll("/", "-").slice(0, -3).toLowerCase()}.html`;
};

/** Documents link to each other by their place in the repository. */
function linkOf(address, from) {
  const [path, anchor] = address.split("#");
  if (/^[a-z]+:/.test(address)) return address;
  if (!path) return `#${anchor}`;
  const whole = new URL(path, `file:///${from}`).pathname.slice(1);
  const known = sources.includes(whole) || headers.includes(whole) || whole === "web/package/README.md";
  return known ? pageOf(whole) + (anchor ? `#${anchor}` : "") : null;
}

const index = []; // what the search looks through

/** A column whose cells are numbers, with a unit or a sign. */
const isNumber = (cell) => /^[−–\-+<≤~]?\s?\d[\d.,  ]*(e[−+-]?\d+)?\s?(%|×|x|ms|µs|ns|s|K|M|G|KB|MB|GB)?$/.test(cell.text.replace(/[`*]/g, "").trim()) || /^[–—-]?$/.test(cell.text.trim());
const numberColumns = ({ header, rows }) =>
  header.map((_, i) => rows.length > 0 && rows.every((r) => isNumber(r[i])) && rows.some((r) => /\d/.test(r[i].text)));

/** Pictures of the repository go into the page. */
function pictureOf(address, from) {
  const type = { svg: "image/svg+xml", png: "image/png" }[address.split(".").pop()];
  const path = new URL(address, `file:///${from}`).pathname.slice(1);
  return `data:${type};base64,${readFileSync(join(root, path)).toString("base64")}`;
}

function render(text, from, title) {
  const seen = new Set(), headings = [];
  let section = { page: pageOf(from), on: title, id: "", title, text: "" };
  index.push(section);
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        let id = slug(html);
        while (seen.has(id)) id += "-";
        seen.add(id);
        if (depth === 2 || (depth === 3 && from.endsWith(".h"))) headings.push({ id, html });
        return `<h${depth} id="${id}">${html}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const target = linkOf(href, from), inner = this.parser.parseInline(tokens);
        return target === null ? inner : `<a href="${escape(target)}"${/^https?:/.test(target) ? ' rel="noreferrer"' : ""}>${inner}</a>`;
      },
      code({ text, lang }) { // what is indented is for the shell
        if (lang === "math") return `<div class="formula">${mathOf(text, true)}</div>\n`;
        const colored = pieces(text, lang ?? "sh").map(([name, part]) => (name ? `<span class="code-${name}">${escape(part)}</span>` : escape(part)));
        return `<pre tabindex="0"><code>${colored.join("")}\n</code></pre>\n`;
      },
      image: ({ href, text: says }) => `<img src="${pictureOf(href, from)}" alt="${escape(says)}">`,
      table(token) {
        const right = numberColumns(token);
        const row = (cells, tag) =>
          `<tr>${cells.map((c, i) => `<${tag}${right[i] ? ' class="number"' : ""}>${this.parser.parseInline(c.tokens)}</${tag}>`).join("")}</tr>`;
        return `<div class="scroll"><table><thead>${row(token.header, "th")}</thead><tbody>${token.rows.map((r) => row(r, "td")).join("")}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(text);
  for (const part of html.split(/(?=<h[1-6] id=)/)) {
    const head = part.match(/^<h[1-6] id="([^"]*)">(.*?)<\/h/s);
    if (head) index.push((section = { page: pageOf(from), on: title, id: head[1], title: plain(head[2]), text: "" }));
    section.text += ` ${plain(part)}`;
  }
  return html.replace(/(?<=<\/h1>\n)/, contentsOf(headings));
}

/** Contents of a page, for below its title. */
function contentsOf(headings) {
  if (headings.length < 3) return "";
  const items = headings.map(({ id, html }) => `<li><a href="#${id}">${html.replace(/<\/?a\b[^>]*>/g, "")}</a></li>`);
  return `<details class="contents"><summary>on this page</summary><ul>${items.join("")}</ul></details>\n`;
}

const named = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" };
const plain = (html) => html.replace(/<[^>]*>/g, " ").replace(/&(lt|gt|amp|quot|#39);/g, (_, n) => named[n]).replace(/\s+/g, " ").trim();

// ---- the reference ----

/** Name that a declaration declares. */
function nameOf(declaration) {
  const bare = declaration.replace(/\/\/.*$/gm, "");
  const patterns = [/^GRAZE_DEFAULTS\(\w+,\s*(\w+)/, /^#define\s+(\w+)/, /}\s*(\w+);/, /^typedef [^(;]*?(\w+)\(/, /^typedef [^;]*?(\w+);/, /(\w+)\s*\(/];
  return patterns.map((p) => bare.match(p)?.[1]).find(Boolean) ?? bare.split("\n")[0];
}

/** A header as sections: each declaration, and the comment above it. */
function referenceOf(path) {
  const out = [], lines = read(path).split("\n");
  let comment = [], code = [], depth = 0, intro = true;
  const flush = () => {
    const text = code.join("\n").trim();
    if (text && !/^(#(?!define GRAZE)|extern "C"|}$)/.test(text)) {
      const title = nameOf(text);
      out.push(`### ${title}\n\n${comment.join("\n").replace(/^@param (\w+)/gm, "- **$1**:")}\n\n\`\`\`c\n${text.replace(/^GRAZE_API /gm, "").replace(/\/\/\/</g, "//").replace(/\/\/\//g, "//")}\n\`\`\`\n`);
    } else if (comment.length && intro) out.push(`${comment.join("\n")}\n`);
    intro = false;
    comment = [];
    code = [];
  };
  for (const line of lines) {
    const says = line.match(/^\/\/\/ ?(.*)$/);
    if (says && depth === 0 && !code.length) comment.push(says[1]);
    else if (/^\s*$/.test(line) && depth === 0) flush();
    else if (/^(#(if|endif|include|else|elif|error|define GRAZE_(\w+_H|API|DEFAULTS)\b)|extern "C"|}\s*$)/.test(line) && depth === 0) flush();
    else {
      code.push(line);
      depth += (line.match(/{/g) ?? []).length - (line.match(/}/g) ?? []).length;
      if (depth === 0 && /[;)]\s*(\/\/.*)?$/.test(line) && /;|^GRAZE_DEFAULTS/.test(code.join(" "))) flush();
    }
  }
  flush();
  return `# graze/${basename(path)}\n\n${out.join("\n")}`;
}

// ---- the site ----

const titleOf = (text, path) => text.match(/^# (.*)$/m)?.[1].replace(/`/g, "") ?? basename(path);
const documents = [...sources.map((path) => [path, read(path)]), ["web/package/README.md", read("web/package/README.md")],
  ...headers.map((path) => [path, referenceOf(path)])].map(([path, text]) => ({ path, text, page: pageOf(path), title: path === "README.md" ? "What graze is" : path === "web/package/README.md" ? "JavaScript" : titleOf(text, path) }));
const style = read("web/docs/docs.css"), script = read("web/docs/page.js");

/** The tables at the end of the README name the groups of the list of pages, and what is in each. */
function groupsOf(readme) {
  const groups = new Map(), used = new Set();
  let group = null;
  const add = (name, path) => {
    const document = documents.find((d) => d.path === path);
    if (!document || used.has(document)) return;
    used.add(document);
    groups.set(name, [...(groups.get(name) ?? []), document]);
    if (path === "docs/numerics.md") for (const section of pagesOf("docs/numerics")) add(name, section);
  };
  add("graze", "README.md");
  for (const line of readme.split("## Documents")[1].split("\n")) {
    group = line.match(/^\| (\w+) \| \|$/)?.[1] ?? (line.startsWith("|") ? group : "project");
    for (const [, address] of line.matchAll(/\]\(([^)#]+\.md)[^)]*\)/g)) add(group, address);
  }
  for (const { path } of documents) add(path.endsWith(".h") ? "C headers" : "more", path);
  return groups;
}
const groups = groupsOf(read("README.md"));

function pageHtml(document, body) {
  const link = (d) => `<li><a href="${d.page}"${d === document ? ' aria-current="page"' : ""}>${escape(d.title)}</a></li>`;
  const links = [...groups].map(([name, pages]) => `<h2>${name}</h2><ul>${pages.map(link).join("")}</ul>`).join("");
  // a phone shows the page before the list of pages
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escape(document.title)} – graze</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><header><p class="name"><a href="index.html">graze</a></p><label>search <input type="search" id="search"></label>
<ol id="found" aria-live="polite"></ol><p class="to-pages"><a href="#pages">all pages</a></p></header>
<main>${body}</main><nav id="pages" aria-label="pages">${links}</nav><script>${script}</script></body></html>
`;
  return withPolicy(html, { scripts: "'strict-dynamic'" });
}

mkdirSync(output, { recursive: true });
for (const document of documents) writeFileSync(join(output, document.page), pageHtml(document, render(document.text, document.path, document.title)));
writeFileSync(join(output, "index.js"), `const sections = ${JSON.stringify(index.filter((s) => s.text.trim())).replaceAll("<", "\\u003c")};\n`);
console.log(join(output, "index.html"));

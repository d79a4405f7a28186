// Code as pieces, each with the name of a color: "comment", "string", "number", "word", or "" for the rest.

const words = {
  c: "auto break case char const continue default do double else enum extern float for goto if inline int long register return short signed sizeof static struct switch typedef union unsigned void volatile while bool size_t uint32_t uint64_t NULL true false",
  cpp: "namespace using class template typename public private new delete constexpr noexcept nullptr try catch throw operator override",
  python: "and as assert break class continue def del elif else except finally for from global if import in is lambda None not or pass raise return True False try while with yield",
  sh: "if then else elif fi for in do done while case esac function export set exit cd",
  js: "async await break case catch class const continue default else export extends finally for from function if import in instanceof let new null of return static switch this throw try type typeof undefined var void while interface true false",
  cmake: "if else elseif endif foreach endforeach function endfunction set add_executable add_library add_subdirectory target_link_libraries find_package include project cmake_minimum_required FetchContent_Declare FetchContent_MakeAvailable",
  json: "true false null",
};
const c = /(?<comment>\/\*.*?\*\/|\/\/[^\n]*|^[ \t]*#\w+[^\n]*)|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?<number>\b(?:0x[\da-f.]+(?:p[-+]?\d+)?|\d[\d.]*(?:e[-+]?\d+)?)[a-z]{0,3}\b)|(?<word>[A-Za-z_]\w*)/gimsu;
const js = /(?<comment>\/\*.*?\*\/|\/\/[^\n]*)|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|(?<number>\b\d[\d.]*(?:e[-+]?\d+)?\b)|(?<word>[A-Za-z_]\w*)/gimsu;
const hash = /(?<comment>#[^\n]*)|(?<string>"""[^]*?"""|f?"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?<number>\b\d[\d.]*(?:e[-+]?\d+)?\b)|(?<word>[A-Za-z_]\w*)/gimu;
const shell = /(?<comment>(?<=^|\s)#[^\n]*)|(?<string>"(?:\\.|[^"\\])*"|'[^']*')|(?<word>(?<![-.\w/])[A-Za-z_]\w*(?![-.\w/]))/gimu;
const grammars = { c, cpp: c, python: hash, cmake: hash, sh: shell, js, ts: js, json: js };

/** Pieces of a text, in order; all of it without a name where the language is not known. */
export function pieces(text, language) {
  const grammar = grammars[language];
  if (!grammar) return [["", text]];
  const known = new Set([words[language] ?? words.js, language === "cpp" ? words.c : ""].join(" ").split(" ")), out = [];
  let at = 0;
  for (const found of text.matchAll(grammar)) {
    const name = Object.entries(found.groups).find(([, part]) => part !== undefined)[0];
    if (name === "word" && !known.has(found[0])) continue;
    if (found.index > at) out.push(["", text.slice(at, found.index)]);
    out.push([name, found[0]]);
    at = found.index + found[0].length;
  }
  if (at < text.length) out.push(["", text.slice(at)]);
  return out;
}

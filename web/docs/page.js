// The search, and buttons that copy blocks of code. The index is loaded when it is first asked for.
const found = document.getElementById("found"), search = document.getElementById("search");

/** One spelling for words that have two: British and American, -ise and -ize, doubled l. */
const spelled = (text) => text.toLowerCase().replace(/licence/g, "license").replace(/colour/g, "color").replace(/behaviour/g, "behavior")
  .replace(/neighbour/g, "neighbor").replace(/centre/g, "center").replace(/grey/g, "gray")
  .replace(/ll(ing|ed|er)\b/g, "l$1").replace(/is(e|ed|es|ing|ation)\b/g, "iz$1");

let loading = null;
function loaded() {
  loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = "index.js";
    script.onload = () => done(sections.map((s) => ({ ...s, inTitle: spelled(s.title), inText: spelled(s.text) })));
    script.onerror = failed;
    document.head.append(script);
  });
  return loading;
}

/** Sections that hold every word, those with them in their title first. */
function best(all, words) {
  const scored = all.filter((s) => words.every((w) => s.inTitle.includes(w) || s.inText.includes(w))).map((s) => ({
    s, score: words.reduce((sum, w) => sum + (s.inTitle.includes(w) ? 20 : 0) + Math.min(10, s.inText.split(w).length - 1), 0) }));
  return scored.sort((a, b) => b.score - a.score).slice(0, 20).map(({ s }) => s);
}

function element(tag, name, text) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.textContent = text;
  return made;
}

function resultOf(section, word) {
  const item = document.createElement("li"), link = element("a", "", section.title);
  link.href = `${section.page}${section.id ? `#${section.id}` : ""}`;
  const at = Math.max(0, section.inText.indexOf(word) - 40);
  item.append(link, element("span", "page", section.on === section.title ? "" : ` in ${section.on}`), element("span", "part", section.text.slice(at, at + 110)));
  return item;
}

async function answer() {
  const words = spelled(search.value).split(/\s+/).filter(Boolean), all = words.length ? await loaded() : [];
  if (words.join(" ") !== spelled(search.value).split(/\s+/).filter(Boolean).join(" ")) return; // more was typed meanwhile
  const hits = best(all, words);
  found.replaceChildren(...hits.map((s) => resultOf(s, words[0])));
  if (words.length && !hits.length) found.append(element("li", "none", "no hits"));
}
search.addEventListener("input", () => void answer());

for (const block of document.querySelectorAll("main pre")) {
  const button = element("button", "copy", "copy");
  button.type = "button";
  button.addEventListener("click", async () => {
    const said = await navigator.clipboard.writeText(block.querySelector("code").textContent).then(() => "copied", () => "not allowed");
    button.textContent = said;
    setTimeout(() => (button.textContent = "copy"), 1500);
  });
  const frame = element("div", "block", "");
  block.replaceWith(frame);
  frame.append(block, button);
}

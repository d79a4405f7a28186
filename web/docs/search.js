// Sections that hold every word, those with them in their title first.
const found = document.getElementById("found");
document.getElementById("search").addEventListener("input", (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = words.length ? sections.map((s) => {
    const title = s.title.toLowerCase(), text = s.text.toLowerCase();
    if (!words.every((w) => title.includes(w) || text.includes(w))) return null;
    const score = words.reduce((sum, w) => sum + (title.includes(w) ? 20 : 0) + Math.min(10, text.split(w).length - 1), 0);
    return { s, score };
  }).filter(Boolean).sort((a, b) => b.score - a.score).slice(0, 20) : [];
  found.replaceChildren(...scored.map(({ s }) => {
    const item = document.createElement("li"), link = document.createElement("a"), part = document.createElement("span");
    link.href = `${s.page}${s.id ? `#${s.id}` : ""}`;
    link.textContent = s.title;
    const at = Math.max(0, s.text.toLowerCase().indexOf(words[0]) - 40);
    part.textContent = ` ${s.text.slice(at, at + 110)}`;
    item.append(link, part);
    return item;
  }));
});

"use strict";
/* Tables sort by a click on a column; plots become interactive where uPlot is on the page. */

function sortTable(table, column, ascending) {
  const body = table.tBodies[0];
  const value = (row) => {
    const cell = row.cells[column];
    if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
    return cell.classList.contains("none") ? null : cell.textContent;
  };
  const compare = (a, b) => {
    const x = value(a), y = value(b);
    if (x === null || y === null) return (x === null) - (y === null); /* what is not known comes last, either way */
    const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
    return ascending ? order : -order;
  };
  Array.from(body.rows).sort(compare).forEach((row) => body.append(row));
  Array.from(table.tHead.rows[0].cells).forEach((cell, i) => {
    if (i === column) cell.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    else cell.removeAttribute("aria-sort");
  });
}

document.querySelectorAll("table").forEach((table) => {
  Array.from(table.tHead.rows[0].cells).forEach((cell, column) => {
    cell.querySelector("button").addEventListener("click", () =>
      sortTable(table, column, cell.getAttribute("aria-sort") !== "ascending"));
  });
});

/* ---- plots ---- */

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const label = (axis) => (axis.unit ? `${axis.title} (${axis.unit})` : axis.title);

function short(x) {
  if (x === null || x === undefined) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size < 1e5 && size >= 1e-3) return String(Number(x.toPrecision(4)));
  return x.toExponential(2).replace("e+", "e").replace(/\.?0+e/, "e");
}

/* One column of x for all series; what a series lacks there is undefined, so that its line goes on. */
function columns(plot) {
  const usable = (axis, v) => v !== null && (!axis.log || v > 0);
  const all = new Set();
  plot.series.forEach((s) => s.x.forEach((x) => usable(plot.x, x) && all.add(x)));
  const xs = Array.from(all).sort((a, b) => a - b);
  return [xs].concat(plot.series.map((s) => {
    const at = new Map(s.x.map((x, i) => [x, s.y[i]]));
    return xs.map((x) => (at.has(x) ? (usable(plot.y, at.get(x)) ? at.get(x) : null) : undefined));
  }));
}

function axisOptions(axis, vertical) {
  const decade = (t) => Math.abs(Math.log10(t) - Math.round(Math.log10(t))) < 1e-9;
  const grid = { stroke: colour("--line"), width: 1 };
  if (axis.log) grid.filter = (_, splits) => splits.map((t) => (decade(t) ? t : null));
  return {
    label: label(axis),
    labelSize: 22,
    size: vertical ? 62 : 34,
    stroke: colour("--soft"),
    grid,
    ticks: grid,
    values: (_, ticks) => ticks.map((t) => (t === null ? "" : short(t))),
  };
}

function draw(figure, plot, width) {
  const data = columns(plot);
  const stepped = plot.mark === "histogram" ? uPlot.paths.stepped({ align: 1 }) : undefined;
  const options = {
    width,
    padding: [8, 22, 0, 0],
    height: Math.max(260, Math.min(360, Math.round(width * 0.5))),
    scales: {
      x: { time: false, distr: plot.x.log ? 3 : 1 },
      y: plot.y.log ? { distr: 3 } : { range: (_, low, high) => [Math.min(0, low), high > low ? high * 1.05 : low + 1] },
    },
    axes: [axisOptions(plot.x, false), axisOptions(plot.y, true)],
    legend: { live: true },
    cursor: { drag: { x: true, y: false }, focus: { prox: 24 } },
    focus: { alpha: 0.3 },
    series: [{ label: label(plot.x), value: (_, v) => short(v) }].concat(plot.series.map((s, i) => ({
      label: s.name,
      stroke: colour(`--c${i % 10}`),
      width: 1.8,
      dash: i >= 10 ? [5, 4] : undefined,
      paths: stepped,
      points: { show: plot.mark !== "histogram", size: 6 },
      spanGaps: false,
      value: (_, v) => short(v),
    }))),
  };
  return new uPlot(options, data, figure);
}

function makeLive() {
  const plots = new Map(JSON.parse(document.getElementById("report").textContent).plots.map((p) => [p.id, p]));
  const redraws = [];
  document.querySelectorAll("figure.plot").forEach((figure) => {
    const holder = document.createElement("div");
    holder.className = "live";
    const hint = document.createElement("p");
    hint.className = "hint";
    hint.textContent = "Drag to zoom, double-click to see all; a click on a name hides or shows it.";
    figure.append(holder, hint);
    figure.classList.add("has-live");
    let shown = null;
    const redraw = () => {
      if (shown) shown.destroy();
      const width = holder.clientWidth || figure.clientWidth || 320;
      shown = draw(holder, plots.get(figure.dataset.plot), width);
    };
    redraw();
    redraws.push(redraw);
  });
  const all = () => redraws.forEach((redraw) => redraw());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", all);
  let width = innerWidth, pending = 0;
  addEventListener("resize", () => {
    if (innerWidth === width) return; /* a phone's address bar changes the height only */
    width = innerWidth;
    clearTimeout(pending);
    pending = setTimeout(all, 150);
  });
}

if (typeof uPlot !== "undefined") makeLive();

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

/* One column of x for all series. What a series lacks there is undefined, so that its line goes on; null is a gap.
   Logarithms are taken here and not by the library: separations go down to 1e-100, beyond what its own scale takes. */
function columns(plot) {
  const usable = (axis, v) => v !== null && (!axis.log || v > 0);
  const place = (axis, v) => (axis.log ? Math.log10(v) : v);
  const all = new Set();
  plot.series.forEach((s) => s.x.forEach((x) => usable(plot.x, x) && all.add(x)));
  const xs = Array.from(all).sort((a, b) => a - b);
  return [xs.map((x) => place(plot.x, x))].concat(plot.series.map((s) => {
    const at = new Map(s.x.map((x, i) => [x, s.y[i]]));
    const y = (x) => (usable(plot.y, at.get(x)) ? place(plot.y, at.get(x)) : null);
    return xs.map((x) => (at.has(x) ? y(x) : undefined));
  }));
}

const shownValue = (axis) => (_, v) => (v === null || v === undefined ? "–" : short(axis.log ? 10 ** v : v));

function axisOptions(axis, vertical) {
  const options = {
    label: label(axis),
    labelSize: 22,
    size: vertical ? 62 : 34,
    stroke: colour("--soft"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1 },
    values: (_, ticks) => ticks.map((t) => short(axis.log ? 10 ** t : t)),
  };
  if (axis.log) options.incrs = [1, 2, 5, 10, 20, 50]; /* whole decades */
  return options;
}

/* Whole decades around the values; from zero on a linear axis of heights. */
function heights(axis) {
  if (axis.log) return (_, low, high) => (low === null ? [0, 1] : [Math.floor(low), Math.max(Math.ceil(high), Math.floor(low) + 1)]);
  return (_, low, high) => (low === null ? [0, 1] : [Math.min(0, low), high > Math.min(0, low) ? high * 1.05 : 1]);
}

function draw(figure, plot, width) {
  const data = columns(plot);
  const histogram = plot.mark === "histogram";
  const options = {
    width,
    padding: [8, 22, 0, 0],
    height: Math.max(260, Math.min(360, Math.round(width * 0.5))),
    scales: { x: { time: false }, y: { range: heights(plot.y) } },
    axes: [axisOptions(plot.x, false), axisOptions(plot.y, true)],
    legend: { live: true },
    cursor: { drag: { x: true, y: false }, focus: { prox: 24 } },
    focus: { alpha: 0.3 },
    series: [{ label: label(plot.x), value: shownValue(plot.x) }].concat(plot.series.map((s, i) => ({
      label: s.name,
      stroke: colour(`--c${i % 10}`),
      width: 1.8,
      dash: i >= 10 ? [5, 4] : undefined,
      paths: histogram ? uPlot.paths.stepped({ align: 1 }) : undefined,
      points: { show: !histogram, size: 6 },
      value: shownValue(plot.y),
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

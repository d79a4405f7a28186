"use strict";
/* Tables sort by a click on a column; a name in a legend shows its series. */

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

/* A name in a legend, pointed at or chosen, stands out in all panels of its figure. */
document.querySelectorAll("figure").forEach((figure) => {
  let chosen = null;
  const show = (name) =>
    figure.querySelectorAll(".panels .series").forEach((series) =>
      series.classList.toggle("quiet", name !== null && series.dataset.name !== name));
  figure.querySelectorAll(".legend button").forEach((button) => {
    const name = button.textContent;
    button.addEventListener("mouseenter", () => show(name));
    button.addEventListener("mouseleave", () => show(chosen));
    button.addEventListener("click", () => {
      chosen = chosen === name ? null : name;
      show(chosen);
    });
  });
});

"use strict";

// A click on a head sorts by that column: first up (numbers: down), then the other way.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  heads.forEach((head, column) => {
    const button = head.querySelector("button");
    if (button) button.addEventListener("click", () => sort(table, heads, head, column));
  });
}

function sort(table, heads, head, column) {
  const isNumber = head.classList.contains("number");
  const before = head.getAttribute("aria-sort");
  const first = isNumber ? "descending" : "ascending";
  const second = isNumber ? "ascending" : "descending";
  const order = before === first ? second : first;
  for (const other of heads) other.setAttribute("aria-sort", "none");
  head.setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  const rows = [...table.tBodies[0].rows].map((row) => [row, row.cells[column].dataset.value]);
  rows.sort(([, a], [, b]) => {
    if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
    return sign * (isNumber ? a - b : a.localeCompare(b, "en", { numeric: true }));
  });
  table.tBodies[0].append(...rows.map(([row]) => row));
  say(`${table.caption.textContent}: sorted by ${head.textContent}, ${order}`);
}

for (const box of document.querySelectorAll("input[data-hides-near]")) {
  const table = document.getElementById(box.dataset.hidesNear);
  const count = document.querySelector(`output[data-counts="${table.id}"]`);
  const update = () => {
    table.classList.toggle("hide-near", box.checked);
    const rows = [...table.tBodies[0].rows];
    const shown = rows.filter((row) => !box.checked || !row.classList.contains("near"));
    count.textContent = `${shown.length} of ${rows.length} shown`;
  };
  box.addEventListener("change", update);
  update();
}

function say(text) {
  document.getElementById("said").textContent = text;
}

// SPDX-License-Identifier: MIT
// Tables of class "data" can be sorted by a click on a column's head, filtered, and saved as they are shown.
import { element } from "./elements.js";
import { FORMATS, saveTable } from "./table_texts.js";

export function startSortedTables() {
  for (const table of document.querySelectorAll("table.data")) equip(table);
}

function equip(table) {
  const rows = [...table.tBodies[0].rows];
  [...table.tHead.rows[0].cells].forEach((cell, column) => makeSortable(table, rows, cell, column));
  const buttons = Object.keys(FORMATS).map((format) => {
    const button = element("button", { type: "button", textContent: format });
    button.addEventListener("click", () => saveTable(table.dataset.name ?? "table", format, contents(table)));
    return button;
  });
  const bar = element("p", { className: "tools" }, ...filter(rows), "Take away as ", ...buttons);
  table.closest(".scroll").before(bar);
}

function makeSortable(table, rows, cell, column) {
  const button = element("button", { type: "button" }, ...cell.childNodes);
  cell.append(button);
  button.addEventListener("click", () => {
    const sign = cell.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    cell.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    const sorted = rows.toSorted((a, b) => sign * compare(sortKey(a.cells[column]), sortKey(b.cells[column])));
    table.tBodies[0].append(...sorted);
  });
}

/** A field that hides the rows without its words, and how many rows are left. */
function filter(rows) {
  const field = element("input", { type: "search" });
  const count = element("output");
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    const left = rows.filter((row) => !row.hidden).length;
    count.textContent = words.length ? `${left} of ${rows.length}` : "";
  });
  return [element("label", {}, "Rows with ", field), count];
}

/** The key that sorts a cell: the number that it holds or begins with, else its text. */
function sortKey(cell) {
  const text = cell.dataset.value ?? cell.textContent.trim();
  const number = parseFloat(text.replace("−", "-"));
  return Number.isNaN(number) ? text : number;
}

function compare(a, b) {
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return typeof a === "number" ? a - b : a.localeCompare(b);
}

/** The head and the rows that are not filtered out, as texts; and which columns hold numbers. */
function contents(table) {
  const texts = (row) => [...row.cells].map((cell) => cell.innerText.replace(/\s+/g, " ").trim());
  const head = table.tHead.rows[0];
  const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden).map(texts);
  return { head: texts(head), rows, numbers: [...head.cells].map((cell) => cell.classList.contains("number")) };
}

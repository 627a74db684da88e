// SPDX-License-Identifier: MIT
// Tables of class "data": bars in their cells, and DataTables for sorting, searching, choosing columns and paging.
// The library is read once the figures are drawn; folded tables wait until they are unfolded.
import { FORMATS, saveTable } from "../shared/table_texts.js";
import { onAllDrawn, whenIdle } from "./charts.js";

const PAGE_ROWS = 15;
const drawnListeners = [];
const library = () => document.getElementById("tables-library");

/** Call `listener` each time after a table's rows have been drawn. */
export function onTableDrawn(listener) {
  drawnListeners.push(listener);
}

export function startTables() {
  if (!library()) return;
  onAllDrawn(() => whenIdle(equipShown));
  document.addEventListener("toggle", equipShown, true);
  addEventListener("beforeprint", () => {
    for (const table of document.querySelectorAll("table.dataTable")) api(table).page.len(-1).draw();
  });
}

function equipShown() {
  for (const table of document.querySelectorAll("table.data:not([data-equipped])")) {
    if (table.offsetParent) equip(table);
  }
}

const api = (table) => new window.DataTable.Api(table);

function loadLibrary() {
  if (window.DataTable) return;
  document.getElementById("tables-style").media = "all";
  const script = document.createElement("script");
  script.nonce = document.querySelector("script[nonce]").nonce;
  script.textContent = library().textContent;
  document.head.append(script);
}

/** Take a table from the library, so that its columns can change; `equip` gives it back. */
export function strip(table) {
  if (table.dataset.equipped === undefined) return;
  api(table).destroy();
  delete table.dataset.equipped;
}

export function equip(table) {
  if (!library()) return;
  loadLibrary();
  drawBars(table);
  table.closest(".scroll")?.removeAttribute("tabindex");
  const equipped = new window.DataTable(table, options(table));
  table.dataset.equipped = "";
  const drawn = () => {
    // Each table's pages need a name of their own.
    for (const nav of table.closest(".dt-container").querySelectorAll("nav")) {
      nav.setAttribute("aria-label", `Pages of ${nameOf(table)}`);
    }
    for (const listener of drawnListeners) listener();
  };
  equipped.on("draw", drawn);
  drawn();
}

const nameOf = (table) => table.dataset.name ?? "table";

function options(table) {
  const paged = table.tBodies[0].rows.length > PAGE_ROWS && table.dataset.paged !== "no";
  const buttons = Object.keys(FORMATS).map((format) => ({
    text: format,
    action: (_, rows) => saveTable(nameOf(table), format, contents(rows)),
  }));
  return {
    order: [],
    paging: paged,
    info: paged,
    pageLength: PAGE_ROWS,
    lengthMenu: [PAGE_ROWS, 50, 200, { label: "all", value: -1 }],
    autoWidth: false,
    language: { search: "Search:", lengthMenu: "_MENU_ rows a page" },
    layout: {
      topStart: { buttons: [{ extend: "colvis", text: "Columns" }, ...buttons] },
      topEnd: "search",
      bottomStart: paged ? ["pageLength", "info"] : null,
      bottomEnd: paged ? "paging" : null,
    },
  };
}

/** Sort cells by the number that they begin with; each cell's bar is its share of the column's largest number. */
function drawBars(table) {
  const rows = [...table.tBodies[0].rows];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (!head.classList.contains("number")) return;
    const cells = rows.map((row) => row.cells[column]);
    const numbers = cells.map((cell) => parseFloat(cell.textContent.trim().replace("−", "-")));
    const most = Math.max(...numbers.filter(Number.isFinite));
    cells.forEach((cell, i) => {
      cell.dataset.order ??= Number.isFinite(numbers[i]) ? numbers[i] : -Number.MAX_VALUE;
      if (!head.classList.contains("bars") || !(most > 0) || !(numbers[i] >= 0)) return;
      cell.style.setProperty("--most", `${((100 * numbers[i]) / most).toFixed(1)}%`);
    });
  });
}

/** The head and the rows that a search leaves, as texts of the shown columns; and which columns hold numbers. */
function contents(rows) {
  const text = (cell) => cell.textContent.replace(/\s+/g, " ").trim();
  const columns = rows.columns(":visible").indexes().toArray();
  const heads = columns.map((column) => rows.column(column).header());
  const numbers = rows.rows({ search: "applied", order: "applied" }).indexes().toArray();
  return {
    head: heads.map(text),
    rows: numbers.map((row) => columns.map((column) => text(rows.cell(row, column).node()))),
    numbers: heads.map((head) => head.classList.contains("number")),
  };
}

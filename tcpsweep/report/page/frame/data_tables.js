// SPDX-License-Identifier: MIT
// Tables of class "data": bars in their cells, and DataTables for sorting, searching, choosing columns and paging.
// The library is read once the figures are drawn; folded tables wait until they are unfolded.
const FORMATS = { Markdown: [markdown, "md", "text/markdown"], LaTeX: [latex, "tex", "application/x-tex"] };
const PAGE_ROWS = 15;
let whenTableDrawn = () => {};

function startTables() {
  const library = document.getElementById("tables-library");
  if (!library) return;
  const equipOpen = () => {
    for (const table of document.querySelectorAll("table.data:not([data-equipped])")) if (table.offsetParent) equip(table, library);
  };
  whenDrawn = () => soon(equipOpen);
  document.addEventListener("toggle", equipOpen, true);
  addEventListener("beforeprint", () => { for (const table of document.querySelectorAll("table.dataTable")) new window.DataTable.Api(table).page.len(-1).draw(); });
}
function loadTables(library) {
  if (window.DataTable) return;
  document.getElementById("tables-style").media = "all";
  const script = document.createElement("script");
  script.textContent = library.textContent;
  document.head.append(script);
}
function equip(table, library) {
  loadTables(library);
  bars(table);
  const name = table.dataset.name ?? "table", around = table.closest(".scroll");
  around?.removeAttribute("tabindex");
  const paged = table.tBodies[0].rows.length > PAGE_ROWS && table.dataset.paged !== "no";
  const save = ([format, [make, ending, type]]) => ({
    text: format, action: (_, api) => download(make(contents(api, table)), `${name}.${ending}`, type),
  });
  const own = new window.DataTable(table, {
    order: [], paging: paged, info: paged, pageLength: PAGE_ROWS, lengthMenu: [PAGE_ROWS, 50, 200, { label: "all", value: -1 }],
    autoWidth: false, language: { search: "Search:", lengthMenu: "_MENU_ rows a page" },
    layout: {
      topStart: { buttons: [{ extend: "colvis", text: "Columns" }, { extend: "csv", text: "CSV", filename: name, exportOptions: { columns: ":visible" } }, ...Object.entries(FORMATS).map(save)] },
      topEnd: "search", bottomStart: paged ? ["pageLength", "info"] : null, bottomEnd: paged ? "paging" : null,
    },
  });
  table.dataset.equipped = "";
  // Each table's pages need a name of their own.
  const tidied = () => {
    for (const nav of table.closest(".dt-container").querySelectorAll("nav")) nav.setAttribute("aria-label", `Pages of ${name}`);
    whenTableDrawn();
  };
  own.on("draw", tidied);
  tidied();
}
/** Numbers are sorted by what they begin with; a bar behind each is its part of the column's largest. */
function bars(table) {
  const rows = [...table.tBodies[0].rows];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (!head.classList.contains("number")) return;
    const numbers = rows.map((row) => parseFloat(row.cells[column].textContent.trim().replace("−", "-")));
    rows.forEach((row, i) => { row.cells[column].dataset.order ??= Number.isFinite(numbers[i]) ? numbers[i] : -Number.MAX_VALUE; });
    if (!head.classList.contains("bars")) return;
    const most = Math.max(...numbers.filter(Number.isFinite));
    rows.forEach((row, i) => {
      if (most > 0 && numbers[i] >= 0) row.cells[column].style.setProperty("--most", `${(100 * numbers[i] / most).toFixed(1)}%`);
    });
  });
}
/** The head and the rows that a search leaves, as texts of the columns that are shown; and which hold numbers. */
function contents(api, table) {
  const said = (cell) => cell.textContent.replace(/\s+/g, " ").trim();
  const columns = api.columns(":visible").indexes().toArray();
  const heads = columns.map((column) => api.column(column).header());
  const rows = api.rows({ search: "applied", order: "applied" }).indexes().toArray()
    .map((row) => columns.map((column) => said(api.cell(row, column).node())));
  return { head: heads.map(said), rows, numbers: heads.map((head) => head.classList.contains("number")) };
}

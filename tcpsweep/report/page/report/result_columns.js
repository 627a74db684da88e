// SPDX-License-Identifier: MIT
// More columns for the table of results: any metric, from the means that the figures have.
function startResultColumns() {
  const select = document.querySelector("select[name=results-column]"), table = document.getElementById("results-table");
  if (!select || !table) return;
  metricMenu(select);
  select.prepend(new Option("choose a metric", ""));
  select.value = "";
  const there = new Set([...table.tHead.rows[0].cells].map((head) => head.firstChild.textContent.trim()));
  for (const option of [...select.options]) if (there.has(data.metrics[option.value]?.title)) option.remove();
  for (const group of select.querySelectorAll("optgroup:empty")) group.remove();
  select.addEventListener("change", () => { add(select.value); select.selectedOptions[0].remove(); select.value = ""; });

  function add(name) {
    if (!name) return;
    const metric = data.metrics[name], library = document.getElementById("tables-library");
    if (window.DataTable && table.dataset.equipped !== undefined) {
      new window.DataTable.Api(table).destroy();
      delete table.dataset.equipped;
    }
    const values = new Map(pointsOf(name, true).map((point) => [`${point.combination} ${data.series[point.apart][0]}`, point]));
    const head = Object.assign(document.createElement("th"), { scope: "col", className: "number bars", textContent: `${metric.title} ` });
    if (metric.unit) head.append(Object.assign(document.createElement("span"), { className: "unit", textContent: metric.unit }));
    place(table.tHead.rows[0], head);
    for (const row of table.tBodies[0].rows) {
      const cell = Object.assign(document.createElement("td"), { className: "number" });
      const { combination, variant } = row.dataset, own = row.cells[0].dataset.series;
      const point = values.get(`${combination} ${own}`) ?? values.get(`${combination} ${variant}`);
      cell.append(point ? short(point.mean) : "–");
      if (point && point.low !== null) {
        cell.append(" ", Object.assign(document.createElement("span"), { className: "interval", textContent: `[${short(point.low)}, ${short(point.high)}]` }));
      }
      place(row, cell);
    }
    if (library) equip(table, library);
  }
  /** Before the links to the cells, which stay last. */
  function place(row, cell) {
    const last = data.pages === null ? null : row.cells[row.cells.length - 1];
    row.insertBefore(cell, last);
  }
}

// SPDX-License-Identifier: MIT
// More columns for the table of results: any metric, from the means that the figures have.
import { equip, strip } from "../frame/data_tables.js";
import { data } from "../frame/page_data.js";
import { element } from "../shared/elements.js";
import { short } from "../shared/numbers.js";
import { fillMetricMenu } from "./metric_menu.js";
import { pointsOf } from "./points.js";

export function startResultColumns() {
  const select = document.querySelector("select[name=results-column]");
  const table = document.getElementById("results-table");
  if (!select || !table) return;
  fillMetricMenu(select);
  select.prepend(new Option("choose a metric", ""));
  select.value = "";
  const there = new Set([...table.tHead.rows[0].cells].map((head) => head.firstChild.textContent.trim()));
  const shown = [...select.options].filter((option) => there.has(data.metrics[option.value]?.title));
  for (const option of shown) option.remove();
  for (const group of select.querySelectorAll("optgroup:empty")) group.remove();
  select.addEventListener("change", () => {
    if (!select.value) return;
    addColumn(table, select.value);
    select.selectedOptions[0].remove();
    select.value = "";
  });
}

function addColumn(table, name) {
  const metric = data.metrics[name];
  strip(table);
  const head = element("th", { scope: "col", className: "number bars" }, `${metric.title} `);
  if (metric.unit) head.append(element("span", { className: "unit", textContent: metric.unit }));
  insert(table.tHead.rows[0], head);
  const points = pointsOf(name, true);
  const byRow = new Map(points.map((point) => [`${point.combination} ${data.series[point.apart][0]}`, point]));
  for (const row of table.tBodies[0].rows) {
    const { combination, variant } = row.dataset;
    const series = row.cells[0].dataset.series;
    insert(row, valueCell(byRow.get(`${combination} ${series}`) ?? byRow.get(`${combination} ${variant}`)));
  }
  equip(table);
}

function valueCell(point) {
  const cell = element("td", { className: "number" }, point ? short(point.mean) : "–");
  if (point && point.low !== null) {
    const textContent = `[${short(point.low)}, ${short(point.high)}]`;
    cell.append(" ", element("span", { className: "interval", textContent }));
  }
  return cell;
}

/** Insert a cell before the links to the cells' pages, which stay last. */
function insert(row, cell) {
  row.insertBefore(cell, data.pages === null ? null : row.cells[row.cells.length - 1]);
}

// SPDX-License-Identifier: MIT
// Networks: small multiples with a panel for each network, all with the same scales; below, each network's runs.
import { addressValue, keepInAddress, onFollow } from "../frame/address.js";
import { addFigure, drawFigure, refresh } from "../frame/charts.js";
import { data } from "../frame/page_data.js";
import { element, groupBy } from "../shared/elements.js";
import { runLinks, showCells } from "./cell_links.js";
import { chartOf, isWide, lineAbove, seriesSlots } from "./chart_scales.js";
import { brokenText } from "./panel_heads.js";
import { define, fillMetricMenu } from "./metric_menu.js";
import { networkAxes, networkOf, pointsOf, titled, tooltipOf, whereOf } from "./points.js";
import { nameElement, nameOf, variantOf } from "./series.js";
import { applyToolbox } from "./toolbox.js";

const MOST_NETWORKS = 24;
const LEAST_PANEL = 240;

export function startNetworks() {
  const root = document.getElementById("networks-figure");
  if (!root) return;
  const select = document.querySelector("#networks select[name=networks-metric]");
  const more = document.getElementById("networks-more");
  const details = document.querySelector("#networks > .details");
  let most = MOST_NETWORKS;
  fillMetricMenu(select);
  const draw = (width) => smallMultiples(select.value, most, more, width);
  const drawn = (view) => view.addEventListener("click", (_, item) => showCells(details, item?.datum));
  const figure = addFigure(root, draw, drawn);
  select.addEventListener("change", () => {
    keepInAddress({ "networks-metric": select.value }, "networks");
    drawFigure(figure);
  });
  more.addEventListener("click", () => {
    most = Infinity;
    drawFigure(figure);
  });
  const read = () => {
    const asked = addressValue("networks-metric");
    if (asked && data.metrics[asked]) select.value = asked;
    refresh(figure);
  };
  onFollow(read);
  read();
  startListOfRuns();
}

function smallMultiples(name, most, more, width) {
  define(document.querySelector("#networks .definition"), name);
  const points = pointsOf(name);
  const networks = [...new Set(points.map(({ combination }) => networkOf(combination)))];
  more.hidden = networks.length <= most;
  more.textContent = `Show all ${networks.length} network conditions`;
  const kept = new Set(networks.slice(0, most));
  const columns = columnsFor(kept.size, width);
  const panelWidth = Math.max(150, Math.floor((width + 20) / columns) - 22);
  const rows = points
    .filter(({ combination }) => kept.has(networkOf(combination)))
    .map((point) => panelRow(point, data.metrics[name], panelWidth))
    .toSorted((a, b) => a.number - b.number);
  return rows.length
    ? panels(rows, data.metrics[name], { width, columns, panelWidth })
    : "No simulation has a value of this metric.";
}

/** A row of panels holds whole runs of the last axis' values, so that panels below each other differ in one value. */
function columnsFor(count, width) {
  const fitting = Math.max(1, Math.floor(width / LEAST_PANEL));
  const last = networkAxes.at(-1)?.values.length ?? 1;
  if (count <= fitting) return count;
  return last <= fitting ? last * Math.floor(fitting / last) : fitting;
}

function panelRow(point, metric, panelWidth) {
  const { combination, apart, mean } = point;
  const network = brokenText(whereOf(combination) || "the network", panelWidth, data.look).join("\n");
  const interval = { mean, low: point.low ?? mean, high: point.high ?? mean };
  return { ...tooltipOf(point, metric), combination, number: apart, column: network, ...interval };
}

function panels(rows, metric, { width, columns, panelWidth }) {
  const scale = scaleOf(rows, metric);
  const count = new Set(rows.map((row) => row.number)).size;
  const slots = {
    ...seriesSlots(rows, width),
    "x title": null,
    "x scale": scale,
    "x axis": { tickCount: 5 },
    series: data.series.map(([series]) => nameOf(series)),
    columns: [...new Set(rows.toSorted((a, b) => a.combination - b.combination).map((row) => row.column))],
    heads: null,
    "column header": { labelExpr: "split(datum.label, '\\n')" },
    across: columns,
    title: lineAbove(scale.zero === false ? `${titled(metric)}, axis cut` : titled(metric)),
    resolve: { axis: { x: "independent" } },
    width: panelWidth,
    height: Math.max(60, count * 17),
  };
  return chartOf("networks", slots, { points: rows }, "wrapped panels");
}

function scaleOf(rows, metric) {
  const means = rows.map((row) => row.mean);
  const leastMean = Math.min(...means);
  if (metric.unit && isWide(leastMean, Math.max(...means)))
    return { type: "log", domainMin: leastMean / 2, clamp: true };
  const least = Math.min(...rows.map((row) => row.low));
  return { zero: least >= 0 && least < 0.7 * Math.max(...rows.map((row) => row.high)) };
}

/** The runs of each network, made when the list is opened. */
function startListOfRuns() {
  const around = document.getElementById("networks-runs");
  around.addEventListener("toggle", () => {
    const list = around.querySelector("dl");
    if (list.childElementCount) return;
    const networks = groupBy([...data.combinations.keys()], (combination) => whereOf(combination) || "the network");
    for (const [network, own] of networks) list.append(element("dt", { textContent: network }), ...own.map(runsLine));
    applyToolbox();
  });
}

function runsLine(combination) {
  const variant = variantOf(combination);
  const runs = data.cells[combination].length ? runLinks(combination) : ["no finished run"];
  const line = element("dd", {}, nameElement(variant), ": ", ...runs);
  line.dataset.variant = variant;
  return line;
}

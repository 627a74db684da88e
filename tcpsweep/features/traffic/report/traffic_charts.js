// SPDX-License-Identifier: MIT
// The charts of a group of traffic: means against an axis, and slowdowns of arriving flows.
import { data } from "../../../core/report/page/frame/page_data.js";
import { short } from "../../../core/report/page/shared/numbers.js";
import { dodge, isWide, logScale, setVertical, withSeries } from "../../../core/report/page/report/chart_scales.js";
import { axes, networkAxes, networkOf, placeOn, titled, whereOf } from "../../../core/report/page/report/points.js";
import { isShown, nameOf, numberOf, variantOf } from "../../../core/report/page/report/series.js";

const traffic = data.traffic;
const MOST_PANELS = 12;
const LEAST_PANEL = 230;
const PANEL_EDGES = 26;
const DODGE = 4;
const ALL_INFINITE = "Every value is infinite, because a transfer did not finish.";
const NO_VALUE = "No simulation has a value of this metric.";
const NONE_FINISHED = "No flow of this group finished.";

/** A metric's means against an axis, in a panel for each value of the other axes. */
export function byAxis(root, group, name, axisName, width) {
  const metric = traffic.metrics[name];
  const axis = axes.get(axisName);
  root.querySelector(".definition").textContent = `${metric.title}: ${metric.formula.replaceAll("`", "")}.`;
  const others = networkAxes.filter((other) => other.name !== axisName);
  const points = pointsIn(group, name);
  const sign = root.querySelector(".infinite");
  sign.hidden = true;
  if (!points.some(isFinite)) return points.length ? ALL_INFINITE : NO_VALUE;
  const panels = [...new Set(points.map(({ combination }) => whereOf(combination, others)))].slice(0, MOST_PANELS);
  const rows = points
    .map((row) => ({ ...row, panel: whereOf(row.combination, others), place: placeOn(axis, row.combination) }))
    .filter((row) => row.place !== undefined && panels.includes(row.panel))
    .map((row) => withValue(row, metric.unit));
  if (!rows.length) return "No combination has a place on this axis.";
  dodge(rows, DODGE);
  const chart = withSeries(data.charts.lines[axisName], rows, width);
  setVertical(chart, ["low", "mean", "high"], titled(metric), scaleOf(rows));
  return inPanels(withInfinite(chart, rows, sign), rows, panels, width);
}

/** Slowdowns by the size of flows in a network, in a panel for each percentile. */
export function bySize(root, group, network, width) {
  const rows = Object.entries(traffic.ranks).flatMap(([rank, panel]) =>
    Object.entries(traffic.sizes).flatMap(([key, size]) =>
      pointsIn(group, `slowdown_${rank}_${key}`)
        .filter(({ combination }) => networkOf(combination) === network)
        .map((row) => withValue({ ...row, size, panel }, "")),
    ),
  );
  dodge(rows, DODGE);
  const sign = root.querySelector(".infinite");
  sign.hidden = true;
  if (!rows.some(isFinite)) return NONE_FINISHED;
  const chart = withSeries(traffic.charts.sizes, rows, width);
  for (const layer of chart.layer) layer.encoding.x.sort = Object.values(traffic.sizes);
  return inPanels(withInfinite(chart, rows, sign), rows, Object.values(traffic.ranks), width);
}

/** The distribution of slowdowns in a network. */
export function distribution(group, network, width) {
  const curves = Object.entries(group.curves ?? {}).map(([key, curve]) => [Number(key), ...curve]);
  const rows = curves
    .filter(([combination]) => isShown(combination) && networkOf(combination) === network)
    .flatMap(([combination, slowdowns, shares]) =>
      slowdowns.map((slowdown, i) => ({
        ...aboutCombination(combination),
        slowdown: Math.max(slowdown, 1e-3),
        share: shares[i],
        value: `${short(100 * shares[i])} % of flows have a slowdown of ${short(slowdown)} or more`,
        runs: "all together",
      })),
    );
  if (!rows.length) return NONE_FINISHED;
  const chart = withSeries(traffic.charts.distribution, rows, width);
  return { ...chart, data: { values: rows }, width: Math.min(760, width - 80), height: 300 };
}

function aboutCombination(combination) {
  const name = variantOf(combination);
  return { combination, number: numberOf(name), series: nameOf(name), where: whereOf(combination) };
}

const isFinite = (row) => row.mean !== null;

function pointsIn(group, name) {
  const points = (group.points[name] ?? []).filter(([combination]) => isShown(combination));
  return points.map(([combination, mean, low, high, runs, infinite]) => {
    const interval = { mean, low: low ?? mean, high: high ?? mean };
    return { ...aboutCombination(combination), ...interval, infinite, runs: String(runs) };
  });
}

function withValue(row, unit) {
  if (!isFinite(row)) return { ...row, value: `∞ in ${row.infinite} of ${row.runs} runs` };
  const interval = row.high === row.low ? "" : ` [${short(row.low)}, ${short(row.high)}]`;
  return { ...row, value: `${short(row.mean)}${interval} ${unit}`.trim() };
}

function scaleOf(rows) {
  const means = rows.filter(isFinite).map((row) => row.mean);
  const least = Math.min(...means);
  return isWide(least, Math.max(...means)) ? logScale(least, rows) : { zero: true };
}

/** The chart with a sign at its upper edge for infinite values. */
function withInfinite(chart, rows, note) {
  note.hidden = rows.every(isFinite);
  if (note.hidden) return chart;
  const { x, color, tooltip } = chart.layer.at(-1).encoding;
  // Lines break there without a filter.
  for (const layer of chart.layer) {
    if (layer.mark.type !== "line") layer.transform = [{ filter: "datum.mean !== null" }];
  }
  const sign = {
    mark: { type: "text", text: "∞", fontSize: 17, xOffset: { expr: "datum.dodge" } },
    encoding: { x, color, tooltip, y: { value: 8 } },
    transform: [{ filter: "datum.mean === null" }],
  };
  return { ...chart, layer: [...chart.layer, sign] };
}

function inPanels(chart, rows, order, width) {
  const count = new Set(rows.map((row) => row.panel)).size;
  if (count < 2) return { ...chart, data: { values: rows }, width: Math.min(760, width - 80), height: 280 };
  const columns = Math.max(1, Math.min(count, Math.floor(width / LEAST_PANEL)));
  return {
    facet: { field: "panel", type: "nominal", title: null, sort: order },
    columns,
    data: { values: rows },
    spec: { ...chart, width: Math.floor((width - 30) / columns) - PANEL_EDGES, height: 190 },
  };
}

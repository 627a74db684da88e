// SPDX-License-Identifier: MIT
// The charts of a group of traffic: means against an axis, and slowdowns of arriving flows.
import { data } from "../../../core/report/page/frame/page_data.js";
import { short } from "../../../core/report/page/shared/numbers.js";
import {
  chartOf,
  dodge,
  isWide,
  logScale,
  placeSlots,
  seriesSlots,
} from "../../../core/report/page/report/chart_scales.js";
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
    .map((row) => ({ ...row, column: whereOf(row.combination, others), place: placeOn(axis, row.combination) }))
    .filter((row) => row.place !== undefined && panels.includes(row.column))
    .map((row) => withValue(row, metric.unit));
  if (!rows.length) return "No combination has a place on this axis.";
  dodge(rows, DODGE);
  const slots = { ...placeSlots(axis), "y title": titled(metric), "y scale": scaleOf(rows) };
  return inPanels(axis.kind, { ...slots, infinite: signOfInfinite(rows, sign) }, rows, panels, width);
}

/** Slowdowns by the size of flows in a network, in a panel for each percentile. */
export function bySize(root, group, network, width) {
  const rows = Object.entries(traffic.ranks).flatMap(([rank, panel]) =>
    Object.entries(traffic.sizes).flatMap(([key, size]) =>
      pointsIn(group, `slowdown_${rank}_${key}`)
        .filter(({ combination }) => networkOf(combination) === network)
        .map((row) => withValue({ ...row, place: size, column: panel }, "")),
    ),
  );
  dodge(rows, DODGE);
  const sign = root.querySelector(".infinite");
  sign.hidden = true;
  if (!rows.some(isFinite)) return NONE_FINISHED;
  const places = { ...traffic.slots.sizes, names: Object.values(traffic.sizes) };
  const slots = { ...places, infinite: signOfInfinite(rows, sign) };
  return inPanels("means over names", slots, rows, Object.values(traffic.ranks), width);
}

/** The distribution of slowdowns in a network. */
export function distribution(group, network, width) {
  const curves = Object.entries(group.curves ?? {}).map(([key, curve]) => [Number(key), ...curve]);
  const rows = curves
    .filter(([combination]) => isShown(combination) && networkOf(combination) === network)
    .flatMap(([combination, slowdowns, shares]) =>
      slowdowns.map((slowdown, i) => ({
        ...aboutCombination(combination),
        place: Math.max(slowdown, 1e-3),
        share: shares[i],
        value: `${short(100 * shares[i])} % of flows have a slowdown of ${short(slowdown)} or more`,
        runs: "all together",
      })),
    );
  if (!rows.length) return NONE_FINISHED;
  const slots = { ...traffic.slots.distribution, ...seriesSlots(rows, width) };
  const size = { width: Math.min(760, width - 80), height: 300 };
  return chartOf("distribution", { ...slots, ...size }, { points: rows, tips: rows });
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

/** The slot of the sign at the upper edge for infinite values, where there are some. */
function signOfInfinite(rows, note) {
  note.hidden = rows.every(isFinite);
  return note.hidden ? undefined : "infinite";
}

function inPanels(kind, slots, rows, order, width) {
  const count = new Set(rows.map((row) => row.column)).size;
  const whole = { ...slots, ...seriesSlots(rows, width) };
  if (count < 2) return chartOf(kind, { ...whole, width: Math.min(760, width - 80), height: 280 }, { points: rows });
  const across = Math.max(1, Math.min(count, Math.floor(width / LEAST_PANEL)));
  const size = { width: Math.floor((width - 30) / across) - PANEL_EDGES, height: 190 };
  return chartOf(kind, { ...whole, ...size, across, columns: order, heads: null }, { points: rows }, "wrapped panels");
}

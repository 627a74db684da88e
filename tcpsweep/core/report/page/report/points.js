// SPDX-License-Identifier: MIT
// The sweep's axes, its combinations, and the means of its metrics, with words for them.
import { data } from "../frame/page_data.js";
import { short } from "../shared/numbers.js";
import { isShown, nameOf, nameOfNumber } from "./series.js";

/** The axes by their names, each with its number, and the axes that make a network: all but the variant. */
export const axes = new Map(data.axes.map((axis, number) => [axis.name, { ...axis, number }]));
export const networkAxes = data.axes.filter((axis) => axis.name !== "variant");

/** The position of a combination on an axis' scale; undefined if the axis has no place for its value. */
export function placeOn(axis, combination) {
  const place = axis.places[data.combinations[combination][axis.number]];
  return axis.name === "variant" ? nameOf(place) : place;
}

/** A combination's value on an axis, as text. */
export function textOf(combination, name) {
  const axis = axes.get(name);
  return axis.values[data.combinations[combination][axis.number]];
}

/** A combination's network in words, with the axes' titles; `among` are the axes to name. */
export const whereOf = (combination, among = networkAxes) =>
  among.map((axis) => `${axis.title} ${textOf(combination, axis.name)}`).join(", ");

/** A combination's network as its values, without titles. */
export const networkOf = (combination) => networkAxes.map((axis) => textOf(combination, axis.name)).join(", ");

export function titled(metric) {
  if (typeof metric.fair === "number") return `${metric.title} (${metric.fair} is fair)`;
  return metric.unit ? `${metric.title} [${metric.unit}]` : metric.title;
}

/** A metric's means of all combinations that are not hidden, or of every combination. */
export function pointsOf(name, all = false) {
  const columns = data.points[name];
  const runsAt = (column, i) => (Array.isArray(column) ? column[i] : column);
  return data.keys[columns.at].flatMap(([combination, apart, own], i) => {
    if (!all && !isShown(combination)) return [];
    const interval = { mean: columns.mean[i], low: columns.low[i], high: columns.high[i] };
    const runs = { runs: runsAt(columns.runs, i), distinct: runsAt(columns.distinct, i) };
    return [{ combination, apart, own, ...interval, ...runs, found: columns.found[i] ?? "." }];
  });
}

/** A point's texts for the tooltip. */
export function tooltipOf({ combination, apart, mean, low, high, runs, distinct }, metric) {
  const interval = low === null ? "" : ` [${short(low)}, ${short(high)}]`;
  return {
    series: nameOfNumber(apart),
    where: whereOf(combination),
    runs: `${runs}${runs > 1 && distinct === 1 ? ", identical" : ""}`,
    value: `${short(mean)}${interval} ${metric.unit}`.trim(),
  };
}

// SPDX-License-Identifier: MIT
// The shared parts of charts of means: the scales of their series, the scale of their values, and marks side by side.
import { data } from "../frame/page_data.js";
import { groupBy } from "../shared/elements.js";
import { filled } from "../shared/filled_charts.js";
import { nameOf, numberOf, scalesOf } from "./series.js";

const WIDE = 30; // values whose largest is this many times the least have a logarithmic axis
const LEGEND_EDGES = 90; // pixels that the axis before a legend and its symbols take
const DODGE_SPAN = 14; // pixels that all marks at one place may take

/** A kind of chart with its slots and rows; in panels, if `panels` names a kind of these. */
export function chartOf(kind, slots, datasets, panels) {
  const { data: _, ...spec } = data.charts[kind];
  const whole = panels ? { ...data.charts[panels], spec } : data.charts[kind];
  return filled(whole, { ...data.slots, ...slots }, datasets);
}

/** The slots of the series that rows have: their scales, and a legend that fits the width. */
export function seriesSlots(rows, width = 600) {
  const scales = scalesOf(new Set(rows.map((row) => row.number)));
  const longest = Math.max(10, ...scales.colours.domain.map((name) => name.length));
  const columns = Math.max(1, Math.floor(width / (8 * longest + 30)));
  const labelLimit = Math.max(80, width - LEGEND_EDGES);
  const legend = { orient: "bottom", symbolStrokeWidth: 0, columns, labelLimit };
  return { ...scales, legend, "dash legend": legend };
}

/** The slots of the places on an axis, with the reader's names of variants. */
export function placeSlots({ slots }) {
  const names = slots.names?.map((name) => (numberOf(name) === undefined ? name : nameOf(name)));
  return { ...slots, names };
}

/** Whether values need a logarithmic axis. */
export const isWide = (least, most) => least > 0 && most > WIDE * least;

/** A logarithmic scale that is wide enough for whole intervals. */
export function logScale(least, rows) {
  const lows = rows.map((row) => row.low).filter((low) => low !== null && low > 0);
  return { type: "log", clamp: true, domainMin: Math.min(least / 2, ...lows) };
}

/** Set `dodge`, in pixels, so that marks of several series at one place are side by side. */
export function dodge(rows, step) {
  const order = [...new Set(rows.map((row) => row.number))].toSorted((a, b) => a - b);
  const width = Math.min(step, DODGE_SPAN / order.length);
  for (const row of rows) row.dodge = (order.indexOf(row.number) - (order.length - 1) / 2) * width;
}

/** The same for each place separately, where the series differ from place to place. */
export function dodgeAtEachPlace(rows, step) {
  for (const own of groupBy(rows, (row) => row.place).values()) dodge(own, step);
}

/** The title of a group of panels, as a line of text above them. */
export const lineAbove = (text) => ({
  text,
  anchor: "start",
  fontSize: 12,
  fontWeight: "normal",
  color: "var(--ink)",
});

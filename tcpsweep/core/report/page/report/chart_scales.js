// SPDX-License-Identifier: MIT
// The shared parts of charts of means: the scales of their series, the scale of their values, and marks side by side.
import { groupBy } from "../shared/elements.js";
import { nameOf, numberOf, scalesOf } from "./series.js";

const WIDE = 30; // values whose largest is this many times the least have a logarithmic axis
const LEGEND_EDGES = 90; // pixels that the axis before a legend and its symbols take
const DODGE_SPAN = 14; // pixels that all marks at one place may take

/** A template with the scales of the series that its rows have, and a legend that fits the width. */
export function withSeries(template, rows, width = 600) {
  const chart = structuredClone(template);
  const scales = scalesOf(new Set(rows.map((row) => row.number)));
  const longest = Math.max(10, ...scales.color.domain.map((name) => name.length));
  const columns = Math.max(1, Math.floor(width / (8 * longest + 30)));
  for (const { encoding } of chart.layer ?? [chart]) {
    if (encoding.x?.field === "place" && Array.isArray(encoding.x.sort)) {
      encoding.x.sort = encoding.x.sort.map((name) => (numberOf(name) === undefined ? name : nameOf(name)));
    }
    for (const [channel, own] of Object.entries(encoding)) {
      if (!scales[channel] || own.field !== "series") continue;
      own.scale = scales[channel];
      if (own.legend !== null) own.legend = { ...own.legend, columns, labelLimit: Math.max(80, width - LEGEND_EDGES) };
    }
  }
  return chart;
}

/** Set the title and the scale of a chart's vertical axis where it shows one of some fields. */
export function setVertical(chart, fields, title, scale) {
  for (const { encoding } of chart.layer) {
    if (fields.includes(encoding.y?.field)) Object.assign(encoding.y, { title, scale });
  }
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

// SPDX-License-Identifier: MIT
// A heat map of a metric's means by variant and network, or of their ratios to the baseline.
import { data } from "../frame/page_data.js";
import { brief } from "../shared/numbers.js";
import { isWide } from "./chart_scales.js";
import { networkAxes, networkOf, pointsOf, titled, tooltipOf } from "./points.js";
import { isFaint, marked, nameOf, nameOfNumber } from "./series.js";

const MOST_BOXES = 600; // beyond, boxes have no numbers
const LABEL_WIDTH = 44; // of a box that has room for a number
const DARK = "#16181b";
/** The signs of findings against the baseline: ▲ higher, ▼ lower, = the same. */
const SIGNS = { h: " ▲", l: " ▼", s: " =" };

export function heatMap(choice, combinations, width) {
  const metric = data.metrics[choice.metric];
  const isRatio = choice.relative === "ratio";
  const rows = boxes(choice.metric, isRatio, combinations);
  const scale = colourScale(rows, metric, isRatio);
  const step = stepFor(rows, width);
  for (const row of rows) label(row, scale, isRatio, step);
  const slots = {
    columns: null, // in the order of the rows
    rows: null,
    "x title": networkAxes.map((axis) => axis.title).join(", "),
    "x axis": { labelLimit: 260, labelAngle: step < 80 ? -60 : 0 },
    "y title": null,
    "y axis": { labelLimit: 260 },
    "value title": isRatio ? `${metric.title}, ratio to ${nameOf(data.baseline)}` : titled(metric),
    "value colours": { scheme: "viridis", ...scale.look },
    clearness: marked.size ? { field: "clear", type: "quantitative", scale: null, legend: null } : undefined,
    labels: rows.length > MOST_BOXES ? undefined : "labels",
    width: { step },
    height: { step: 34 },
  };
  return { rows, kind: "matrix", slots };
}

function boxes(name, isRatio, combinations) {
  const points = pointsOf(name).filter(({ combination }) => combinations.has(combination));
  const isBaseline = ({ apart }) => data.series[apart][0] === data.baseline;
  const base = new Map(points.filter(isBaseline).map((point) => [networkOf(point.combination), point.mean]));
  return points
    .map((point) => {
      const { combination, apart: number, found } = point;
      const network = networkOf(combination);
      const mean = isRatio ? point.mean / base.get(network) : point.mean;
      const clear = isFaint(data.series[number][0]) ? 0.25 : 1;
      const about = { column: network, row: nameOfNumber(number), clear };
      return { ...tooltipOf(point, data.metrics[name]), combination, number, mean, found, ...about };
    })
    .filter((row) => Number.isFinite(row.mean))
    .toSorted((a, b) => a.number - b.number || a.combination - b.combination);
}

/** The scale of the colours: its look for Vega-Lite, and where a mean is on it, from 0 to 1. */
function colourScale(rows, metric, isRatio) {
  const least = Math.min(...rows.map((row) => row.mean));
  const most = Math.max(...rows.map((row) => row.mean));
  const isLog = isRatio ? least > 0 : metric.unit && isWide(least, most);
  if (!isLog) return { look: {}, isLog, placeOf: (mean) => (mean - least) / (most - least || 1) };
  const look = isRatio ? { scheme: "purpleorange", type: "log", domainMid: 1 } : { type: "log" };
  return { look, isLog, placeOf: (mean) => Math.log(mean / least) / (Math.log(most / least) || 1) };
}

/** The width of a box, so that all of them fit next to the variants' names. */
function stepFor(rows, width) {
  const networks = new Set(rows.map((row) => row.column)).size;
  const longest = Math.max(0, ...rows.map((row) => Math.min(32, row.row.length)));
  return Math.max(16, Math.floor((width - 8 * longest) / Math.max(1, networks)));
}

/** Write a box's number and sign, in an ink that can be read on its colour. */
function label(row, { isLog, placeOf }, isRatio, step) {
  const place = placeOf(row.mean);
  const isLight = isRatio ? Math.abs(place - (isLog ? placeOf(1) : 0.5)) < 0.35 : place > 0.55;
  row.ink = isLight ? DARK : "#fff";
  row.label = `${step < LABEL_WIDTH ? "" : brief(row.mean)}${SIGNS[row.found] ?? ""}`.trim();
}

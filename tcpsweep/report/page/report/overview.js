// SPDX-License-Identifier: MIT
// The overview's plane: a mark for each variant at the mean of its networks, smaller marks for them, the frontier.
import { addFigure, EDGES } from "../frame/charts.js";
import { data } from "../frame/page_data.js";
import { groupBy } from "../shared/elements.js";
import { mean, short } from "../shared/numbers.js";
import { withSeries } from "./chart_scales.js";
import { whereOf } from "./points.js";
import { isShown, nameOf, numberOf, variantOf } from "./series.js";

const LABEL_HEIGHT = 14;

export function startOverview() {
  const root = document.getElementById("overview-plane");
  if (root && data.overview) addFigure(root, (width) => plane(width, root.clientHeight));
}

function plane(width, roomAbove) {
  const rows = data.overview.rows.filter(([combination]) => isShown(combination)).map(networkMark);
  if (!rows.length) return "Nothing is shown.";
  const means = [...groupBy(rows, (row) => row.number).values()].map(meanMark);
  const ends = endsOf(rows);
  const chart = withSeries(data.charts.overview, rows);
  for (const layer of chart.layer) setAxes(layer.encoding, ends);
  const height = Math.max(230, Math.min(480, roomAbove - 75));
  placeLabels(means, ends, width - 50, height);
  for (const { mark } of chart.layer.filter((layer) => layer.mark.type === "text")) {
    for (const name of ["dx", "dy", "align", "limit"]) mark[name] = { expr: `datum.${name}` };
  }
  const values = [...frontier(means, ends), ...rows, ...means];
  // As wide as its panel with the labels of its axis, which take what they need.
  const autosize = { type: "fit-x", contains: "padding" };
  return { ...chart, data: { values }, width: width + EDGES, height, autosize };
}

function networkMark([combination, x, y]) {
  const name = variantOf(combination);
  const words = { series: nameOf(name), where: whereOf(combination), runs: "mean of its runs" };
  return { kind: "network", combination, number: numberOf(name), x, y, value: `${short(x)}, ${short(y)}`, ...words };
}

function meanMark(rows) {
  const x = mean(rows.map((row) => row.x));
  const y = mean(rows.map((row) => row.y));
  const words = {
    label: rows[0].series,
    where: `mean of ${rows.length} networks`,
    value: `${short(x)}, ${short(y)}`,
  };
  return { ...rows[0], kind: "mean", x, y, ...words };
}

/** The ends of both axes; the vertical one is cut where all marks are high, so that small differences look small. */
function endsOf(rows) {
  const least = Math.min(...rows.map((row) => row.y));
  const most = Math.max(...rows.map((row) => row.y));
  const isCut = least > 0.3 * most;
  const lowest = isCut ? Math.min(least, 0.95 * most) : 0;
  const highest = most + 0.04 * (most - lowest) || 1;
  const longest = 1.04 * Math.max(...rows.map((row) => row.x)) || 1; // room for a mark at the edge
  return { isCut, lowest, highest, longest };
}

function setAxes({ x, y }, { isCut, lowest, highest, longest }) {
  Object.assign(x, { title: `← ${data.overview.x}`, axis: { tickCount: 5 } });
  Object.assign(x.scale, { domain: [0, longest], nice: false });
  Object.assign(y, { title: `${data.overview.y}${isCut ? " (cut)" : ""} →`, axis: { tickCount: 5, format: ".3~g" } });
  Object.assign(y.scale, { domain: [lowest, highest], nice: false });
}

/** The variants that no other beats in both delay and throughput, and the ends of their line at the axes. */
function frontier(means, { lowest, longest }) {
  const beats = (other, one) => other.x <= one.x && other.y >= one.y && (other.x < one.x || other.y > one.y);
  const best = means.filter((one) => !means.some((other) => beats(other, one))).toSorted((a, b) => a.x - b.x);
  const ends = [{ ...best[0], y: lowest }, ...best, { ...best.at(-1), x: longest }];
  return ends.map((one, order) => ({ ...one, kind: "frontier", order }));
}

/** Place labels next to their marks so that they do not run into each other. */
function placeLabels(means, { lowest, highest, longest }, width, height) {
  const taken = [];
  for (const row of means.toSorted((a, b) => b.y - a.y)) {
    const x = width * (1 - row.x / longest);
    const y = height * (1 - (row.y - lowest) / (highest - lowest));
    const isRight = x > width / 2;
    let at = y;
    while (taken.some((other) => Math.abs(other - at) < LABEL_HEIGHT)) at += LABEL_HEIGHT;
    taken.push(at);
    const limit = Math.max(40, (isRight ? x : width - x) - 14);
    Object.assign(row, { align: isRight ? "right" : "left", dx: isRight ? -10 : 10, dy: at - y, limit });
  }
}

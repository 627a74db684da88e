// SPDX-License-Identifier: MIT
// The overview's plane: a mark for each variant at the mean of its networks, smaller marks for them, the frontier.
import { addFigure, EDGES } from "../frame/charts.js";
import { data } from "../frame/page_data.js";
import { groupBy } from "../shared/elements.js";
import { mean, short } from "../shared/numbers.js";
import { chartOf, seriesSlots } from "./chart_scales.js";
import { placeNames } from "./plane_names.js";
import { whereOf } from "./points.js";
import { isShown, nameOf, numberOf, variantOf } from "./series.js";

const ROOM = 0.04; // of an axis, left free at either end so that no mark lies on the border
const AXIS = 50; // the approximate room for the labels and the title of the vertical axis
const MOST_NAMED = 12; // variants whose names are next to their marks
const AROUND = 140; // the room for heads, axis and legend in the panel's height
const [LEAST, MOST] = [230, 420];

export function startOverview() {
  const root = document.getElementById("overview-plane");
  if (root && data.overview) addFigure(root, (width) => plane(width, heightOf(root)));
}

/** The height of the text next to it, within the limits of a good picture. */
function heightOf(root) {
  const told = document.querySelector("#overview .told");
  const isBeside = told && told.offsetTop === root.closest(".panel").offsetTop;
  return Math.max(LEAST, Math.min(MOST, isBeside ? told.offsetHeight - AROUND : 0));
}

function plane(width, height) {
  const rows = data.overview.rows.filter(([combination]) => isShown(combination)).map(networkMark);
  if (!rows.length) return "Nothing is shown.";
  const means = [...groupBy(rows, (row) => row.number).values()].map(meanMark);
  const ends = endsOf(rows);
  const isNamed = means.length <= MOST_NAMED && nameMarks(means, rows, ends, width - AXIS, height);
  const series = seriesSlots(rows, width);
  const slots = {
    ...series,
    ...axisSlots(ends),
    legend: isNamed ? null : series.legend,
    "title colour": "var(--soft)",
    "name size": 11,
    "name weight": "bold",
    // As wide as its panel, with the room that the labels of its axis need.
    autosize: { type: "fit-x", contains: "padding" },
    width: width + EDGES,
    height,
  };
  const names = isNamed ? means.map((row) => ({ ...row, colour: "var(--ink)" })) : [];
  return chartOf("plane of networks", slots, { points: [...frontier(means, ends), ...rows, ...means], names });
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
    where: rows.length > 1 ? `mean of ${rows.length} network conditions` : rows[0].where,
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
  const high = (most - lowest || 1) * ROOM;
  const longest = Math.max(...rows.map((row) => row.x)) || 1;
  const wide = longest * ROOM;
  return { isCut, lowest: lowest - high, highest: most + high, nearest: -wide, longest: longest + wide };
}

function axisSlots({ isCut, lowest, highest, nearest, longest }) {
  const scale = (least, most) => ({ domain: [least, most], nice: false, zero: false });
  // Ticks below 0 would show impossible values.
  const axis = { tickCount: 5, labelExpr: "datum.value < 0 ? '' : datum.label" };
  return {
    "x title": data.overview.x,
    "x axis": axis,
    "x scale": scale(nearest, longest),
    "y title": `${data.overview.y}${isCut ? ", axis without 0" : ""}`,
    "y axis": { ...axis, format: ".3~g" },
    "y scale": scale(lowest, highest),
  };
}

/** The variants that no other beats in both delay and throughput, and the ends of their line at the axes. */
function frontier(means, { lowest, longest }) {
  if (means.length < 2) return [];
  const beats = (other, one) => other.x <= one.x && other.y >= one.y && (other.x < one.x || other.y > one.y);
  const best = means.filter((one) => !means.some((other) => beats(other, one))).toSorted((a, b) => a.x - b.x);
  const ends = [{ ...best[0], y: lowest }, ...best, { ...best.at(-1), x: longest }];
  return ends.map((one, order) => ({ ...one, kind: "frontier", order }));
}

/** Place the names of the means. Returns whether all have a place. */
function nameMarks(means, rows, { lowest, highest, nearest, longest }, width, height) {
  const at = (row) => ({
    left: (width * (row.x - nearest)) / (longest - nearest),
    top: height * (1 - (row.y - lowest) / (highest - lowest)),
  });
  for (const row of means) Object.assign(row, at(row));
  return placeNames(means, rows.length > means.length ? rows.map(at) : [], width, height);
}

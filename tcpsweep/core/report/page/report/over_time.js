// SPDX-License-Identifier: MIT
// Over time: one run of each variant in the same network, side by side, all with the same scales.
import { addFigure } from "../frame/charts.js";
import { data } from "../frame/page_data.js";
import { runLink } from "./cell_links.js";
import { chartOf, lineAbove } from "./chart_scales.js";
import { colourOf, isShown, nameElement, nameOf, variantOf } from "./series.js";

const TITLES = { window: "window [segments]", RTT: "RTT [ms]", queue: "queue [packets]", rate: "rate [Mbit/s]" };
const titleOf = (kind) =>
  kind === "queue" && data.overTime.link ? `queue of ${data.overTime.link} [packets]` : TITLES[kind];
const LEAST_WIDTH = 120;
const GAP = 14;

export function startOverTime() {
  const root = document.getElementById("over-time-figure");
  if (!root || !data.overTime) return;
  addFigure(root, rowsOfPanels);
  const links = data.overTime.runs.flatMap(({ combination, run, cell }, i) => {
    return [i ? "; " : "", nameElement(variantOf(combination)), " ", runLink(run, cell)];
  });
  document.getElementById("over-time-cells").append(...links);
}

function rowsOfPanels(width) {
  const runs = data.overTime.runs.filter(({ combination }) => isShown(combination));
  if (!runs.length) return "Nothing is shown.";
  const kinds = Object.keys(TITLES).filter((kind) =>
    runs.some(({ lines }) => lines.some((line) => line.kind === kind)),
  );
  if (!kinds.length) return "Nothing was traced.";
  const panelWidth = Math.max(LEAST_WIDTH, Math.floor((width - 40) / runs.length) - GAP);
  const charts = kinds.map((kind) => rowOfPanels(kind, runs, panelWidth, kind === kinds[0]));
  return { vconcat: charts, spacing: 6 };
}

/** A panel for each run, of one kind of line. */
function rowOfPanels(kind, runs, width, isFirst) {
  const points = runs.flatMap((run) => pointsOfRun(run, kind));
  const most = usualMost(points);
  const title = titleOf(kind) + (most ? ", higher values cut off" : "");
  const slots = {
    "x title": null,
    "x axis": { tickCount: 4 },
    "x scale": { nice: false, domain: [data.overTime.begin, data.overTime.end] },
    "y title": null,
    "y axis": { tickCount: 4, minExtent: 34 }, // panels of all rows begin at one place
    "y scale": most ? { domain: [0, most], nice: true } : undefined,
    opacity: { condition: { test: "datum.faint", value: 0.45 }, value: 1 },
    interpolate: "linear",
    clip: true,
    width,
    height: 90,
    title: { ...lineAbove(title), offset: 2 },
    columns: runs.map(({ combination }) => nameOf(variantOf(combination))),
    heads: null,
    "column header": isFirst ? undefined : { labels: false },
    spacing: GAP,
  };
  const { datasets, ...row } = chartOf("over time", slots, { points }, "panels side by side");
  return { ...row, data: { values: datasets.points } };
}

function pointsOfRun({ combination, lines }, kind) {
  const whole = variantOf(combination);
  const own = lines.filter((line) => line.kind === kind);
  return own.flatMap((line) => {
    const variant = line.variant ?? whole;
    const first = Math.min(...own.filter((other) => other.variant === line.variant).map((other) => other.flow));
    const about = { line: line.flow, faint: line.flow > first, colour: colourOf(variant), dash: [1, 0] };
    return line.t.map((t, i) => ({ t, v: line.v[i], column: nameOf(whole), ...about }));
  });
}

/** Where the axis ends if single values, such as unlimited windows, would flatten all others to a line at zero. */
function usualMost(points) {
  const sorted = points.map(({ v }) => v).toSorted((a, b) => a - b);
  const usual = 2 * sorted[Math.floor(0.98 * (sorted.length - 1))];
  return usual > 0 && sorted.at(-1) > 2 * usual ? usual : null;
}

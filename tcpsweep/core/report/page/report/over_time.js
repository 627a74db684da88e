// SPDX-License-Identifier: MIT
// Over time: one run of each variant in the same network, side by side, all with the same scales.
import { addFigure } from "../frame/charts.js";
import { data } from "../frame/page_data.js";
import { runLink } from "./cell_links.js";
import { lineAbove } from "./chart_scales.js";
import { isShown, nameElement, nameOf, numberOf, scalesOf, variantOf } from "./series.js";

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
  const rows = runs.flatMap((run) => pointsOfRun(run, kind));
  const { spec, isCut } = panel(rows, runs);
  const sort = runs.map(({ combination }) => nameOf(variantOf(combination)));
  const header = isFirst ? { title: null } : { labels: false, title: null };
  return {
    title: { ...lineAbove(titleOf(kind) + (isCut ? ", higher values cut off" : "")), offset: 2 },
    data: { values: rows },
    facet: { column: { field: "column", type: "nominal", sort, header } },
    spacing: GAP,
    spec: { ...spec, width, height: 90 },
  };
}

function pointsOfRun({ combination, lines }, kind) {
  const whole = variantOf(combination);
  const own = lines.filter((line) => line.kind === kind);
  return own.flatMap((line) => {
    const variant = line.variant ?? whole;
    const first = Math.min(...own.filter((other) => other.variant === line.variant).map((other) => other.flow));
    const about = { flow: line.flow, faint: line.flow > first, series: nameOf(variant), number: numberOf(variant) };
    return line.t.map((time, i) => ({ time, value: line.v[i], column: nameOf(whole), ...about }));
  });
}

/** A panel without data. It cuts off unlimited windows, which would flatten all others to a line at zero. */
function panel(rows, runs) {
  const variants = runs.flatMap(({ combination, lines }) => [
    variantOf(combination),
    ...lines.map((line) => line.variant),
  ]);
  const spec = structuredClone(data.charts["over time"]);
  spec.encoding.color.scale = scalesOf(new Set(variants.map(numberOf))).color;
  spec.encoding.y.axis = { ...spec.encoding.y.axis, minExtent: 34 }; // panels of all rows begin at one place
  spec.encoding.x.scale.domain = [data.overTime.begin, data.overTime.end];
  const sorted = rows.map((row) => row.value).toSorted((a, b) => a - b);
  const usual = 2 * sorted[Math.floor(0.98 * (sorted.length - 1))];
  const isCut = usual > 0 && sorted.at(-1) > 2 * usual;
  if (isCut) spec.encoding.y.scale = { domain: [0, usual], nice: true };
  return { spec, isCut };
}

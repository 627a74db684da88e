// SPDX-License-Identifier: MIT
// The panels of Explore: a chart for each value of an axis or of two.
import { axes, textOf } from "./points.js";

const LEAST_PANEL = 190;

/** The head of the panel that a combination is in; null without panels. */
export const headOf = (name, combination) => (name ? `${axes.get(name).title} ${textOf(combination, name)}` : null);

/** The chart in its panels, as large as there is room. */
export function inPanels(chart, choice, width) {
  if (choice.kind === "heat map") return chart;
  const { columns, rows } = choice;
  const isPlane = choice.kind === "plane";
  const count = columns ? axes.get(columns).values.length : 1;
  const fitting = rows ? count : Math.min(count, Math.max(1, Math.floor(width / LEAST_PANEL)));
  // In planes, each panel has its own axes with their labels.
  const room = isPlane ? width / fitting - 62 : (width - 20) / fitting - (fitting > 1 ? 22 : 30);
  chart.width = Math.max(110, room);
  chart.height = heightFor(chart.width, rows || columns);
  if (!rows && !columns) return chart;
  const apart = isPlane && { resolve: { scale: { x: "independent", y: "independent" } } };
  if (!rows) return { facet: facet("column", columns), columns: fitting, spec: chart, ...apart };
  const across = columns && { column: facet("column", columns) };
  return { facet: { row: facet("row", rows), ...across }, spec: chart, ...apart };
}

function heightFor(width, isPanel) {
  return isPanel ? Math.max(120, Math.min(300, width * 0.7)) : Math.min(380, Math.max(220, width * 0.6));
}

function facet(field, name) {
  const { title, values } = axes.get(name);
  return { field, type: "nominal", title: null, sort: values.map((text) => `${title} ${text}`) };
}

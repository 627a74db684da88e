// SPDX-License-Identifier: MIT
// The panels of Explore: a chart for each value of an axis or of two.
import { chartOf } from "./chart_scales.js";
import { axes, textOf } from "./points.js";

const LEAST_PANEL = 190;

/** The head of the panel that a combination is in; null without panels. */
export const headOf = (name, combination) => (name ? `${axes.get(name).title} ${textOf(combination, name)}` : null);

/** The chart in its panels, as large as there is room. */
export function inPanels({ kind, slots, rows: points, fair = [] }, choice, width) {
  const datasets = { points, fair };
  if (choice.kind === "heat map") return chartOf(kind, slots, datasets);
  const { columns, rows } = choice;
  const isPlane = choice.kind === "plane";
  const count = columns ? axes.get(columns).values.length : 1;
  const fitting = rows ? count : Math.min(count, Math.max(1, Math.floor(width / LEAST_PANEL)));
  // In planes, each panel has its own axes with their labels.
  const room = isPlane ? width / fitting - 62 : (width - 20) / fitting - (fitting > 1 ? 22 : 30);
  const panelWidth = Math.max(110, room);
  const size = { width: panelWidth, height: heightFor(panelWidth, rows || columns) };
  const own = { columns: columns && headsOf(columns), rows: rows && headsOf(rows), heads: null, across: fitting };
  const resolve = isPlane ? { scale: { x: "independent", y: "independent" } } : undefined;
  return chartOf(kind, { ...slots, ...size, ...own, resolve }, datasets, panelsFor(columns, rows));
}

function panelsFor(columns, rows) {
  if (!rows) return columns ? "wrapped panels" : undefined;
  return columns ? "grid of panels" : "panels below each other";
}

function heightFor(width, isPanel) {
  return isPanel ? Math.max(120, Math.min(300, width * 0.7)) : Math.min(380, Math.max(220, width * 0.6));
}

function headsOf(name) {
  const { title, values } = axes.get(name);
  return values.map((text) => `${title} ${text}`);
}

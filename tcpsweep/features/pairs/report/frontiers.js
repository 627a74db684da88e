// SPDX-License-Identifier: MIT
// The frontier of goodput, delay and losses of each network of a sweep of pairs.
// tcpsweep/features/pairs/frontier_section.py describes the data.
import { addFigure } from "../../../core/report/page/frame/charts.js";
import { data } from "../../../core/report/page/frame/page_data.js";
import { filled } from "../../../core/report/page/shared/filled_charts.js";
import { hidden, isFaint, nameOf } from "../../../core/report/page/report/series.js";

const AXIS = 60; // pixels that the vertical axis takes

export function start() {
  for (const [i, frontier] of (data.frontiers?.networks ?? []).entries()) {
    addFigure(document.getElementById(`frontier-${i + 1}`), (width) => scatter(frontier, width));
  }
}

function scatter({ x, y, is_log: isLog, marks }, width) {
  const shown = marks.filter(({ variant }) => !hidden.has(variant));
  if (!shown.length) return "Nothing is shown.";
  const points = shown.map((mark) => ({ ...mark, series: `${nameOf(mark.variant)} ${mark.percent}`.trim() }));
  const colour = ({ variant, number }) => (isFaint(variant) ? "var(--faint)" : `var(--series-${number},var(--link))`);
  const domain = points.map(({ series }) => series);
  const slots = {
    ...data.frontiers.slots,
    "x title": x,
    "x scale": isLog ? { type: "log" } : { zero: false },
    "y title": y,
    colours: { domain, range: points.map(colour) },
    shapes: { domain, range: points.map(({ shape }) => shape) },
    legend: { orient: "bottom", columns: Math.max(1, Math.floor(width / 160)) },
    width: width - AXIS,
    height: 220,
  };
  return filled(data.frontiers.chart, slots, { points });
}

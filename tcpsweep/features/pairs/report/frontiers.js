// SPDX-License-Identifier: MIT
// The frontier of goodput, delay and losses of each network of a sweep of pairs.
// tcpsweep/features/pairs/frontier_section.py describes the data.
import { addFigure } from "../../../core/report/page/frame/charts.js";
import { data } from "../../../core/report/page/frame/page_data.js";
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
  const rows = shown.map((mark) => ({ ...mark, name: `${nameOf(mark.variant)} ${mark.percent}`.trim() }));
  const { mark, encoding } = structuredClone(data.frontiers.chart);
  Object.assign(encoding.x, { title: x, scale: isLog ? { type: "log" } : { zero: false } });
  encoding.y.title = y;
  const colour = ({ variant, number }) => (isFaint(variant) ? "var(--faint)" : `var(--series-${number},var(--link))`);
  encoding.color.scale = { domain: rows.map(({ name }) => name), range: rows.map(colour) };
  encoding.color.legend.columns = Math.max(1, Math.floor(width / 160));
  return { mark, encoding, data: { values: rows }, width: width - AXIS, height: 220 };
}

// SPDX-License-Identifier: MIT
// The panels of a cell's timeline: their charts, a cursor at a time, and a band over a part of the time.
import { element } from "../shared/elements.js";
import { filled } from "../shared/filled_charts.js";
import { saveButtons } from "../shared/saved_pictures.js";
import { rowsOf } from "./timeline_data.js";

/** The panels of a page: each with its place, its figure (none of the overview), and the time that it spans. */
export function panelsOf(root) {
  const panel = (place) => ({ place, figure: place.closest("figure"), span: [0, 0], view: null });
  return [...root.querySelectorAll(".plot")].map(panel);
}

/** Draw a panel's chart. */
export async function drawPanel(panel, timeline, charts) {
  const { place, figure } = panel;
  const { kind, slots } = charts.panels[place.dataset.chart];
  const values = { top: timeline.top, until: timeline.end }; // until the choice is shown
  const params = charts.params.map(({ name, value }) => ({ name, value: values[name] ?? value }));
  const chart = filled(charts.kinds[kind], slots, datasetsOf(panel, timeline, charts));
  const options = { renderer: "svg", actions: false, ast: true };
  const { view } = await vegaEmbed(place, { ...chart, params, config: charts.config }, options);
  nameChart(place.querySelector("svg"), place, figure);
  const cover = (className) => place.appendChild(element("div", { className, hidden: true }));
  Object.assign(panel, { view, cursor: cover("cursor"), chosen: cover("chosen") });
}

/** The rows by the names of the chart's layers: all lines are points, but in diagrams, whose layers have their own. */
function datasetsOf({ place, figure }, timeline, charts) {
  const { chart, rows } = place.dataset;
  const names = chart === "overview" ? [timeline.overview] : rows.split(",");
  const named = names.map((name) => [name, rowsOf(timeline, name, figure?.dataset.flow, charts)]);
  if (chart === "sequence") return Object.fromEntries(named);
  const points = named.filter(([name]) => timeline.lines[name]).flatMap(([, own]) => own);
  return { points, ...Object.fromEntries(named.filter(([name]) => !timeline.lines[name])) };
}

/** To a screen reader a chart is one picture, not a symbol without a name for each of its groups. */
function nameChart(svg, place, figure) {
  svg.setAttribute("role", "img");
  svg.firstElementChild.setAttribute("aria-hidden", "true");
  if (!figure) {
    svg.setAttribute("aria-label", "All of the time, with the part that is chosen");
    return;
  }
  const heading = figure.querySelector("h3");
  svg.setAttribute("aria-labelledby", heading.id);
  const drawing = () => place.querySelector("svg");
  if (figure.dataset.named) return;
  figure.dataset.named = "true";
  figure.querySelector("figcaption").append(saveButtons(heading.textContent.trim(), drawing, place.dataset.chart));
}

/** Where a time is in a panel, in pixels. */
function pixelOf({ span, view }, time) {
  const [begin, end] = span;
  return view.origin()[0] + ((time - begin) / (end - begin)) * view.signal("width");
}

/** The time at which a pointer is in a panel. */
export function timeAt({ place, span, view }, event) {
  const [begin, end] = span;
  const x = event.clientX - place.getBoundingClientRect().left;
  const part = (x - view.origin()[0]) / view.signal("width");
  return begin + Math.min(1, Math.max(0, part)) * (end - begin);
}

/** Cover a part of the time with a band. */
export function showBand(panel, from, to) {
  const left = pixelOf(panel, Math.min(from, to));
  const width = Math.max(1, pixelOf(panel, Math.max(from, to)) - left);
  Object.assign(panel.chosen.style, {
    left: `${left}px`,
    width: `${width}px`,
    height: `${panel.view.signal("height")}px`,
  });
  panel.chosen.hidden = false;
}

/** Draw the cursor at a time, if the panel shows this time. */
export function showCursor(panel, time) {
  panel.cursor.hidden = time === null || time < panel.span[0] || time > panel.span[1];
  if (time === null) return;
  const place = { left: `${pixelOf(panel, time)}px`, height: `${panel.view.signal("height")}px` };
  Object.assign(panel.cursor.style, place);
}

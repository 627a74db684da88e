// SPDX-License-Identifier: MIT
// Drawing: figures in view are drawn first, the rest when there is time. New names or a new width redraw all.
// Charts take their colours from the style sheet, so that they follow the scheme, also on paper.
import { saveButtons } from "../shared/saved_pictures.js";
import { data } from "./page_data.js";

export const EDGES = 24;
// `ast`: Vega interprets expressions because the page's policy forbids it to compile text.
const EMBED = { renderer: "svg", actions: false, ast: true };
const figures = [];
const drawnListeners = [];
const watch = new IntersectionObserver(drawSeen, { rootMargin: "200px" });

/** Draw a figure now or later: `draw` returns Vega-Lite, or the reason for none; `drawn` takes the view. */
export function addFigure(root, draw, drawn = () => {}) {
  const place = root.firstElementChild;
  const figure = { root, place, draw, drawn, stale: true, seen: false, view: null, count: 0, again: false };
  figures.push(figure);
  watch.observe(root);
  return figure;
}

/** Call `listener` each time when no figure is left to draw. */
export function onAllDrawn(listener) {
  drawnListeners.push(listener);
}

function drawSeen(entries) {
  for (const entry of entries) {
    const figure = figures.find(({ root }) => root === entry.target);
    figure.seen = entry.isIntersecting;
    if (figure.seen && figure.stale) drawFigure(figure);
  }
}

/** Draw all figures again. */
export function redraw() {
  for (const figure of figures) refresh(figure);
  drawWhenIdle();
}

/** Draw a figure again: now if it is in view, else when there is time. */
export function refresh(figure) {
  figure.stale = true;
  if (figure.seen) drawFigure(figure);
}

export function whenIdle(work) {
  if (window.requestIdleCallback) requestIdleCallback(work, { timeout: 300 });
  else setTimeout(work, 50);
}

export function drawWhenIdle() {
  whenIdle(async () => {
    const next = figures.find((figure) => figure.stale && figure.root.clientWidth);
    if (next) {
      await drawFigure(next);
      drawWhenIdle();
    } else for (const listener of drawnListeners) listener();
  });
}

/** Draw a figure. A request during the drawing waits for its end, because two drawings at a time would both stay. */
export function drawFigure(figure) {
  figure.stale = false;
  figure.again = true;
  figure.drawing ??= drawWhileAsked(figure);
  return figure.drawing;
}

async function drawWhileAsked(figure) {
  for (; figure.again; figure.root.dataset.drawn = ++figure.count) {
    figure.again = false;
    try {
      await drawNow(figure);
    } catch (error) {
      figure.place.textContent = `This figure cannot be drawn: ${error.message}`;
      console.error(error);
    }
  }
  figure.drawing = null;
}

async function drawNow(figure) {
  const spec = figure.draw(Math.max(200, figure.root.clientWidth - EDGES));
  figure.view?.finalize();
  figure.view = null;
  if (typeof spec === "string") {
    figure.place.textContent = spec;
    return;
  }
  figure.view = await vegaEmbed(figure.place, { ...spec, config: data.look }, EMBED);
  nameDrawing(figure);
  figure.drawn(figure.view.view);
}

/** Give the drawing a name, and buttons that save it. */
function nameDrawing({ root, place }) {
  const drawing = place.querySelector("svg.marks");
  const label = root.getAttribute("aria-label") ?? "Figure";
  // Its parts have roles of their own, but no names.
  for (const part of drawing.querySelectorAll("[role], [aria-roledescription], [aria-label]")) {
    for (const name of ["role", "aria-roledescription", "aria-label"]) part.removeAttribute(name);
  }
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", label);
  if (root.querySelector(".save")) return;
  const shown = () => place.querySelector("svg.marks");
  root.prepend(saveButtons(root.dataset.title ?? label, shown, root.id || "figure"));
}

// SPDX-License-Identifier: MIT
// Drawing: what is seen is drawn first, the rest when there is time, and again when names or the width change. Charts take
// their colours from the style sheet, so that they follow the scheme, also on paper.
const figures = [], EDGES = 24;
const EMBED = { renderer: "svg", actions: false };

/** Draw a figure now or later: `draw` gives Vega-Lite, or text that says why there is none; `drawn` takes the view. */
function figure(root, draw, drawn = () => {}) {
  const own = { root, draw, drawn, stale: true, seen: false, view: null, count: 0 };
  figures.push(own);
  watch.observe(root);
  return own;
}
const watch = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const own = figures.find((each) => each.root === entry.target);
    own.seen = entry.isIntersecting;
    if (own.seen && own.stale) drawFigure(own);
  }
}, { rootMargin: "200px" });

function redraw() {
  for (const own of figures) own.stale = true;
  for (const own of figures) if (own.seen) drawFigure(own);
  whenIdle();
}
const soon = (work) => (window.requestIdleCallback ? requestIdleCallback(work, { timeout: 300 }) : setTimeout(work, 50));
let whenDrawn = () => {};
function whenIdle() {
  soon(async () => {
    const next = figures.find((own) => own.stale && own.root.clientWidth);
    if (!next) return whenDrawn();
    await drawFigure(next);
    whenIdle();
  });
}

async function drawFigure(own) {
  try {
    await drawNow(own);
  } catch (error) {
    own.root.firstElementChild.textContent = `This figure cannot be drawn: ${error.message}`;
    own.root.dataset.drawn = own.count;
    console.error(error);
  }
}
async function drawNow(own) {
  own.stale = false;
  const mine = ++own.count, place = own.root.firstElementChild;
  const spec = own.draw(Math.max(200, own.root.clientWidth - EDGES));
  if (typeof spec === "string") {
    own.view?.finalize();
    own.view = null;
    place.textContent = spec;
  } else {
    const made = await vegaEmbed(place, { ...spec, config: data.look }, EMBED);
    if (mine !== own.count) { made.finalize(); return; }
    own.view?.finalize();
    own.view = made;
    tidy(own.root, place);
    own.drawn(made.view);
  }
  own.root.dataset.drawn = mine;
}
/** Give the drawing a name, and buttons that save it. */
function tidy(root, place) {
  const drawing = place.querySelector("svg.marks"), label = root.getAttribute("aria-label") ?? "Figure";
  // Its parts have roles of their own, but no names.
  for (const part of drawing.querySelectorAll("[role], [aria-roledescription], [aria-label]")) {
    for (const name of ["role", "aria-roledescription", "aria-label"]) part.removeAttribute(name);
  }
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", label);
  if (!root.querySelector(".save")) root.prepend(saveButtons(root.dataset.title ?? label, () => place.querySelector("svg.marks"), root.id || "figure"));
}

const short = (value) => (value === null ? "–" : Number(value.toPrecision(4)).toString());
/** A few digits, for a box or a label. */
const brief = (value) => (Math.abs(value) >= 100 ? String(Math.round(value)) : Number(value.toPrecision(3)).toString());

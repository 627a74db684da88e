// SPDX-License-Identifier: MIT
// Drawing: what is seen is drawn first, the rest when there is time, and again when names or the width change. Charts take
// their colours from the style sheet, so that they follow the scheme, also on paper.
const figures = [], EDGES = 24;
const EMBED = { renderer: "svg", actions: false };

/** Draw a figure now or later: `draw` gives Vega-Lite, or text that says why there is none; `drawn` takes the view. */
function figure(root, draw, drawn = () => {}) {
  const own = { root, place: root.firstElementChild, draw, drawn, stale: true, seen: false, view: null, count: 0, again: false, drawing: null };
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

/** Draw it; asked again meanwhile, draw it once more afterwards: of two drawings at a time both would stay. */
function drawFigure(own) {
  own.stale = false;
  own.again = true;
  own.drawing ??= drawWhileAsked(own);
  return own.drawing;
}
async function drawWhileAsked(own) {
  for (; own.again; own.root.dataset.drawn = ++own.count) {
    own.again = false;
    try {
      await drawNow(own);
    } catch (error) {
      own.place.textContent = `This figure cannot be drawn: ${error.message}`;
      console.error(error);
    }
  }
  own.drawing = null;
}
async function drawNow(own) {
  const spec = own.draw(Math.max(200, own.root.clientWidth - EDGES));
  own.view?.finalize();
  own.view = null;
  if (typeof spec === "string") {
    own.place.textContent = spec;
    return;
  }
  const made = await vegaEmbed(own.place, { ...spec, config: data.look }, EMBED);
  own.view = made;
  tidy(own.root, own.place);
  own.drawn(made.view);
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

const ruler = document.createElement("canvas").getContext("2d");
/** The head of a panel in lines of at most so many pixels, broken after commas, and at blanks only where it must be. */
function inLines(text, most, look) {
  ruler.font = `${look.header.labelFontSize}px ${look.font}`;
  const lines = [""], fits = (line) => ruler.measureText(line.trim()).width <= most;
  for (const part of text.split(/(?<=, )/)) {
    for (const piece of fits(part) ? [part] : part.split(/(?<= )/)) {
      if (lines.at(-1) && !fits(lines.at(-1) + piece)) lines.push("");
      lines.push(lines.pop() + piece);
    }
  }
  return lines.map((line) => line.trim());
}

const short = (value) => (value === null ? "–" : Number(value.toPrecision(4)).toString());
/** A few digits, for a box or a label. */
const brief = (value) => (Math.abs(value) >= 100 ? String(Math.round(value)) : Number(value.toPrecision(3)).toString());

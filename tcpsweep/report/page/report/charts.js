// SPDX-License-Identifier: MIT
// Drawing: what is seen is drawn first, the rest when there is time, and again when names, colours or the width change.
const figures = [];
const EMBED = { renderer: "svg", actions: { export: true, source: false, compiled: false, editor: false } };

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
  const spec = own.draw(Math.max(200, own.root.clientWidth - 50));
  if (typeof spec === "string") {
    own.view?.finalize();
    own.view = null;
    place.textContent = spec;
  } else {
    const made = await vegaEmbed(place, { ...spec, config: look() }, EMBED);
    if (mine !== own.count) { made.finalize(); return; }
    own.view?.finalize();
    own.view = made;
    tidy(place, own.root.getAttribute("aria-label"));
    own.drawn(made.view);
  }
  own.root.dataset.drawn = mine;
}
/** Give the drawing a name, and its menu too. */
function tidy(place, label) {
  const drawing = place.querySelector("svg.marks");
  // Its parts have roles of their own, but no names.
  for (const part of drawing?.querySelectorAll("[role], [aria-roledescription], [aria-label]") ?? []) {
    for (const name of ["role", "aria-roledescription", "aria-label"]) part.removeAttribute(name);
  }
  drawing?.setAttribute("role", "img");
  drawing?.setAttribute("aria-label", label ?? "Figure");
  place.querySelector("summary")?.setAttribute("aria-label", "Save this figure");
}

const short = (value) => (value === null ? "–" : Number(value.toPrecision(4)).toString());
/** A few digits, for a box or a label. */
const brief = (value) => (Math.abs(value) >= 100 ? String(Math.round(value)) : Number(value.toPrecision(3)).toString());
const titled = (metric) => (metric.unit ? `${metric.title} [${metric.unit}]` : metric.title);

const axes = new Map(data.axes.map((axis, number) => [axis.name, { ...axis, number }]));
const networkAxes = data.axes.filter((axis) => axis.name !== "variant");
const textOf = (combination, name) => axes.get(name).values[data.combinations[combination][axes.get(name).number]];
const whereOf = (combination) => networkAxes.map((axis) => `${axis.title} ${textOf(combination, axis.name)}`).join(", ");
const networkOf = (combination) => networkAxes.map((axis) => textOf(combination, axis.name)).join(", ");

/** A metric's means of what is not hidden. */
function pointsOf(name) {
  const from = data.points[name], of = (column, i) => (Array.isArray(column) ? column[i] : column);
  return data.keys[from.at].flatMap(([combination, apart, own], i) => isShown(combination) ? [{
    combination, apart, own, mean: from.mean[i], low: from.low[i], high: from.high[i],
    runs: of(from.runs, i), distinct: of(from.distinct, i), found: from.found[i] ?? ".",
  }] : []);
}
/** A point's words for the tooltip. */
function words({ combination, apart, mean, low, high, runs, distinct }, metric) {
  const interval = low === null ? "" : ` [${short(low)}, ${short(high)}]`;
  return {
    series: nameOf(data.series[apart][0]), where: whereOf(combination),
    runs: `${runs}${runs > 1 && distinct === 1 ? ", identical" : ""}`, value: `${short(mean)}${interval} ${metric.unit}`.trim(),
  };
}
/** A template with the scales of the series that its rows have, and a vertical axis where it shows some fields. */
function filled(template, rows, fields = [], vertical = {}, width = 600) {
  const made = structuredClone(template), own = scales(new Set(rows.map((row) => row.number)));
  const columns = Math.max(1, Math.floor(width / (8 * Math.max(10, ...own.color.domain.map((name) => name.length)) + 30)));
  for (const layer of made.layer ?? [made]) {
    for (const [channel, encoding] of Object.entries(layer.encoding)) {
      if (channel === "y" && fields.includes(encoding.field)) Object.assign(encoding, vertical);
      if (own[channel] && encoding.field === "series") {
        encoding.scale = own[channel];
        if (encoding.legend !== null) encoding.legend = { ...encoding.legend, columns };
      }
    }
  }
  return made;
}
const isWide = (metric, least, most) => metric.unit && least > 0 && most > 30 * least;

/** The runs of a combination, as links to their cells' pages. */
function runsOf(combination) {
  return data.cells[combination].flatMap(([run, cell], i) => {
    const before = i ? [", "] : [];
    if (data.pages === null) return [...before, `run ${run} (${cell})`];
    return [...before, Object.assign(document.createElement("a"), { href: `${data.pages}${encodeURIComponent(cell)}.html`, textContent: `run ${run}` })];
  });
}
/** The cells of what was clicked. */
function explain(details, datum) {
  if (datum?.combination === undefined) return;
  const line = document.createElement("p");
  line.append(`${datum.series}, ${datum.where}: ${datum.value}. Its cells: `, ...runsOf(datum.combination));
  details.replaceChildren(line);
}
/** A menu of metrics, in their groups. */
function metricMenu(select) {
  const groups = new Map();
  for (const [name, metric] of Object.entries(data.metrics)) groups.set(metric.group, [...(groups.get(metric.group) ?? []), [name, metric]]);
  select.replaceChildren(...[...groups].map(([label, members]) => {
    const group = Object.assign(document.createElement("optgroup"), { label });
    group.append(...members.map(([name, metric]) => new Option(titled(metric), name)));
    return group;
  }));
}

// SPDX-License-Identifier: MIT
// A cell's charts over time: as wide as the page, all of the same part of the time, which is in the page's address.
import { readTimeline, timeText, topOfWindows, valuesAt } from "./timeline_data.js";
import { drawPanel, panelsOf, showBand, showCursor, timeAt } from "./timeline_panels.js";

/** How far each button moves both ends, by the length of the time that is shown. */
const MOVES = {
  earlier: (length) => [-length / 2, -length / 2],
  later: (length) => [length / 2, length / 2],
  closer: (length) => [length / 4, -length / 4],
  wider: (length) => [-length / 2, length / 2],
  all: () => [-Infinity, Infinity],
};
const LEAST_PART = 1 / 200; // of the time that is shown; a shorter drag chooses nothing
let timeline = null;
let charts = null;
let root = null;
let panels = [];
const shown = { begin: 0, until: 0, apart: [], common: false, at: null };

const field = (name) => root.querySelector(`input[name=${name}]`);
const button = (name) => root.querySelector(`button[name=${name}]`);
const flowButtons = () => [...root.querySelectorAll(".flows button")];
const drawnPanels = () => panels.filter(({ view }) => view);

export async function startTimeline(drawn) {
  charts = drawn;
  root = document.getElementById("timeline");
  if (!root) return;
  timeline = readTimeline();
  panels = panelsOf(root);
  listenToControls();
  listenToWindow();
  root.hidden = false;
  readAddress();
  for (const panel of panels) {
    await drawPanel(panel, timeline, charts);
    listenToPointer(panel);
  }
  await show();
  if (location.hash) root.scrollIntoView();
}

// Showing the choice

/** Show the choice: the time in all charts but the overview, the flows in all. */
async function show() {
  field("from").value = Number(shown.begin.toFixed(3));
  field("to").value = Number(shown.until.toFixed(3));
  for (const each of flowButtons()) each.setAttribute("aria-pressed", shown.apart.includes(Number(each.value)));
  button("common")?.setAttribute("aria-pressed", shown.common);
  await Promise.all(drawnPanels().map(showIn));
  markInOverview();
  pointAt(shown.at);
  root.dataset.drawn = Number(root.dataset.drawn ?? 0) + 1;
}

function showIn(panel) {
  const { view, figure, place } = panel;
  panel.span = figure ? [shown.begin, shown.until] : [0, timeline.end];
  if (figure) view.signal("begin", shown.begin).signal("until", shown.until);
  if (place.dataset.chart === "window") {
    const flow = shown.common ? undefined : Number(figure.dataset.flow);
    view.signal("top", topOfWindows(timeline, shown, flow));
  }
  return view.signal("apart", shown.apart).runAsync();
}

/** Mark in the overview the time that the other charts show. */
function markInOverview() {
  for (const panel of drawnPanels()) {
    if (!panel.figure && isPart()) showBand(panel, shown.begin, shown.until);
    else panel.chosen.hidden = true;
  }
}

const isPart = () => shown.begin > 0 || shown.until < timeline.end;

/** Show the values at a time; none if it is null. */
function pointAt(time) {
  shown.at = time;
  root.querySelector(".timebar output").textContent = time === null ? "" : timeText(time);
  for (const panel of drawnPanels()) {
    const { figure, place } = panel;
    showCursor(panel, time);
    const values = time === null || !figure ? [] : valuesAt(timeline, place.dataset, figure.dataset.flow, time);
    figure?.querySelector(".values").replaceChildren(...values);
  }
}

// The reader's actions

function chooseTime(begin, until) {
  shown.begin = Math.max(0, Math.min(begin, until));
  shown.until = Math.min(timeline.end, Math.max(begin, until));
  if (!(shown.until > shown.begin)) [shown.begin, shown.until] = [0, timeline.end];
  return keepAndShow();
}

function keepAndShow() {
  keepInAddress();
  return show();
}

/** A drag over a chart chooses a part of the time, a double click all of it; a pointer shows values at its place. */
function listenToPointer(panel) {
  const { place } = panel;
  let from = null;
  place.addEventListener("pointerdown", (event) => {
    if (event.button || (event.pointerType === "touch" && !event.isPrimary)) return;
    from = timeAt(panel, event);
    place.setPointerCapture?.(event.pointerId);
  });
  place.addEventListener("pointermove", (event) => {
    const time = timeAt(panel, event);
    pointAt(time);
    if (from !== null) showBand(panel, from, time);
  });
  place.addEventListener("pointerup", (event) => {
    if (from === null) return;
    const [begin, end] = panel.span;
    const [first, last] = [from, timeAt(panel, event)];
    from = null;
    if (Math.abs(last - first) > (end - begin) * LEAST_PART) chooseTime(first, last);
    else markInOverview();
  });
  place.addEventListener("pointercancel", () => {
    from = null;
    markInOverview();
  });
  place.addEventListener("pointerleave", () => {
    if (from === null) pointAt(null);
  });
  place.addEventListener("dblclick", () => chooseTime(0, timeline.end));
}

function listenToControls() {
  for (const name of ["from", "to"]) {
    const chosen = () => chooseTime(Number(field("from").value), Number(field("to").value) || timeline.end);
    field(name).addEventListener("change", chosen);
  }
  field("at").addEventListener("input", () => {
    const part = Number(field("at").value) / timeline.end;
    pointAt(shown.begin + part * (shown.until - shown.begin));
  });
  for (const [name, move] of Object.entries(MOVES)) button(name).addEventListener("click", () => moveBy(move));
  button("common")?.addEventListener("click", () => {
    shown.common = !shown.common;
    keepAndShow();
  });
  root.querySelector("select[name=sequence]")?.addEventListener("change", chooseSequence);
  for (const each of flowButtons()) {
    each.addEventListener("click", () => {
      const flow = Number(each.value);
      const others = shown.apart.filter((other) => other !== flow);
      shown.apart = others.length < shown.apart.length ? others : [...shown.apart, flow];
      keepAndShow();
    });
  }
}

/** Draw the time–sequence diagram of another flow's direction, and show its limit. */
async function chooseSequence({ target }) {
  const panel = panels.find(({ place }) => place.dataset.chart === "sequence");
  const { limit, details } = target.selectedOptions[0].dataset;
  panel.figure.dataset.flow = target.value;
  panel.figure.querySelector(".limit").textContent = limit;
  panel.figure.querySelector(".details").textContent = details;
  panel.view.finalize();
  await drawPanel(panel, timeline, charts);
  await show();
}

/** Move the ends of the shown time; a pure shift keeps its length at the ends of the simulation. */
function moveBy(move) {
  let [first, last] = move(shown.until - shown.begin);
  if (first === last) first = last = Math.min(Math.max(first, -shown.begin), timeline.end - shown.until);
  chooseTime(shown.begin + first, shown.until + last);
}

function listenToWindow() {
  addEventListener("hashchange", () => {
    if (!/^#(from|to|flows|axis)=/.test(location.hash)) return;
    readAddress();
    show();
    root.scrollIntoView();
  });
  addEventListener("resize", () =>
    requestAnimationFrame(() => {
      markInOverview();
      pointAt(shown.at);
    }),
  );
}

// The choice is in the page's address, and links to other cells keep it.

function keepInAddress() {
  const parts = new URLSearchParams();
  if (isPart()) {
    parts.set("from", Number(shown.begin.toFixed(3)));
    parts.set("to", Number(shown.until.toFixed(3)));
  }
  if (shown.apart.length) parts.set("flows", shown.apart.join("."));
  if (shown.common) parts.set("axis", "one");
  const text = parts.toString();
  history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
  for (const link of document.querySelectorAll(".cells li a")) link.hash = text;
}

function readAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const [from, to] = ["from", "to"].map((name) => parseFloat(parts.get(name)));
  const { end, flows } = timeline;
  [shown.begin, shown.until] = to > from && from < end ? [Math.max(0, from), Math.min(end, to)] : [0, end];
  const numbers = (parts.get("flows") ?? "").split(".").map((text) => parseInt(text, 10));
  shown.apart = numbers.filter((flow) => flow in flows);
  shown.common = parts.get("axis") === "one";
  keepInAddress();
}

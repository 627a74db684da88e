// SPDX-License-Identifier: MIT
// Explore: the reader selects means of the sweep and a kind of chart, and Vega-Lite draws them.
// tcpsweep/core/report/sections/explorer.py describes the data.
import { addressValue, keepInAddress, onFollow, shownSection } from "../frame/address.js";
import { addFigure, drawFigure, drawWhenIdle } from "../frame/charts.js";
import { data } from "../frame/page_data.js";
import { choose, labelledMenu, offer } from "../shared/elements.js";
import { showCells } from "./cell_links.js";
import { heatMap } from "./explorer_heat_map.js";
import { lines } from "./explorer_lines.js";
import { inPanels } from "./explorer_panels.js";
import { plane } from "./explorer_plane.js";
import { define, fillMetricMenu } from "./metric_menu.js";
import { axes, networkAxes, textOf } from "./points.js";
import { isShown, nameOf } from "./series.js";

const NONE = "–";
const FEW_VALUES = 4; // an axis of up to this number of values has a panel for each of them at first
const KINDS = {
  lines: { title: "means against an axis", draw: lines },
  "heat map": { title: "heat map of variant and network", draw: heatMap },
  plane: { title: "delay and throughput", draw: plane },
};
const controls = {};
let figure = null;

const value = (name) => controls[name]?.value;
const isKind = (kind) => value("kind") === kind;
const heldName = (axis) => `held ${axis.name}`;
const named = networkAxes.map((axis) => [axis.name, axis.title]);

export function startExplorer() {
  const root = document.getElementById("explorer");
  if (!root) return;
  addControls(root.querySelector(".controls"));
  chooseFirst();
  root.hidden = false;
  readAddress();
  const details = root.querySelector(".details");
  const drawn = (view) => {
    view.addEventListener("click", (_, item) => showCells(details, item?.datum));
    details.replaceChildren();
    root.view = view;
  };
  figure = addFigure(root.querySelector(".chart"), (width) => draw(root, width), drawn);
  onFollow(() => {
    readAddress();
    drawWhenIdle();
  });
}

// The controls

function addControls(place) {
  const add = (name, title, options) => {
    controls[name] = labelledMenu(place, name, title, () => changed(name));
    if (options) offer(controls[name], options);
  };
  const kinds = Object.entries(KINDS).filter(([kind]) => isPossible(kind));
  add(
    "kind",
    "Figure",
    kinds.map(([kind, { title }]) => [kind, title]),
  );
  add("metric", "Metric");
  fillMetricMenu(controls.metric);
  add("axis", "Horizontal axis", [...named, ...(axes.has("variant") ? [["variant", "variant"]] : [])]);
  add("columns", "Panels side by side, for each", [["", NONE], ...named]);
  add("rows", "Panels below each other, for each", [["", NONE], ...named]);
  const means = [
    ["", "mean"],
    ["ratio", `ratio to ${nameOf(data.baseline ?? "")}`],
  ];
  add("relative", "Shown as", means);
  for (const axis of networkAxes) {
    const options = axis.values.map((text) => [text, text]);
    add(heldName(axis), axis.title, options);
  }
}

function isPossible(kind) {
  if (kind === "plane") return Boolean(data.clouds);
  return kind !== "heat map" || networkAxes.length > 0;
}

/**
 * At first, the axis with the most values is across. Of the axes with few values, the first has a panel for each, or an
 * axis from which others follow: for example `corrections`, if Linux has a value of its own there.
 */
function chooseFirst() {
  const long = networkAxes.filter((axis) => axis.numeric).toSorted((a, b) => b.values.length - a.values.length);
  if (long.length) controls.axis.value = long[0].name;
  fit();
  const few = networkAxes.filter((axis) => axis.name !== value("axis") && axis.values.length <= FEW_VALUES);
  const following = ({ name }) =>
    networkAxes.filter((axis) => axis.name !== name && followsFrom(axis.name, [name])).length;
  const [next] = few.toSorted((a, b) => following(b) - following(a));
  if (next) controls.columns.value = next.name;
}

/** Fit the controls to each other after one of them has changed. */
function fit(changedName) {
  const shown = { metric: !isKind("plane"), axis: isKind("lines"), columns: !isKind("heat map") };
  Object.assign(shown, { rows: shown.columns, relative: isKind("heat map") && Boolean(data.baseline) });
  for (const [name, isVisible] of Object.entries(shown)) show(name, isVisible);
  const across = isKind("lines") ? [value("axis")] : [];
  offer(controls.columns, others(across));
  offer(controls.rows, others([...across, value("columns")]));
  const choice = currentChoice();
  for (const axis of networkAxes) show(heldName(axis), choice.held.includes(axis));
  if (!changedName || changedName === "axis") settle(choice);
}

function show(name, isVisible) {
  controls[name].parentElement.hidden = !isVisible;
}

const others = (names) => [["", NONE], ...named.filter(([name]) => !names.includes(name))];

/** Hold each axis at its value with the most variation in the chart: some grids lack some pairs of values. */
function settle(choice) {
  for (const axis of choice.held) {
    const { number } = axes.get(choice.axis ?? axis.name);
    const counts = axis.values.map((text) => {
      const rows = data.combinations.filter((_, combination) => textOf(combination, axis.name) === text);
      return new Set(rows.map((row) => row[number])).size;
    });
    controls[heldName(axis)].value = axis.values[counts.indexOf(Math.max(...counts))];
  }
}

function changed(name) {
  fit(name);
  const shown = ([, select]) => (select.parentElement.hidden ? "" : select.value);
  const values = Object.entries(controls).map((control) => [control[0], shown(control)]);
  keepInAddress(Object.fromEntries(values), "explore");
  drawFigure(figure);
}

/** Choose the values that the address has. */
function readAddress() {
  fit();
  // Twice, because the options of one control depend on others.
  for (let round = 0; round < 2; round++) {
    for (const [name, select] of Object.entries(controls)) choose(select, addressValue(name));
    fit("address");
  }
  if (!figure) return;
  if (figure.seen || shownSection() === "explore") drawFigure(figure);
  else figure.stale = true;
}

// The choice and its drawing

/** Which axes make panels and which are held at a value; axes that change with the shown axes have no choice. */
function currentChoice() {
  const panels = isKind("heat map") ? [] : ["columns", "rows"].map(value);
  const axis = isKind("lines") ? value("axis") : undefined;
  const shown = new Set([axis, ...panels, "variant"].filter(Boolean));
  const free = isKind("heat map") ? [] : networkAxes.filter(({ name }) => !shown.has(name));
  const known = [...shown].filter((name) => axes.has(name));
  const held = free.filter(({ name }) => !followsFrom(name, known));
  const [columns, rows] = panels;
  return { kind: value("kind"), metric: value("metric"), relative: value("relative"), axis, columns, rows, held };
}

/** Whether an axis' value follows from the values of the axes that are shown. */
function followsFrom(name, shown) {
  const found = new Map();
  return [...data.combinations.keys()].every((combination) => {
    const key = JSON.stringify(shown.map((other) => textOf(combination, other)));
    if (!found.has(key)) found.set(key, textOf(combination, name));
    return found.get(key) === textOf(combination, name);
  });
}

function draw(root, width) {
  const choice = currentChoice();
  define(root.querySelector(".definition"), choice.kind === "plane" ? "" : choice.metric);
  const wanted = choice.held.map((axis) => [axis.name, value(heldName(axis))]);
  const isWanted = (combination) => wanted.every(([name, text]) => textOf(combination, name) === text);
  const numbers = [...data.combinations.keys()];
  const combinations = new Set(numbers.filter((combination) => isShown(combination) && isWanted(combination)));
  const drawn = KINDS[choice.kind].draw(choice, combinations, width);
  if (!drawn.rows.length) return "No simulation has a value of this metric for this choice.";
  return inPanels(drawn, choice, width);
}

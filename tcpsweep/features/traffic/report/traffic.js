// SPDX-License-Identifier: MIT
// Traffic: a group's metrics against an axis; for arriving flows, their slowdown by size and its distribution.
// tcpsweep/features/traffic/traffic_section.py describes the data.
import { addressValue, keepInAddress, onFollow } from "../../../core/report/page/frame/address.js";
import { addFigure, drawFigure, drawWhenIdle, refresh } from "../../../core/report/page/frame/charts.js";
import { data } from "../../../core/report/page/frame/page_data.js";
import { choose, labelledMenu, offer } from "../../../core/report/page/shared/elements.js";
import { networkOf, titled, whereOf } from "../../../core/report/page/report/points.js";
import { byAxis, bySize, distribution } from "./traffic_charts.js";

const traffic = data.traffic;
const menus = {};
const figures = {};
let arrivals = null;

const group = () => traffic.groups.find(({ name }) => name === menus.group.value);

export function start() {
  const root = document.getElementById("traffic-figures");
  if (!root || !traffic || !data.charts["over time"]) return;
  arrivals = document.getElementById("traffic-slowdown");
  addMenu(root, "group", "Traffic", () => fit(group().axis));
  addMenu(root, "metric", "Metric", () => drawFigure(figures.main));
  addMenu(root, "axis", "Horizontal axis", () => drawFigure(figures.main));
  addMenu(arrivals, "network", "Network", () => {
    drawFigure(figures.sizes);
    drawFigure(figures.distribution);
  });
  root.hidden = false;
  offerIfSeveral(
    menus.group,
    traffic.groups.map(({ name, kind }) => [name, `${name} (${kind})`]),
  );
  read();
  const add = (id, draw) => addFigure(document.getElementById(id), draw);
  figures.main = add("traffic-metric", (width) => byAxis(root, group(), menus.metric.value, menus.axis.value, width));
  figures.sizes = add("traffic-sizes", (width) => bySize(arrivals, group(), menus.network.value, width));
  figures.distribution = add("traffic-distribution", (width) => distribution(group(), menus.network.value, width));
  onFollow(() => {
    read();
    drawWhenIdle();
  });
}

function addMenu(root, name, title, changed) {
  menus[name] = labelledMenu(root.querySelector(".controls"), `traffic ${name}`, title, () => {
    changed();
    remember();
    drawWhenIdle();
  });
}

function offerIfSeveral(select, options, chosen) {
  offer(select, options, chosen);
  select.parentElement.hidden = options.length < 2;
}

/** Fit the menus to the chosen group. */
function fit(axis = menus.axis.value || group().axis) {
  const { metrics, points, kind } = group();
  offerIfSeveral(
    menus.metric,
    metrics.map((name) => [name, titled(traffic.metrics[name])]),
  );
  offerIfSeveral(
    menus.axis,
    data.axes.map(({ name, title }) => [name, title]),
    axis,
  );
  const named = (points[metrics[0]] ?? []).map(([combination]) => [networkOf(combination), whereOf(combination)]);
  offerIfSeveral(menus.network, [...new Map(named)]);
  arrivals.hidden = kind !== "arrivals";
  for (const figure of Object.values(figures)) refresh(figure);
}

function remember() {
  const shown = (select) => (select.parentElement.hidden ? "" : select.value);
  const values = Object.entries(menus).map(([name, select]) => [`traffic ${name}`, shown(select)]);
  keepInAddress(Object.fromEntries(values), "traffic");
}

/** Choose the address' values, the group first, because the other menus' options depend on it. */
function read() {
  for (const name of ["group", "metric", "axis", "network"]) {
    choose(menus[name], addressValue(`traffic ${name}`));
    if (name === "group") fit();
  }
  fit();
}

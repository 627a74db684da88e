// SPDX-License-Identifier: MIT
// Links: the network of the chosen combination, with the load of its links.
import { addressValue, keepInAddress, onFollow } from "../frame/address.js";
import { data } from "../frame/page_data.js";
import { choose, labelledMenu, offer } from "../shared/elements.js";
import { drawNetwork, keepDrawn } from "../shared/network_drawing.js";
import { titled } from "./points.js";
import { runLink } from "./cell_links.js";
import { nameOf } from "./series.js";

const map = data.networks;
const menus = {};
let root = null;
let now = null; // the combination that is shown
let chosen = ""; // the link or group that is chosen in the drawing

export function startLinks() {
  root = document.querySelector(".network");
  if (!root || !map) return;
  addMenu(
    "metric",
    "Load",
    map.metrics.map((metric) => [metric.name, titled(metric)]),
  );
  for (const axis of map.axes)
    addMenu(
      axis.name,
      axis.title,
      axis.values.map((value, place) => [place, value]),
    );
  now = best(map.combinations, size);
  root.hidden = false;
  onFollow(read);
  read();
  keepDrawn(root, show);
}

function addMenu(name, title, options) {
  menus[name] = labelledMenu(root.querySelector(".controls"), `links ${name}`, title, () => changed(name));
  offer(menus[name], options);
  menus[name].parentElement.hidden = options.length < 2;
}

const best = (combinations, worth) =>
  combinations.reduce((first, other) => (worth(other) > worth(first) ? other : first));

/** The size that chooses the first network: the most links, then the most flows and hosts with traffic. */
function size({ graph }) {
  const total = (counted) => counted.reduce((sum, { count }) => sum + count, 0);
  return 1e6 * total(map.graphs[graph].links) + total(map.graphs[graph].groups);
}

/** The combination with the most of these values; the value of axis `held` comes before all others. */
function nearest(places, held) {
  const weight = (i) => (i === held ? 1000 : 1);
  return best(map.combinations, ({ at }) =>
    at.reduce((sum, place, i) => sum + (place === places[i] ? weight(i) : 0), 0),
  );
}

function changed(name) {
  const held = map.axes.findIndex((axis) => axis.name === name);
  if (held >= 0)
    now = nearest(
      map.axes.map((axis) => Number(menus[axis.name].value)),
      held,
    );
  show();
  remember();
}

function remember() {
  const values = map.axes.map((axis, i) => [`links ${axis.name}`, axis.values[now.at[i]]]);
  const shown = { "links metric": menus.metric.value, "links shown": chosen };
  keepInAddress({ ...shown, ...Object.fromEntries(values) }, "links");
}

function read() {
  choose(menus.metric, addressValue("links metric"));
  chosen = addressValue("links shown") ?? "";
  const places = map.axes.map((axis, i) => {
    const place = axis.values.indexOf(addressValue(`links ${axis.name}`));
    return place < 0 ? now.at[i] : place;
  });
  now = nearest(places, -1);
  show();
}

function show() {
  map.axes.forEach((axis, i) => {
    menus[axis.name].value = now.at[i];
    if (axis.name !== "variant") return;
    for (const option of menus.variant.options) option.textContent = nameOf(axis.values[option.value]);
  });
  const graph = map.graphs[now.graph];
  const names = [...graph.groups.map(({ name }) => `group ${name}`), ...graph.links.map(({ name }) => `link ${name}`)];
  if (!names.includes(chosen)) chosen = "";
  const metric = map.metrics.find(({ name }) => name === menus.metric.value);
  const variants = now.variants.map((each) => each && nameOf(each));
  const onChoose = (what) => {
    chosen = what;
    show();
    remember();
  };
  drawNetwork(root, { graph, metric, loads: now.loads, variants, chosen, choose: onChoose });
  root.querySelector(".of-cells").replaceChildren(...cellLinks());
}

function cellLinks() {
  if (!map.pages || !now.cells.length) return [];
  const links = now.cells.flatMap(([run, cell], i) => [i ? ", " : "", runLink(run, cell, map.pages)]);
  return ["Its cells: ", ...links];
}

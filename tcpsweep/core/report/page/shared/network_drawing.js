// SPDX-License-Identifier: MIT
// The drawing of a network: links with their load in both directions, and the flows and traffic that cross them.
// tcpsweep/core/report/network_drawing.py describes the data.
import { element } from "./elements.js";
import {
  boxOfNode,
  headAt,
  LANE,
  layoutOf,
  lineLabel,
  movedRight,
  NODE,
  nodeLabel,
  pathOf,
  pointAlong,
} from "./network_geometry.js";
import {
  groupSentence,
  groupWords,
  largest,
  linkName,
  linkSentence,
  loadsOf,
  loadText,
  nodeName,
  usesLink,
} from "./network_words.js";
import { saveButtons } from "./saved_pictures.js";

const LOADS = 10; // colours of the style sheet for loads
const COLOURS = 6; // and for groups
const GROUP = 10.5; // from a link's middle to the first group
const GROUP_STEP = 4;
const LEAST_WIDTH = 280;
const FAINT = 0.16;
const HINT = "Press a link, or a group of flows, for its numbers.";
const FONT = "Liberation Sans, Arial, Helvetica, sans-serif";

/**
 * Draw a network, and the buttons of its flows.
 * @param root an element that contains elements of the classes "groups", "drawing" and "chosen"
 * @param view graph, loads (of each metric), metric (with name, title, unit, percent, top), variants (of each group, or
 *   none), chosen ("", "group NAME" or "link NAME") and choose(what)
 */
export function drawNetwork(root, view) {
  const area = root.querySelector(".drawing");
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.choice : null;
  const plan = planOf(view, Math.max(LEAST_WIDTH, area.clientWidth - 2));
  area.querySelector("svg")?.remove();
  area.append(drawingOf(plan));
  root
    .querySelector(".groups")
    .replaceChildren(...view.graph.groups.map((group, number) => groupButton(view, group, number)));
  root.querySelector(".chosen").textContent = chosenWords(plan);
  const choices = [...root.querySelectorAll("[data-choice]")];
  if (focused) choices.find((each) => each.dataset.choice === focused)?.focus();
  root.dataset.drawn = Number(root.dataset.drawn ?? 0) + 1;
}

/** Draw a network again whenever its width changes, and add buttons that save it. */
export function keepDrawn(root, show) {
  const area = root.querySelector(".drawing");
  area.prepend(saveButtons("The network", () => area.querySelector("svg"), "network"));
  let width = area.clientWidth;
  new ResizeObserver(() => {
    if (area.clientWidth === width) return;
    width = area.clientWidth;
    show();
  }).observe(area);
}

/** A view with its layout, the places of its nodes, the courses of its links, and the chosen group and link. */
function planOf(view, width) {
  const { graph, chosen } = view;
  const layout = layoutOf(graph, width);
  const places = graph.nodes.map((node) => layout.place(node.at));
  const courses = graph.links.map(({ ends, bends }) => [places[ends[0]], ...bends.map(layout.place), places[ends[1]]]);
  const group = graph.groups.find(({ name }) => chosen === `group ${name}`);
  const link = graph.links.findIndex(({ name }) => chosen === `link ${name}`);
  return { ...view, layout, places, courses, group, link };
}

const chosenWords = (plan) =>
  plan.group ? groupSentence(plan, plan.group) : plan.link >= 0 ? linkSentence(plan, plan.link) : HINT;

// Parts outside the chosen group or link are faint.

function linkOpacity({ group, link }, number) {
  if (group) return usesLink(group, number) ? null : FAINT;
  return link >= 0 && link !== number ? FAINT : null;
}

function groupOpacity({ group, link }, own, number) {
  if (link >= 0 && link !== number) return FAINT;
  if (group) return group === own ? null : FAINT;
  return link >= 0 && !usesLink(own, link) ? FAINT : null;
}

function nodeOpacity({ graph, group, link }, number) {
  const touches = ({ ends }, i) => ends.includes(number) && usesLink(group, i);
  if (group) return graph.links.some(touches) ? null : FAINT;
  return link >= 0 && !graph.links[link].ends.includes(number) ? FAINT : null;
}

// The drawing

function svgElement(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const unspoken = (...children) => svgElement("g", { "aria-hidden": "true", fill: "none" }, ...children);

function svgText(x, y, text, attributes = {}) {
  const halo = { "paint-order": "stroke", stroke: "var(--panel)", "stroke-width": 4, "stroke-linejoin": "round" };
  const look = { "font-size": 12, "font-family": FONT, fill: "var(--ink)", ...halo };
  return svgElement("text", { x, y, ...look, ...attributes }, text);
}

function drawingOf(plan) {
  const { graph, layout, metric, places } = plan;
  const { width, height } = layout;
  const label = metric.name ? `The network, its links with their ${metric.title.toLowerCase()}` : "The network";
  const svg = svgElement("svg", {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "group",
    "aria-label": label,
  });
  const boxes = places.map(boxOfNode);
  const numbers = [...graph.links.keys()];
  svg.append(
    svgElement("g", {}, ...numbers.map((number) => drawnLink(plan, number))),
    unspoken(...numbers.flatMap((number) => [0, 1].flatMap((direction) => drawnFlows(plan, number, direction)))),
    unspoken(...graph.nodes.map((node, number) => nodeMark(node, places[number], nodeOpacity(plan, number)))),
    unspoken(...graph.nodes.map((node, number) => nodeText(plan, node, number, boxes))),
    unspoken(...numbers.flatMap((number) => [0, 1].flatMap((direction) => loadLabel(plan, number, direction, boxes)))),
  );
  if (metric.name) svg.append(scaleOfLoads(metric, layout));
  return svg;
}

function drawnLink(plan, number) {
  const link = plan.graph.links[number];
  const d = pathOf(plan.courses[number]);
  const about = linkSentence(plan, number);
  const isChosen = plan.link === number;
  const name = `link ${link.name}`;
  const part = svgElement(
    "g",
    {
      role: "button",
      tabindex: 0,
      class: "link",
      "data-choice": name,
      "aria-pressed": isChosen,
      "aria-label": about,
    },
    svgElement("title", {}, about),
    svgElement("path", { d, fill: "none", stroke: "transparent", "stroke-width": 22 }),
    ...drawnLanes(plan, number),
  );
  if (linkOpacity(plan, number)) part.setAttribute("opacity", linkOpacity(plan, number));
  const dashes = { stroke: "var(--ink)", "stroke-width": 1, "stroke-dasharray": "2 3" };
  if (isChosen) part.append(svgElement("path", { d, fill: "none", ...dashes }));
  const pick = () => plan.choose(isChosen ? "" : name);
  part.addEventListener("click", pick);
  part.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    pick();
  });
  return part;
}

/** A link's directions, each with the width and colour of its load; one thin line where no load is known. */
function drawnLanes(plan, number) {
  const { metric, courses } = plan;
  const loads = loadsOf(plan, number).map(largest);
  const isKnown = loads.some((load) => load !== null);
  const lanes = isKnown ? [courses[number], courses[number].toReversed()] : [courses[number]];
  return lanes.map((points, direction) => {
    const load = loads[direction];
    const share = load === null || !metric.top ? 0 : Math.min(1, load / metric.top);
    const measured = { stroke: `var(--load-${Math.round(share * LOADS)})`, "stroke-width": 3 + 4 * share };
    const look = load === null ? { stroke: "var(--faint)", "stroke-width": 1.6 } : measured;
    const d = pathOf(movedRight(points, isKnown ? LANE : 0));
    return svgElement("path", { d, fill: "none", "stroke-linecap": "butt", ...look });
  });
}

const courseOf = ({ courses }, number, direction) => (direction ? courses[number].toReversed() : courses[number]);
const groupsOn = ({ graph }, lane) => graph.groups.filter(({ lanes }) => lanes.includes(lane));

/** Flows next to the lane that they take, to the right of their direction. */
function drawnFlows(plan, number, direction) {
  return groupsOn(plan, 2 * number + direction).map((group, slot) => {
    const colour = `var(--group-${plan.graph.groups.indexOf(group) % COLOURS})`;
    const points = movedRight(courseOf(plan, number, direction), GROUP + GROUP_STEP * slot);
    const line = { stroke: colour, "stroke-width": 2.4, "stroke-linecap": "round", class: "flow" };
    const head = headAt(pointAlong(points, Math.max(0.3, 0.76 - 0.07 * slot)));
    const parts = [svgElement("path", { d: pathOf(points), ...line }), svgElement("path", { d: head, fill: colour })];
    return svgElement("g", { opacity: groupOpacity(plan, group, number) }, ...parts);
  });
}

/** A lane's load if there is room, with the link's name; the label's box is added to `boxes`. */
function loadLabel(plan, number, direction, boxes) {
  const { courses, graph, layout, metric } = plan;
  const loads = loadsOf(plan, number);
  const text = loadText(loads[direction], metric);
  if (text === null) return [];
  if (layout.isTight && largest(loads[direction]) < (largest(loads[1 - direction]) ?? 0)) return [];
  const isFirst = direction === 0 || loads[0] === null;
  const texts = [`${linkName(graph.links[number])}${isFirst ? "" : " back"} ${text}`, text];
  const away = GROUP + GROUP_STEP * groupsOn(plan, 2 * number + direction).length + 3;
  const others = courses.filter((_, other) => other !== number);
  const near = layout.isTight ? GROUP + 2 : LANE;
  const label = lineLabel(movedRight(courseOf(plan, number, direction), away), texts, {
    boxes,
    others,
    near,
    layout,
  });
  if (!label) return [];
  boxes.push(label.box);
  const look = { "text-anchor": label.anchor, "font-weight": 600, "font-size": 11.5 };
  return [svgText(label.x, label.y, label.text, { ...look, opacity: linkOpacity(plan, number) })];
}

/** A node: one mark, or a pile of them. */
function nodeMark(node, [x, y], opacity) {
  const look = { r: NODE, fill: "var(--panel)", stroke: "var(--ink)", "stroke-width": 1.6 };
  const circles = (node.count > 1 ? [6, 3, 0] : [0]).map((by) =>
    svgElement("circle", { cx: x + by, cy: y - by, ...look }),
  );
  return svgElement("g", { opacity }, ...circles);
}

function nodeText(plan, node, number, boxes) {
  const label = nodeLabel(nodeName(node), node.count > 1, plan.places[number], plan.layout);
  boxes.push(label.box);
  return svgText(label.x, label.y, label.text, { "text-anchor": label.anchor, opacity: nodeOpacity(plan, number) });
}

/** The scale of the colours and widths of links. */
function scaleOfLoads(metric, { height }) {
  const [left, y, step] = [8, height - 22, 14];
  const end = left + (LOADS + 1) * step;
  const boxes = Array.from({ length: LOADS + 1 }, (_, i) => {
    const thick = 3 + (4 * i) / LOADS;
    const place = { x: left + i * step, y: y - thick / 2, width: step, height: thick };
    return svgElement("rect", { ...place, fill: `var(--load-${i})` });
  });
  const look = { "font-size": 11, fill: "var(--soft)" };
  const ends = [
    svgText(left, y + 18, loadText(0, metric), look),
    svgText(end, y + 18, loadText(metric.top, metric), { ...look, "text-anchor": "end" }),
  ];
  return unspoken(...boxes, ...ends, svgText(end + 10, y + 4, metric.title, look));
}

function groupButton(view, group, number) {
  const name = `group ${group.name}`;
  const swatch = element("span", { className: "swatch" });
  swatch.style.setProperty("--of", `var(--group-${number % COLOURS})`);
  const words = element("span", { className: "soft", textContent: groupWords(view, group) });
  const button = element("button", { type: "button" }, swatch, `${group.name} `, words);
  button.dataset.choice = name;
  button.setAttribute("aria-pressed", view.chosen === name);
  button.addEventListener("click", () => view.choose(view.chosen === name ? "" : name));
  return button;
}

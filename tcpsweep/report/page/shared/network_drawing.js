// SPDX-License-Identifier: MIT
// The drawing of a network: links with their load, both ways, and the flows and traffic that cross them.
// What it is given is said in tcpsweep/report/network_drawing.py.
const networkDrawing = (() => {
  "use strict";
  const LOADS = 10, COLOURS = 6; // of the style sheet
  const MARGIN = 46, RIGHT_OF_LABELS = 66, LEAST_LAYER = 104, LAYER = 190, ACROSS = 96, TIER = 112, BESIDE = 84, TIGHT = 150;
  const NODE = 9, LANE = 4, GROUP = 10.5, GROUP_STEP = 4, LETTER = 7, LINE = 14;
  const NONE = [];

  const make = (tag, given = {}, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(given)) if (value !== null) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  const text = (x, y, said, given = {}) => make("text", {
    x, y, "font-size": 12, fill: "var(--ink)", "paint-order": "stroke", stroke: "var(--panel)", "stroke-width": 4,
    "stroke-linejoin": "round", "font-family": "Liberation Sans, Arial, Helvetica, sans-serif", ...given,
  }, said);

  /** A value in words, such as "98 %" or "12 to 14 ms"; `range` is a number, or the least and the most of several. */
  function said(range, metric, to = "–") {
    if (range === null || range === undefined) return null;
    const word = (value) => String(metric.percent ? Number((100 * value).toPrecision(value >= 0.99 ? 3 : 2)) : Number(value.toPrecision(3)));
    const unit = metric.percent ? "%" : metric.unit, [least, most] = [].concat(range, range).map(word).slice(0, 2);
    return `${least === most ? least : `${least}${to}${most}`}${unit ? ` ${unit}` : ""}`;
  }
  const most = (range) => (Array.isArray(range) ? range[1] : range ?? null);
  const many = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  const nodeName = (node) => (node.count > 1 ? `${node.name} × ${node.count}` : node.name);
  const linkName = (link) => (link.count > 1 ? `${link.name} × ${link.count}` : link.name);

  /** Where nodes lie, in pixels, from left to right or from above, whichever there is room for. */
  function placed(graph, width) {
    const layers = Math.max(...graph.nodes.map(({ at }) => at[0])), widest = Math.max(...graph.nodes.map(({ at }) => at[1]));
    const down = graph.tiers || (width - 2 * MARGIN) / Math.max(1, layers) < LEAST_LAYER;
    const room = width - 2 * MARGIN - (down ? RIGHT_OF_LABELS - MARGIN : 0);
    const step = down ? [Math.max(BESIDE, Math.min(1.6 * LAYER, room / Math.max(1, widest))), TIER] : [Math.min(LAYER, room / Math.max(1, layers)), ACROSS];
    const own = down ? widest * step[0] : layers * step[0];
    const left = MARGIN + Math.max(0, (room - own) / 2), top = 34;
    const place = ([layer, across]) => (down ? [left + across * step[0], top + layer * step[1]] : [left + layer * step[0], top + across * step[1]]);
    return { place, down, width: Math.max(width, own + MARGIN + (down ? RIGHT_OF_LABELS : MARGIN)), height: top + (down ? layers : widest) * step[1] + 84, step };
  }
  /** A polyline moved to its right hand, as its direction goes. */
  function beside(points, by) {
    const moved = points.map((point, i) => {
      const [before, after] = [points[Math.max(0, i - 1)], points[Math.min(points.length - 1, i + 1)]];
      const [dx, dy] = [after[0] - before[0], after[1] - before[1]], length = Math.hypot(dx, dy) || 1;
      return [point[0] - (by * dy) / length, point[1] + (by * dx) / length];
    });
    return moved;
  }
  const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
  /** The point at a part of a polyline, and the direction there. */
  function along(points, part) {
    const lengths = points.slice(1).map((point, i) => Math.hypot(point[0] - points[i][0], point[1] - points[i][1]));
    let left = part * lengths.reduce((sum, each) => sum + each, 0), i = 0;
    while (i < lengths.length - 1 && left > lengths[i]) left -= lengths[i++];
    const [from, to] = [points[i], points[i + 1]], share = left / (lengths[i] || 1), length = lengths[i] || 1;
    return { x: from[0] + share * (to[0] - from[0]), y: from[1] + share * (to[1] - from[1]), dx: (to[0] - from[0]) / length, dy: (to[1] - from[1]) / length };
  }

  /**
   * Draw a network, and the buttons of its flows.
   * @param root what has places of the classes "groups", "drawing" and "chosen"
   * @param now graph, loads (of each metric), metric (with name, title, unit, percent, top), variants (of each group, or none),
   *   chosen ("", "group NAME" or "link NAME") and choose(what)
   */
  function draw(root, now) {
    const { graph, metric, chosen } = now, values = now.loads[metric.name] ?? NONE;
    const kept = root.contains(document.activeElement) ? document.activeElement.dataset.choice : null;
    const area = root.querySelector(".drawing"), width = Math.max(280, area.clientWidth - 2);
    const look = placed(graph, width), at = graph.nodes.map((node) => look.place(node.at));
    const groupsOf = graph.links.map((_, number) => graph.groups.filter(({ lanes }) => lanes.includes(2 * number) || lanes.includes(2 * number + 1)));
    const isChosen = (kind, name) => chosen === `${kind} ${name}`;
    const group = graph.groups.find(({ name }) => isChosen("group", name)), link = graph.links.findIndex(({ name }) => isChosen("link", name));
    const back = (is) => (is ? 0.16 : null);
    const stepsBack = {
      link: (number) => (group ? !groupsOf[number].includes(group) : link >= 0 && link !== number),
      group: (each) => (group ? each !== group : link >= 0 && !groupsOf[link].includes(each)),
      node: (number) => (group ? !graph.links.some(({ ends }, i) => ends.includes(number) && groupsOf[i].includes(group)) : link >= 0 && !graph.links[link].ends.includes(number)),
    };
    const svg = make("svg", { width: look.width, height: look.height, viewBox: `0 0 ${look.width} ${look.height}`, role: "group", "aria-label": metric.name ? `The network, its links with their ${metric.title.toLowerCase()}` : "The network" });
    const boxes = at.map(([x, y]) => ({ left: x - NODE - 3, right: x + NODE + 3, top: y - NODE - 3, bottom: y + NODE + 3 }));
    const names = make("g", { "aria-hidden": "true" });
    graph.nodes.forEach((node, number) => names.append(label(node, at[number], look, boxes, back(stepsBack.node(number)))));

    const courses = graph.links.map((each) => [at[each.ends[0]], ...each.bends.map(look.place), at[each.ends[1]]]);
    const lines = make("g"), flows = make("g", { "aria-hidden": "true", fill: "none" }), words = make("g", { "aria-hidden": "true" });
    graph.links.forEach((each, number) => {
      const points = courses[number], ways = [points, points.toReversed()];
      const own = [values[2 * number], values[2 * number + 1]].map((value) => value ?? null);
      const about = sentence(now, number);
      const part = make("g", {
        role: "button", tabindex: 0, class: "link", "data-choice": `link ${each.name}`, "aria-pressed": link === number, "aria-label": about, opacity: back(stepsBack.link(number)),
      }, make("title", {}, about), make("path", { d: path(points), fill: "none", stroke: "transparent", "stroke-width": 22 }));
      ways.forEach((way, reverse) => {
        const value = most(own[reverse]), share = value === null ? 0 : metric.top ? Math.min(1, value / metric.top) : 0;
        const known = own.some((other) => other !== null), by = known ? LANE : 0;
        if (!known && reverse) return;
        part.append(make("path", {
          d: path(beside(way, by)), fill: "none", "stroke-linecap": "butt",
          stroke: value === null ? "var(--faint)" : `var(--load-${Math.round(share * LOADS)})`, "stroke-width": value === null ? 1.6 : 3 + 4 * share,
        }));
      });
      if (link === number) part.append(make("path", { d: path(points), fill: "none", stroke: "var(--ink)", "stroke-width": 1, "stroke-dasharray": "2 3" }));
      lines.append(part);
      // Flows beside the lanes that they take, to the right of their direction.
      const widths = ways.map((way, reverse) => {
        const crossing = graph.groups.filter(({ lanes }) => lanes.includes(2 * number + reverse));
        crossing.forEach((crosses, slot) => {
          const colour = `var(--group-${graph.groups.indexOf(crosses) % COLOURS})`, line = beside(way, GROUP + GROUP_STEP * slot);
          const there = along(line, Math.max(0.3, 0.76 - 0.07 * slot)), faded = back(stepsBack.group(crosses) || (link >= 0 && link !== number));
          flows.append(make("g", { opacity: faded },
            make("path", { d: path(line), stroke: colour, "stroke-width": 2.4, "stroke-linecap": "round", class: "flow" }),
            make("path", { d: head(there), fill: colour })));
        });
        return crossing.length;
      });
      // What the label of a lane says, as much of it as there is room for.
      const named = own.some((value) => value !== null) ? linkName(each) : "";
      ways.forEach((way, reverse) => {
        const value = said(own[reverse], metric);
        if (value === null || (look.down && look.step[0] < TIGHT && most(own[reverse]) < (most(own[1 - reverse]) ?? 0))) return;
        const away = GROUP + GROUP_STEP * widths[reverse] + 3;
        const full = !reverse || own[0] === null ? `${named} ${value}` : value;
        const options = full === value ? [value] : [full, value];
        const others = courses.filter((_, other) => other !== number);
        const found = room(beside(way, away), options, boxes, others, look);
        if (!found) return;
        boxes.push(found.box);
        words.append(text(found.x, found.y, found.said, { "text-anchor": found.anchor, opacity: back(stepsBack.link(number)), "font-weight": 600, "font-size": 11.5 }));
      });
    });
    const marks = make("g", { "aria-hidden": "true" });
    graph.nodes.forEach((node, number) => marks.append(mark(node, at[number], back(stepsBack.node(number)))));
    svg.append(lines, flows, marks, names, words);
    if (metric.name) svg.append(scale(metric, look));
    area.querySelector("svg")?.remove();
    area.append(svg);
    for (const each of lines.querySelectorAll(".link")) {
      const pick = () => now.choose(chosen === each.dataset.choice ? "" : each.dataset.choice);
      each.addEventListener("click", pick);
      each.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        pick();
      });
    }
    buttons(root.querySelector(".groups"), now);
    root.querySelector(".chosen").textContent = group ? ofGroup(now, group) : link >= 0 ? sentence(now, link) : "Press a link, or a group of flows, for its numbers.";
    if (kept) [...root.querySelectorAll("[data-choice]")].find((each) => each.dataset.choice === kept)?.focus();
    root.dataset.drawn = Number(root.dataset.drawn ?? 0) + 1;
  }

  const head = ({ x, y, dx, dy }) => `M${x + 5 * dx} ${y + 5 * dy}L${x - 4 * dx - 4.5 * dy} ${y - 4 * dy + 4.5 * dx}L${x - 4 * dx + 4.5 * dy} ${y - 4 * dy - 4.5 * dx}Z`;
  /** A node: one mark, or a pile of them. */
  function mark(node, [x, y], opacity) {
    const circle = (by) => make("circle", { cx: x + by, cy: y - by, r: NODE, fill: "var(--panel)", stroke: "var(--ink)", "stroke-width": 1.6 });
    return make("g", { opacity }, ...(node.count > 1 ? [circle(6), circle(3)] : []), circle(0));
  }
  /** A node's name, above it or, of layers below each other, at its right or below the last; cut where there is no room. */
  function label(node, [x, y], look, boxes, opacity) {
    const isLast = look.down && y > look.height - 90, isRight = look.down && !isLast;
    const wide = isRight ? look.step[0] - 2 * NODE - 6 : Math.max(look.step[0] - 8, 40);
    const longest = Math.max(3, Math.floor(wide / LETTER)), full = nodeName(node), said = full.length > longest ? `${full.slice(0, longest - 1)}…` : full;
    const length = said.length * LETTER;
    const pile = node.count > 1 ? 6 : 0, base = isRight ? y + 4 : isLast ? y + NODE + 15 : y - NODE - pile - 6;
    const left = isRight ? x + NODE + pile + 6 : x - length / 2;
    boxes.push({ left, right: left + length, top: base - 11, bottom: base + 4 });
    return text(isRight ? left : x, base, said, { "text-anchor": isRight ? "start" : "middle", opacity });
  }
  /** Where along a line a label runs into nothing, and what of it fits. */
  function room(points, options, boxes, courses, look) {
    for (const said of options) {
      const length = said.length * LETTER;
      for (const part of [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82]) {
        const { x, y, dx, dy } = along(points, part), right = [-dy, dx];
        const anchor = Math.abs(right[0]) < 0.4 ? "middle" : right[0] > 0 ? "start" : "end";
        const left = anchor === "middle" ? x - length / 2 : anchor === "start" ? x : x - length;
        const middle = y + right[1] * 6, box = { left, right: left + length, top: middle - LINE / 2, bottom: middle + LINE / 2 };
        const isFree = box.left > 2 && box.right < look.width - 2 && boxes.every((other) => box.right < other.left || box.left > other.right || box.bottom < other.top || box.top > other.bottom);
        const near = look.down && look.step[0] < TIGHT ? GROUP + 2 : LANE;
        if (isFree && !courses.some((course) => crosses(course, box, near))) return { said, x, y: middle + 4, anchor, box };
      }
    }
    return null;
  }
  /** Whether a line runs through a box, or so near that its lanes do. */
  function crosses(course, box, near) {
    const length = course.slice(1).reduce((sum, point, i) => sum + Math.hypot(point[0] - course[i][0], point[1] - course[i][1]), 0);
    const steps = Math.ceil(length / 6);
    for (let i = 1; i < steps; i++) {
      const { x, y } = along(course, i / steps);
      if (x > box.left - near && x < box.right + near && y > box.top - near && y < box.bottom + near) return true;
    }
    return false;
  }
  /** What the colours and widths of links stand for. */
  function scale(metric, look) {
    const left = 8, y = look.height - 22, step = 14, own = make("g", { "aria-hidden": "true" });
    for (let i = 0; i <= LOADS; i++) own.append(make("rect", { x: left + i * step, y: y - (3 + (4 * i) / LOADS) / 2, width: step, height: 3 + (4 * i) / LOADS, fill: `var(--load-${i})` }));
    own.append(text(left, y + 18, said(0, metric), { "font-size": 11, fill: "var(--soft)" }));
    own.append(text(left + (LOADS + 1) * step, y + 18, said(metric.top, metric), { "font-size": 11, fill: "var(--soft)", "text-anchor": "end" }));
    own.append(text(left + (LOADS + 1) * step + 10, y + 4, metric.title, { "font-size": 11, fill: "var(--soft)" }));
    return own;
  }

  // In words

  function sentence({ graph, loads, metric }, number) {
    const link = graph.links[number], values = loads[metric.name] ?? NONE, [first, second] = link.ends.map((end) => nodeName(graph.nodes[end]));
    const ways = [[first, second], [second, first]].map(([from, to], reverse) => {
      const value = said(values[2 * number + reverse], metric, " to "), about = link.about[reverse];
      return value === null && !about ? null : `${from} to ${to}${about ? ` (${about})` : ""}: ${value === null ? "no queue measured" : `${metric.title.toLowerCase()} ${value}`}`;
    }).filter(Boolean);
    const crossing = graph.groups.filter(({ lanes }) => lanes.includes(2 * number) || lanes.includes(2 * number + 1)).map(({ name }) => name);
    const carries = crossing.length ? `Its data is that of ${crossing.join(", ")}.` : "It carries no data of flows or traffic.";
    return `${linkName(link)}. ${ways.join("; ") || `${first} to ${second}`}. ${carries}`;
  }
  const what = (group) => (group.kind === "flows" ? many(group.count, "flow") : group.kind);
  function ofGroup({ graph, loads, metric, variants }, group) {
    const values = loads[metric.name] ?? NONE, variant = variants?.[graph.groups.indexOf(group)];
    const crossed = [...new Set(group.lanes.map((lane) => lane >> 1))].map((number) => {
      const own = group.lanes.filter((lane) => lane >> 1 === number).map((lane) => said(values[lane], metric, " to ")).filter((value) => value !== null);
      return `${linkName(graph.links[number])}${own.length ? ` (${own.join(", ")})` : ""}`;
    });
    return `${group.name}: ${what(group)}${variant ? `, ${variant}` : ""}, over ${crossed.join(", ")}${metric.name ? `; in parentheses ${metric.title.toLowerCase()}` : ""}.`;
  }
  function buttons(place, { graph, variants, chosen, choose }) {
    place.replaceChildren(...graph.groups.map((group, number) => {
      const name = `group ${group.name}`, button = Object.assign(document.createElement("button"), { type: "button" });
      const swatch = Object.assign(document.createElement("span"), { className: "swatch" });
      swatch.style.setProperty("--of", `var(--group-${number % COLOURS})`);
      button.append(swatch, `${group.name} `, Object.assign(document.createElement("span"), { className: "soft", textContent: `${what(group)}${variants?.[number] ? `, ${variants[number]}` : ""}` }));
      button.dataset.choice = name;
      button.setAttribute("aria-pressed", chosen === name);
      button.addEventListener("click", () => choose(chosen === name ? "" : name));
      return button;
    }));
  }
  return { draw };
})();

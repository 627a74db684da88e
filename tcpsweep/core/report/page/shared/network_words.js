// SPDX-License-Identifier: MIT
// A network in words: its nodes, its links with their load, and the groups of flows and of traffic that cross them.
const counted = ({ name, count }) => (count > 1 ? `${name} × ${count}` : name);

export const nodeName = counted;
export const linkName = counted;

/** A load in words, such as "98 %" or "12 to 14 ms"; `range` is a number, or the least and the most of several. */
export function loadText(range, metric, to = "–") {
  if (range === null || range === undefined) return null;
  const digits = (value) => {
    if (!metric.percent) return value.toPrecision(3);
    return (100 * value).toPrecision(value >= 0.99 ? 3 : 2);
  };
  const ends = [range].flat().map((value) => String(Number(digits(value))));
  return `${[...new Set(ends)].join(to)} ${metric.percent ? "%" : metric.unit}`.trim();
}

/** The largest value of a load. */
export const largest = (range) => (Array.isArray(range) ? range[1] : (range ?? null));

/** The loads of a link's two directions in a metric. */
export const loadsOf = ({ loads, metric }, number) =>
  [0, 1].map((direction) => loads[metric.name]?.[2 * number + direction] ?? null);

/** Whether a group's data takes a link in any direction. */
export const usesLink = ({ lanes }, number) => lanes.some((lane) => lane >> 1 === number);

/** A link with its ends, its loads and the groups that cross it. */
export function linkSentence(view, number) {
  const { graph, metric } = view;
  const link = graph.links[number];
  const [first, second] = link.ends.map((end) => nodeName(graph.nodes[end]));
  const title = metric.title.toLowerCase();
  const ways = loadsOf(view, number).map((load, direction) => {
    const about = link.about[direction];
    if (load === null && !about) return null;
    const [from, to] = direction ? [second, first] : [first, second];
    const measured = load === null ? "no queue measured" : `${title} ${loadText(load, metric, " to ")}`;
    return `${from} to ${to}${about ? ` (${about})` : ""}: ${measured}`;
  });
  const crossing = graph.groups.filter((group) => usesLink(group, number)).map(({ name }) => name);
  const carries = crossing.length
    ? `It carries data of ${crossing.join(", ")}.`
    : "It carries no data of flows or traffic.";
  return `${linkName(link)}. ${ways.filter(Boolean).join("; ") || `${first} to ${second}`}. ${carries}`;
}

/** A group in words, with its variant where it has one. */
export function groupWords({ graph, variants }, group) {
  const flows = `${group.count} flow${group.count === 1 ? "" : "s"}`;
  const variant = variants?.[graph.groups.indexOf(group)];
  return `${group.kind === "flows" ? flows : group.kind}${variant ? `, ${variant}` : ""}`;
}

/** A group with the links that it crosses and their loads. */
export function groupSentence(view, group) {
  const { graph, loads, metric } = view;
  const numbers = [...new Set(group.lanes.map((lane) => lane >> 1))];
  const crossed = numbers.map((number) => {
    const lanes = group.lanes.filter((lane) => lane >> 1 === number);
    const texts = lanes.map((lane) => loadText(loads[metric.name]?.[lane], metric, " to ")).filter(Boolean);
    return `${linkName(graph.links[number])}${texts.length ? ` (${texts.join(", ")})` : ""}`;
  });
  const note = metric.name ? `; in parentheses ${metric.title.toLowerCase()}` : "";
  return `${group.name}: ${groupWords(view, group)}, over ${crossed.join(", ")}${note}.`;
}

// SPDX-License-Identifier: MIT
// The sweep's means as the figures need them: in words, with the scales of their series, and with their cells.
const titled = (metric) => (metric.unit ? `${metric.title} [${metric.unit}]` : metric.title);

const axes = new Map(data.axes.map((axis, number) => [axis.name, { ...axis, number }]));
const networkAxes = data.axes.filter((axis) => axis.name !== "variant");
const textOf = (combination, name) => axes.get(name).values[data.combinations[combination][axes.get(name).number]];
const whereOf = (combination) => networkAxes.map((axis) => `${axis.title} ${textOf(combination, axis.name)}`).join(", ");
const networkOf = (combination) => networkAxes.map((axis) => textOf(combination, axis.name)).join(", ");

/** A metric's means of what is not hidden, or of everything. */
function pointsOf(name, all = false) {
  const from = data.points[name], of = (column, i) => (Array.isArray(column) ? column[i] : column);
  return data.keys[from.at].flatMap(([combination, apart, own], i) => all || isShown(combination) ? [{
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
/** What a metric is, in a line, with a link to its place in the list of all. */
function define(line, name) {
  const metric = data.metrics[name];
  line.hidden = !metric;
  if (!metric) return;
  const link = Object.assign(document.createElement("a"), { href: `#metric-${name}`, textContent: "more" });
  link.setAttribute("aria-label", `More on ${metric.title}`);
  line.replaceChildren(`${metric.title}: ${metric.formula}. `, link);
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

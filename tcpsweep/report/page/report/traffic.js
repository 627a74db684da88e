// SPDX-License-Identifier: MIT
// Traffic: a group's metrics against an axis; of flows that arrive, their slowdown by size and its distribution.
// What the data holds is said in tcpsweep/report/sections/traffic.py.
function startTraffic() {
  const root = document.getElementById("traffic-figures"), traffic = data.traffic;
  if (!root || !traffic || !data.charts.lines) return;
  const MOST_PANELS = 12, LEAST_PANEL = 230, GAP = 46;
  const arrivals = document.getElementById("traffic-slowdown");
  const control = (place, name, title, changed) => {
    const label = document.createElement("label"), select = Object.assign(document.createElement("select"), { name: `traffic ${name}` });
    label.append(title, select);
    place.append(label);
    select.addEventListener("change", () => { changed(); remember(); whenIdle(); });
    return select;
  };
  const offer = (select, options, chosen) => {
    select.replaceChildren(...options.map(([value, said]) => new Option(said, value)));
    if (options.some(([value]) => value === chosen)) select.value = chosen;
    select.parentElement.hidden = options.length < 2;
  };
  const own = {};
  own.group = control(root.querySelector(".controls"), "group", "Traffic", () => fit(group().axis));
  own.metric = control(root.querySelector(".controls"), "metric", "Metric", () => drawFigure(main));
  own.axis = control(root.querySelector(".controls"), "axis", "Horizontal axis", () => drawFigure(main));
  own.network = control(arrivals.querySelector(".controls"), "network", "Network", () => { drawFigure(sizes); drawFigure(distribution); });
  const group = () => traffic.groups.find(({ name }) => name === own.group.value);
  const numbers = new Map(data.series.map(([name], number) => [name, number]));
  const seriesOf = (combination) => { const name = variantOf(combination); return { number: numbers.get(name), series: nameOf(name) }; };
  const pointsIn = (name) => (group().points[name] ?? []).filter(([combination]) => isShown(combination)).map(([combination, mean, low, high, runs, infinite]) => ({
    combination, mean, low: low ?? mean, high: high ?? mean, infinite, ...seriesOf(combination), where: whereOf(combination), runs: String(runs),
  }));
  const valued = (row, unit) => ({ ...row, value: row.mean === null ? `∞ in ${row.infinite} of ${row.runs} runs` : `${short(row.mean)}${row.high === row.low ? "" : ` [${short(row.low)}, ${short(row.high)}]`} ${unit}`.trim() });
  /** What is infinite stands at the upper edge. */
  function withInfinite(chart, rows, note) {
    const some = rows.some((row) => row.mean === null);
    note.hidden = !some;
    if (!some) return chart;
    const { x, color, tooltip } = chart.layer.at(-1).encoding;
    const sign = { mark: { type: "text", text: "∞", fontSize: 17, xOffset: { expr: "datum.dodge" } }, encoding: { x, color, tooltip, y: { value: 8 } }, transform: [{ filter: "datum.mean === null" }] };
    // A line breaks there by itself.
    for (const layer of chart.layer) if (layer.mark.type !== "line") layer.transform = [{ filter: "datum.mean !== null" }];
    return { ...chart, layer: [...chart.layer, sign] };
  }
  /** Marks of several series at one place stand beside each other. */
  const dodged = (rows) => {
    const order = [...new Set(rows.map((row) => row.number))].sort((a, b) => a - b);
    for (const row of rows) row.dodge = (order.indexOf(row.number) - (order.length - 1) / 2) * Math.min(4, 14 / order.length);
    return rows;
  };

  function lines(width) {
    const name = own.metric.value, metric = traffic.metrics[name], axis = axes.get(own.axis.value);
    root.querySelector(".definition").textContent = `${metric.title}: ${metric.formula.replaceAll("`", "")}.`;
    const apart = networkAxes.filter((other) => other.name !== axis.name);
    const panel = (combination) => apart.map((other) => `${other.title} ${textOf(combination, other.name)}`).join(", ");
    const every = pointsIn(name), sign = root.querySelector(".infinite");
    sign.hidden = true;
    if (!every.some((row) => row.mean !== null)) return every.length ? "Every value is infinite, as it is that of a transfer that did not finish." : "No cell has a value of it.";
    const panels = [...new Set(every.map((row) => panel(row.combination)))].slice(0, MOST_PANELS);
    const rows = dodged(every.map((row) => valued({ ...row, panel: panel(row.combination), place: axis.places[data.combinations[row.combination][axis.number]] }, metric.unit))
      .filter((row) => row.place !== undefined && panels.includes(row.panel)));
    if (!rows.length) return "No combination has a place on this axis.";
    const means = rows.map((row) => row.mean).filter((mean) => mean !== null), least = Math.min(...means), most = Math.max(...means);
    const wide = least > 0 && most > 30 * least;
    const scale = wide ? { type: "log", clamp: true, domainMin: Math.min(least / 2, ...rows.map((row) => row.low).filter((low) => low !== null && low > 0)) } : { zero: true };
    const chart = filled(data.charts.lines[axis.name], rows, ["low", "mean", "high"], { title: titled(metric), scale }, width);
    return panelled(withInfinite(chart, rows, sign), rows, panels, width);
  }
  function bySize(width) {
    const rows = Object.entries(traffic.ranks).flatMap(([rank, said]) => Object.entries(traffic.sizes).flatMap(([key, size]) =>
      pointsIn(`slowdown_${rank}_${key}`).filter(inNetwork).map((row) => ({ ...row, size, panel: said }))));
    const known = dodged(rows.map((row) => valued(row, ""))), sign = arrivals.querySelector(".infinite");
    sign.hidden = true;
    if (!known.some((row) => row.mean !== null)) return "No flow of it finished.";
    const chart = filled(traffic.charts.sizes, known, [], {}, width);
    for (const layer of chart.layer) layer.encoding.x.sort = Object.values(traffic.sizes);
    return panelled(withInfinite(chart, known, sign), known, Object.values(traffic.ranks), width);
  }
  function curves(width) {
    const found = Object.entries(group().curves ?? {}).map(([key, curve]) => [Number(key), curve]).filter(([combination]) => isShown(combination) && inNetwork({ combination }));
    const rows = found.flatMap(([combination, [values, shares]]) => values.map((slowdown, i) => ({
      slowdown: Math.max(slowdown, 1e-3), share: shares[i], combination, ...seriesOf(combination), where: whereOf(combination),
      value: `${short(100 * shares[i])} % of flows have a slowdown of ${short(slowdown)} or more`, runs: "all together",
    })));
    if (!rows.length) return "No flow of it finished.";
    return { ...filled(traffic.charts.distribution, rows, [], {}, width), data: { values: rows }, width: Math.min(760, width - 80), height: 300 };
  }
  const inNetwork = ({ combination }) => networkOf(combination) === own.network.value;
  function panelled(chart, rows, order, width) {
    const count = new Set(rows.map((row) => row.panel)).size;
    if (count < 2) return { ...chart, data: { values: rows }, width: Math.min(760, width - 80), height: 280 };
    const columns = Math.max(1, Math.min(count, Math.floor(width / LEAST_PANEL)));
    return {
      facet: { field: "panel", type: "nominal", title: null, sort: order }, columns, data: { values: rows },
      spec: { ...chart, width: Math.floor((width - 30) / columns) - GAP + 20, height: 190 },
    };
  }
  /** Fit the controls to the group that is chosen. */
  function fit(axis = own.axis.value || group().axis) {
    const now = group();
    offer(own.metric, now.metrics.map((name) => [name, titled(traffic.metrics[name])]), own.metric.value);
    offer(own.axis, data.axes.map(({ name, title }) => [name, title]), axis);
    const networks = [...new Map((now.points[now.metrics[0]] ?? []).map(([combination]) => [networkOf(combination), whereOf(combination)]))];
    offer(own.network, networks, own.network.value);
    arrivals.hidden = now.kind !== "arrivals";
    for (const each of [main, sizes, distribution]) if (each) { each.stale = true; if (each.seen) drawFigure(each); }
  }
  function remember() {
    section = "traffic";
    keep(Object.fromEntries(Object.entries(own).map(([name, select]) => [`traffic ${name}`, select.parentElement.hidden ? "" : select.value])));
  }
  let main = null, sizes = null, distribution = null;
  function read() {
    for (const name of ["group", "metric", "axis", "network"]) {
      const asked = state.get(`traffic ${name}`);
      if (asked !== undefined && [...own[name].options].some((option) => option.value === asked)) own[name].value = asked;
      if (name === "group") fit();
    }
    fit();
  }
  root.hidden = false;
  offer(own.group, traffic.groups.map(({ name, kind }) => [name, `${name} (${kind})`]));
  read();
  main = figure(document.getElementById("traffic-metric"), lines);
  sizes = figure(document.getElementById("traffic-sizes"), bySize);
  distribution = figure(document.getElementById("traffic-distribution"), curves);
  listeners.push(() => { read(); whenIdle(); });
}

// SPDX-License-Identifier: MIT
// The interactive figure: chooses from the sweep's means what is shown and how, and hands it to Vega-Lite.
// What the data holds is said in tcpsweep/report/explorer.py.
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("explorer-data").textContent);
  const root = document.getElementById("explorer");
  const frame = root.querySelector(".chart"), place = frame.firstElementChild, details = root.querySelector(".details");
  const LOG_SPAN = 30, DODGE = 3, DODGE_SPAN = 14, ELLIPSE = 60;
  const NONE = "–";
  const KINDS = { lines: "means against an axis", "heat map": "heat map of variant and network", plane: "delay and throughput" };
  const axes = new Map(data.axes.map((axis, number) => [axis.name, { ...axis, number }]));
  const networkAxes = data.axes.filter((axis) => axis.name !== "variant");
  const text = (combination, name) => axes.get(name).values[data.combinations[combination][axes.get(name).number]];
  const short = (value) => (value === null ? NONE : Number(value.toPrecision(4)).toString());

  // Controls

  const controls = {};
  function control(name, title, options) {
    const label = document.createElement("label"), select = document.createElement("select");
    label.append(title, select);
    select.name = name;
    offer(select, options);
    select.addEventListener("change", () => update(name));
    root.querySelector(".controls").append(label);
    controls[name] = select;
  }
  function offer(select, options) {
    const chosen = select.value;
    select.replaceChildren(...options.map(([value, title]) => new Option(title, value)));
    if (options.some(([value]) => value === chosen)) select.value = chosen;
  }
  const value = (name) => controls[name]?.value;
  const show = (name, visible) => { controls[name].parentElement.hidden = !visible; };
  const held = (axis) => `held ${axis.name}`;

  const metrics = Object.entries(data.metrics).map(([name, metric]) => [name, metric.title]);
  const named = networkAxes.map((axis) => [axis.name, axis.title]);
  const kinds = Object.entries(KINDS).filter(([kind]) =>
    (kind !== "plane" || data.clouds) && (kind !== "heat map" || networkAxes.length));
  control("kind", "Figure", kinds);
  control("metric", "Metric", metrics);
  control("axis", "Horizontal axis", [...named, ...(axes.has("variant") ? [["variant", "variant"]] : [])]);
  control("columns", "A panel across for each", [["", NONE], ...named]);
  control("rows", "A panel down for each", [["", NONE], ...named]);
  control("relative", "Shown as", [["", "mean"], ["ratio", `ratio to ${data.baseline}`]]);
  for (const axis of networkAxes) control(held(axis), axis.title, axis.values.map((text) => [text, text]));
  const variants = [...new Set(data.variants)];
  const off = new Set();
  if (variants.length > 1) {
    const group = document.createElement("fieldset"), legend = document.createElement("legend");
    legend.textContent = "Variants";
    group.append(legend, ...variants.map((variant) => {
      const label = document.createElement("label"), box = document.createElement("input");
      Object.assign(box, { type: "checkbox", checked: true, value: variant });
      box.addEventListener("change", () => { off[box.checked ? "delete" : "add"](variant); update("variants"); });
      label.append(box, variant);
      return label;
    }));
    root.querySelector(".controls").after(group);
  }

  // What is chosen

  /** Which axes make panels, which are held at a value, and which have no choice as they change with what is shown. */
  function layout() {
    const kind = value("kind"), lines = kind === "lines";
    const across = lines ? [value("axis")] : [];
    const sides = kind === "heat map" ? [] : ["columns", "rows"].map(value);
    const shown = new Set([...across, ...sides, "variant"].filter(Boolean));
    const free = kind === "heat map" ? [] : networkAxes.filter((axis) => !shown.has(axis.name));
    const tied = free.filter((axis) => follows(axis.name, [...shown].filter((name) => axes.has(name))));
    return { kind, axis: across[0], columns: sides[0], rows: sides[1], held: free.filter((axis) => !tied.includes(axis)) };
  }
  function follows(name, shown) {
    const found = new Map();
    return data.combinations.every((_, number) => {
      const key = JSON.stringify(shown.map((other) => text(number, other))), own = text(number, name);
      if (!found.has(key)) found.set(key, own);
      return found.get(key) === own;
    });
  }
  function chosen(now) {
    const wanted = now.held.map((axis) => [axis.name, value(held(axis))]);
    return new Set([...data.combinations.keys()].filter((number) =>
      !off.has(data.variants[number]) && wanted.every(([name, text_]) => text(number, name) === text_)));
  }
  /** Hold an axis where most of what is shown varies, as in a grid of several blocks not all values go together. */
  function settle(now) {
    for (const axis of now.held) {
      const counts = axis.values.map((own) => new Set(data.combinations.filter((_, n) => text(n, axis.name) === own)
        .map((row) => row[axes.get(now.axis ?? axis.name).number])).size);
      controls[held(axis)].value = axis.values[counts.indexOf(Math.max(...counts))];
    }
  }
  const where = (combination) => networkAxes.map((axis) => `${axis.title} ${text(combination, axis.name)}`).join(", ");
  const head = (name, combination) => (name ? `${axes.get(name).title} ${text(combination, name)}` : null);
  const heads = (name) => axes.get(name).values.map((own) => `${axes.get(name).title} ${own}`);

  /** A point's words for the tooltip. */
  function words(combination, mean, low, high, runs, distinct, metric) {
    const interval = low === null ? "" : ` [${short(low)}, ${short(high)}]`;
    const alike = runs > 1 && distinct === 1 ? ", identical" : "";
    return { where: where(combination), runs: `${runs}${alike}`, value: `${short(mean)}${interval} ${metric.unit}`.trim() };
  }

  // Drawings

  function lines(now, combinations) {
    const axis = axes.get(now.axis), metric = data.metrics[value("metric")];
    const whole = now.axis === "variant";
    const rows = data.points[value("metric")].filter(([combination]) => combinations.has(combination)).flatMap(
      ([combination, apart, own, mean, low, high, runs, distinct]) => {
        const number = data.combinations[combination][axis.number];
        const at = axis.places[number];
        return at === undefined ? [] : [{
          combination, place: at, mean, low, high, series: data.series[whole ? own : apart][0],
          column: head(now.columns, combination), row: head(now.rows, combination),
          ...words(combination, mean, low, high, runs, distinct, metric),
        }];
      });
    dodge(rows, whole);
    const least = Math.min(...rows.map((row) => row.mean)), most = Math.max(...rows.map((row) => row.mean));
    const log = isWide(metric, least, most);
    const scale = log ? { type: "log", clamp: true, domainMin: least / 2 } : { zero: metric.zero };
    const chart = filled(data.charts.lines[now.axis], rows, ["low", "mean", "high"], { title: metric.title, scale });
    return { rows, chart };
  }
  const isWide = (metric, least, most) => metric.unit && least > 0 && most > LOG_SPAN * least;
  function dodge(rows, byPlace) {
    const order = (names) => new Map([...names].sort((a, b) => seriesNumber(a) - seriesNumber(b)).map((name, i) => [name, i]));
    const all = order(new Set(rows.map((row) => row.series)));
    for (const row of rows) {
      const own = byPlace ? order(new Set(rows.filter((other) => other.place === row.place).map((other) => other.series))) : all;
      row.dodge = (own.get(row.series) - (own.size - 1) / 2) * Math.min(DODGE, DODGE_SPAN / own.size);
    }
  }
  function heatMap(now, combinations) {
    const name = value("metric"), metric = data.metrics[name], ratio = value("relative") === "ratio";
    const network = (combination) => networkAxes.map((axis) => text(combination, axis.name)).join(", ");
    const points = data.points[name].filter(([combination]) => combinations.has(combination));
    const base = new Map(data.points[name].filter(([, apart]) => data.series[apart][0] === data.baseline)
      .map((row) => [network(row[0]), row[3]]));
    const rows = points.map(([combination, apart, own, mean, low, high, runs, distinct]) => ({
      combination, network: network(combination), variant: data.series[apart][0], series: data.series[apart][0],
      mean: ratio ? mean / base.get(network(combination)) : mean,
      ...words(combination, mean, low, high, runs, distinct, metric),
    })).filter((row) => Number.isFinite(row.mean));
    rows.sort((a, b) => seriesNumber(a.series) - seriesNumber(b.series) || a.combination - b.combination);
    const chart = structuredClone(data.charts["heat map"]), color = chart.encoding.color;
    const least = Math.min(...rows.map((row) => row.mean)), most = Math.max(...rows.map((row) => row.mean));
    color.title = ratio ? `${metric.title.replace(/ \[.*/, "")}, ratio to ${data.baseline}` : metric.title;
    if (ratio && least > 0) Object.assign(color.scale, { scheme: "purpleorange", type: "log", domainMid: 1 });
    else if (isWide(metric, least, most)) color.scale.type = "log";
    chart.encoding.x.title = networkAxes.map((axis) => axis.title).join(", ");
    chart.width = { step: 22 };
    chart.height = { step: 24 };
    return { rows, chart };
  }
  function plane(now, combinations) {
    const { delay, rate } = data.clouds, groups = new Map();
    const rows = data.clouds.rows.filter(([combination]) => combinations.has(combination)).map(
      ([combination, apart, , run, x, y]) => {
        const row = {
          kind: "run", combination, run, delay: x, rate: y, series: data.series[apart][0], network: String(combination),
          column: head(now.columns, combination), row: head(now.rows, combination),
          where: where(combination), runs: `run ${run}`, value: `${short(x)} ${data.metrics[delay].unit}, ${short(y)} ${data.metrics[rate].unit}`,
        };
        const key = `${apart} ${combination}`;
        groups.set(key, [...(groups.get(key) ?? []), row]);
        return row;
      });
    const around = [...groups.values()].flatMap(cloud);
    const chart = filled(data.charts.plane, rows, ["rate"], { title: data.metrics[rate].title });
    for (const layer of chart.layer) layer.encoding.x.title = data.metrics[delay].title;
    return { rows: [...around, ...rows], chart };
  }
  /** The mean of some runs and the ellipse of one standard deviation around it. */
  function cloud(runs) {
    const n = runs.length, sum = (of) => runs.reduce((total, row) => total + of(row), 0);
    const x = sum((row) => row.delay) / n, y = sum((row) => row.rate) / n;
    const words = { runs: `mean of ${n} runs`, value: runs[0].value.replace(/[^ ]+ ([^,]*), [^ ]+/, `${short(x)} $1, ${short(y)}`) };
    const mean = { ...runs[0], ...words, kind: "mean", delay: x, rate: y };
    if (n < 3) return [mean];
    const sx = Math.sqrt(sum((row) => (row.delay - x) ** 2) / (n - 1)), sy = Math.sqrt(sum((row) => (row.rate - y) ** 2) / (n - 1));
    const r = sx && sy ? sum((row) => (row.delay - x) * (row.rate - y)) / ((n - 1) * sx * sy) : 0;
    const ellipse = Array.from({ length: ELLIPSE + 1 }, (_, order) => {
      const angle = (2 * Math.PI * order) / ELLIPSE, c = Math.cos(angle);
      const s = r * c + Math.sqrt(Math.max(0, 1 - r * r)) * Math.sin(angle);
      return { ...mean, kind: "ellipse", order, delay: x + sx * c, rate: y + sy * s };
    });
    return [...ellipse, mean];
  }

  const seriesNumber = (name) => data.series.findIndex(([other]) => other === name);
  /** A chart whose vertical axis, of some fields, has a title and a scale, with the scales of the series that occur. */
  function filled(template, rows, fields, vertical) {
    const present = data.series.filter(([name]) => rows.some((row) => row.series === name));
    const chart = structuredClone(template);
    for (const layer of chart.layer) {
      for (const [channel, encoding] of Object.entries(layer.encoding)) {
        if (channel === "y" && fields.includes(encoding.field)) Object.assign(encoding, vertical);
        const style = { color: 1, shape: 2, strokeDash: 3 }[channel];
        if (style && encoding.field === "series") {
          encoding.scale = { domain: present.map(([name]) => name), range: present.map((series) => series[style]) };
          encoding.legend = { ...encoding.legend, columns: Math.max(1, Math.floor(room() / 170)) };
        }
      }
    }
    return chart;
  }
  const room = () => Math.max(220, frame.clientWidth - 60); // beside the chart is its menu
  /** The chart in its panels, as large as there is room. */
  function panelled(chart, now) {
    if (now.kind === "heat map") return chart;
    const count = now.columns ? axes.get(now.columns).values.length : 1;
    const fitting = now.rows ? count : Math.min(count, Math.max(1, Math.floor(room() / 190)));
    const width = Math.min(now.columns ? 300 : 760, Math.max(110, (room() - 70) / fitting - 24));
    chart.width = width;
    chart.height = now.rows || now.columns ? Math.max(120, width * 0.7) : Math.min(380, Math.max(220, width * 0.6));
    const apart = now.kind === "plane" && { resolve: { scale: { x: "independent", y: "independent" } } };
    const side = (field, name) => ({ field, type: "nominal", title: null, sort: heads(name) });
    if (now.rows) return { facet: { row: side("row", now.rows), ...(now.columns && { column: side("column", now.columns) }) }, spec: chart, ...apart };
    if (now.columns) return { facet: side("column", now.columns), columns: fitting, spec: chart, ...apart };
    return chart;
  }

  let view = null, latest = 0;
  async function draw() {
    const now = layout(), combinations = chosen(now), mine = ++latest;
    const { rows, chart } = { lines, "heat map": heatMap, plane }[now.kind](now, combinations);
    view?.finalize();
    view = null;
    details.replaceChildren();
    if (!rows.length) {
      place.textContent = "No cell has a value of it at what is chosen.";
      root.dataset.drawn = mine;
      return;
    }
    const spec = { ...panelled(chart, now), data: { values: rows }, config: data.look };
    const made = await vegaEmbed(place, spec, { renderer: "svg", actions: { export: true, source: false, compiled: false, editor: false } });
    if (mine !== latest) { made.finalize(); return; }
    view = made;
    view.view.addEventListener("click", (_, item) => explain(item?.datum));
    root.view = made.view;
    root.dataset.drawn = mine;
  }

  /** The cells of what was clicked. */
  function explain(datum) {
    if (datum?.combination === undefined) return;
    const links = data.cells[datum.combination].map(([run, cell, page]) => {
      if (!page) return `run ${run} (${cell})`;
      const link = document.createElement("a");
      Object.assign(link, { href: page, textContent: `run ${run}` });
      return link;
    });
    const line = document.createElement("p");
    line.append(`${datum.series}, ${datum.where}: ${datum.value}. Its cells: `, ...links.flatMap((link, i) => (i ? [", ", link] : [link])));
    details.replaceChildren(line);
  }

  /** Fit the controls to each other after one of them has changed, and draw. */
  function update(changed) {
    const lines = value("kind") === "lines", heat = value("kind") === "heat map";
    show("metric", value("kind") !== "plane");
    show("axis", lines);
    show("columns", !heat);
    show("rows", !heat);
    show("relative", heat && Boolean(data.baseline));
    const others = (...names) => [["", NONE], ...named.filter(([name]) => !names.map(value).includes(name))];
    offer(controls.columns, lines ? others("axis") : others());
    offer(controls.rows, lines ? others("axis", "columns") : others("columns"));
    const now = layout();
    for (const axis of networkAxes) show(held(axis), now.held.includes(axis));
    if (!changed || changed === "axis") settle(now);
    draw();
  }

  let width = frame.clientWidth;
  addEventListener("resize", () => {
    if (frame.clientWidth !== width) { width = frame.clientWidth; draw(); }
  });
  root.hidden = false;
  update();
})();

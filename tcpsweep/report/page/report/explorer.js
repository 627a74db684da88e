// SPDX-License-Identifier: MIT
// Explore: chooses from the sweep's means what is shown and how, and hands it to Vega-Lite.
// What the data holds is said in tcpsweep/report/sections/explorer.py.
function startExplore() {
  const root = document.getElementById("explorer");
  if (!root) return;
  const frame = root.querySelector(".chart"), details = root.querySelector(".details");
  const DODGE = 3, DODGE_SPAN = 14, ELLIPSE = 60, LEAST_PANEL = 190, MOST_BOXES = 600;
  const NONE = "–";
  const KINDS = { lines: "means against an axis", "heat map": "heat map of variant and network", plane: "delay and throughput" };
  const text = textOf;

  // Controls

  const controls = {};
  function control(name, title, options) {
    const label = document.createElement("label"), select = document.createElement("select");
    label.append(title, select);
    select.name = name;
    if (typeof options === "function") options(select);
    else offer(select, options);
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

  const named = networkAxes.map((axis) => [axis.name, axis.title]);
  const kinds = Object.entries(KINDS).filter(([kind]) =>
    (kind !== "plane" || data.clouds) && (kind !== "heat map" || networkAxes.length));
  control("kind", "Figure", kinds);
  control("metric", "Metric", metricMenu);
  control("axis", "Horizontal axis", [...named, ...(axes.has("variant") ? [["variant", "variant"]] : [])]);
  control("columns", "A panel across for each", [["", NONE], ...named]);
  control("rows", "A panel down for each", [["", NONE], ...named]);
  control("relative", "Shown as", [["", "mean"], ["ratio", `ratio to ${data.baseline}`]]);
  for (const axis of networkAxes) control(held(axis), axis.title, axis.values.map((text) => [text, text]));

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
      isShown(number) && wanted.every(([name, text_]) => text(number, name) === text_)));
  }
  /** Hold an axis where most of what is shown varies, as in a grid of several blocks not all values go together. */
  function settle(now) {
    for (const axis of now.held) {
      const counts = axis.values.map((own) => new Set(data.combinations.filter((_, n) => text(n, axis.name) === own)
        .map((row) => row[axes.get(now.axis ?? axis.name).number])).size);
      controls[held(axis)].value = axis.values[counts.indexOf(Math.max(...counts))];
    }
  }
  const head = (name, combination) => (name ? `${axes.get(name).title} ${text(combination, name)}` : null);
  const heads = (name) => axes.get(name).values.map((own) => `${axes.get(name).title} ${own}`);

  // Drawings

  function lines(now, combinations, width) {
    const axis = axes.get(now.axis), metric = data.metrics[value("metric")];
    const whole = now.axis === "variant";
    const rows = pointsOf(value("metric")).filter(({ combination }) => combinations.has(combination)).flatMap((point) => {
      const at = axis.places[data.combinations[point.combination][axis.number]];
      const number = whole ? point.own : point.apart;
      return at === undefined ? [] : [{
        ...words(point, metric), combination: point.combination, number, place: at, mean: point.mean, low: point.low, high: point.high,
        series: nameOf(data.series[number][0]), column: head(now.columns, point.combination), row: head(now.rows, point.combination),
      }];
    });
    dodge(rows, whole);
    const least = Math.min(...rows.map((row) => row.mean)), most = Math.max(...rows.map((row) => row.mean));
    const scale = scaleOf(metric, rows, least, most);
    const title = scale.zero || scale.type === "log" ? titled(metric) : `${titled(metric)}, axis cut below`;
    if (scale.type === "log") for (const row of rows) if (row.low !== null && row.low <= 0) row.low = scale.domainMin;
    const chart = filled(data.charts.lines[now.axis], rows, ["low", "mean", "high"], { title, scale }, width);
    return { rows, chart };
  }
  /** From zero where that leaves the differences to be seen; a logarithmic axis is wide enough for whole intervals. */
  function scaleOf(metric, rows, least, most) {
    if (isWide(metric, least, most)) {
      const lows = rows.map((row) => row.low).filter((low) => low !== null && low > 0);
      return { type: "log", clamp: true, domainMin: Math.min(least / 2, ...lows) };
    }
    const middle = rows.filter((row) => Math.abs(row.mean) < 0.5 * Math.max(Math.abs(most), Math.abs(least)));
    const near = least > 0 && !middle.length && (most - least) < 0.1 * most;
    return { zero: metric.zero || !near };
  }
  function dodge(rows, byPlace) {
    const order = (all) => new Map([...all].sort((a, b) => a - b).map((number, i) => [number, i]));
    const every = order(new Set(rows.map((row) => row.number)));
    const places = byPlace ? grouped(rows, (row) => row.place) : null;
    const orders = places && new Map([...places].map(([place, own]) => [place, order(new Set(own.map((row) => row.number)))]));
    for (const row of rows) {
      const own = orders ? orders.get(row.place) : every;
      row.dodge = (own.get(row.number) - (own.size - 1) / 2) * Math.min(DODGE, DODGE_SPAN / own.size);
    }
  }
  /** The signs of what is shown against the baseline: ▲ higher, ▼ lower, = the same. */
  const SIGNS = { h: " ▲", l: " ▼", s: " =" };
  function heatMap(now, combinations, width) {
    const name = value("metric"), metric = data.metrics[name], ratio = value("relative") === "ratio";
    const points = pointsOf(name).filter(({ combination }) => combinations.has(combination));
    const base = new Map(points.filter(({ apart }) => data.series[apart][0] === data.baseline)
      .map((point) => [networkOf(point.combination), point.mean]));
    const rows = points.map((point) => {
      const mean = ratio ? point.mean / base.get(networkOf(point.combination)) : point.mean;
      return {
        ...words(point, metric), combination: point.combination, number: point.apart, network: networkOf(point.combination),
        variant: nameOf(data.series[point.apart][0]), mean, found: point.found,
        clear: isFaint(data.series[point.apart][0]) ? 0.25 : 1,
      };
    }).filter((row) => Number.isFinite(row.mean));
    rows.sort((a, b) => a.number - b.number || a.combination - b.combination);
    const chart = structuredClone(data.charts["heat map"]), [boxes, labels] = chart.layer, color = boxes.encoding.color;
    const least = Math.min(...rows.map((row) => row.mean)), most = Math.max(...rows.map((row) => row.mean));
    color.title = ratio ? `${metric.title}, ratio to ${nameOf(data.baseline)}` : titled(metric);
    const log = ratio ? least > 0 : isWide(metric, least, most);
    if (ratio && log) Object.assign(color.scale, { scheme: "purpleorange", type: "log", domainMid: 1 });
    else if (log) color.scale.type = "log";
    const at = log ? (mean) => Math.log(mean / least) / (Math.log(most / least) || 1) : (mean) => (mean - least) / (most - least || 1);
    const networks = new Set(rows.map((row) => row.network)).size, names = new Set(rows.map((row) => row.variant));
    const room = width - 8 * Math.max(0, ...[...names].map((own) => Math.min(32, own.length)));
    const step = Math.max(16, Math.floor(room / Math.max(1, networks)));
    for (const row of rows) {
      const middle = Math.abs(at(row.mean) - (ratio && log ? at(1) : 0.5)) < (ratio ? 0.35 : 0);
      row.ink = ratio ? (middle ? "#16181b" : "#fff") : at(row.mean) > 0.55 ? "#16181b" : "#fff";
      row.label = `${step < 44 ? "" : brief(row.mean)}${SIGNS[row.found] ?? ""}`.trim();
    }
    for (const layer of chart.layer) {
      layer.encoding.x.title = networkAxes.map((axis) => axis.title).join(", ");
      layer.encoding.x.axis.labelAngle = step < 80 ? -60 : 0;
    }
    if (marked.size) for (const layer of chart.layer) layer.encoding.opacity = { field: "clear", type: "quantitative", scale: null, legend: null };
    if (rows.length > MOST_BOXES) chart.layer = [boxes];
    chart.width = { step };
    chart.height = { step: 34 };
    return { rows, chart };
  }
  function plane(now, combinations, width) {
    const { delay, rate } = data.clouds, groups = new Map();
    const rows = data.clouds.rows.filter(([combination]) => combinations.has(combination)).map(
      ([combination, apart, , run, x, y]) => {
        const row = {
          kind: "run", combination, run, delay: x, rate: y, number: apart, series: nameOf(data.series[apart][0]), network: String(combination),
          column: head(now.columns, combination), row: head(now.rows, combination),
          where: whereOf(combination), runs: `run ${run}`, value: `${short(x)} ${data.metrics[delay].unit}, ${short(y)} ${data.metrics[rate].unit}`,
        };
        const key = `${apart} ${combination}`;
        groups.set(key, [...(groups.get(key) ?? []), row]);
        return row;
      });
    const least = Math.min(...rows.map((row) => row.rate)), cut = least > 0.5 * Math.max(...rows.map((row) => row.rate));
    const around = [...groups.values()].flatMap(cloud);
    const chart = filled(data.charts.plane, rows, ["rate"], { title: cut ? `${titled(data.metrics[rate])}, axis cut below` : titled(data.metrics[rate]), scale: { zero: !cut } }, width);
    for (const layer of chart.layer) {
      layer.encoding.x.title = titled(data.metrics[delay]);
      layer.encoding.x.scale = { reverse: true, zero: true };
    }
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


  /** The chart in its panels, as large as there is room. */
  function panelled(chart, now, width) {
    if (now.kind === "heat map") return chart;
    const count = now.columns ? axes.get(now.columns).values.length : 1;
    const fitting = now.rows ? count : Math.min(count, Math.max(1, Math.floor(width / LEAST_PANEL)));
    // Of planes, each has its own axes with their labels.
    const own = Math.max(110, now.kind === "plane" ? width / fitting - 62 : (width - 20) / fitting - (fitting > 1 ? 22 : 30));
    chart.width = own;
    chart.height = now.rows || now.columns ? Math.max(120, Math.min(300, own * 0.7)) : Math.min(380, Math.max(220, own * 0.6));
    const apart = now.kind === "plane" && { resolve: { scale: { x: "independent", y: "independent" } } };
    const side = (field, name) => ({ field, type: "nominal", title: null, sort: heads(name) });
    if (now.rows) return { facet: { row: side("row", now.rows), ...(now.columns && { column: side("column", now.columns) }) }, spec: chart, ...apart };
    if (now.columns) return { facet: side("column", now.columns), columns: fitting, spec: chart, ...apart };
    return chart;
  }

  function draw(width) {
    const now = layout();
    define(root.querySelector(".definition"), now.kind === "plane" ? "" : value("metric"));
    const { rows, chart } = { lines, "heat map": heatMap, plane }[now.kind](now, chosen(now), width);
    if (!rows.length) return "No cell has a value of it at what is chosen.";
    return { ...panelled(chart, now, width), data: { values: rows } };
  }
  function drawn(view) {
    view.addEventListener("click", (_, item) => explain(details, item?.datum));
    root.view = view;
    details.replaceChildren();
  }
  /** Fit the controls to each other after one of them has changed. */
  function fit(changed) {
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
  }
  function update(changed) {
    fit(changed);
    section = "explore";
    keep(Object.fromEntries(Object.entries(controls).map(([name, select]) => [name, select.parentElement.hidden ? "" : select.value])));
    drawFigure(own);
  }
  /** What the address says, where it says something. */
  function read() {
    fit();
    // Twice, as what one control offers depends on others.
    for (let round = 0; round < 2; round++) {
      for (const [name, select] of Object.entries(controls)) {
        const asked = state.get(name);
        if (asked !== undefined && [...select.options].some((option) => option.value === asked)) select.value = asked;
      }
      fit("read");
    }
    if (own && (own.seen || section === "explore")) drawFigure(own);
    else if (own) own.stale = true;
  }

  // What is seen first: the axis with most values, and a panel for each of a few values of the next.
  const long = networkAxes.filter((axis) => axis.numeric).sort((a, b) => b.values.length - a.values.length);
  if (long.length) controls.axis.value = long[0].name;
  fit();
  const next = networkAxes.find((axis) => axis.name !== value("axis") && axis.values.length <= 4);
  if (next) controls.columns.value = next.name;

  let own = null;
  root.hidden = false;
  read();
  own = figure(frame, draw, drawn);
  listeners.push(() => { read(); whenIdle(); });
}

// SPDX-License-Identifier: MIT
// A cell's charts over time: as wide as the page, all of the same part of the time, which is in the page's address.
(() => {
  "use strict";
  const root = document.getElementById("timeline");
  if (!root) return;
  const { end, top, room, flows, data } = JSON.parse(document.getElementById("timeline-data").textContent);
  const NUMBER = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
  const fields = Object.fromEntries(["from", "to", "at"].map((name) => [name, root.querySelector(`input[name=${name}]`)]));
  const buttons = [...root.querySelectorAll(".flows button")];
  const panels = [...root.querySelectorAll(".plot")].map((place) => ({ place, figure: place.closest("figure"), view: null }));
  const OVERVIEW = data.goodput ? "goodput" : ["cwnd", "in flight", "ssthresh", "rtt", "queue", "delay"].find((name) => data[name]);
  const common = root.querySelector("button[name=common]");
  const shown = { begin: 0, until: end, apart: [], common: false, at: null };

  // The data

  /** Numbers as they were before `packed_numbers.packed`. */
  function unpacked({ low, step, steps }) {
    const bytes = Uint8Array.from(atob(steps), (sign) => sign.charCodeAt(0));
    return Array.from(new Uint16Array(bytes.buffer), (count) => low + step * count);
  }
  const LINES = {};
  for (const [name, rows] of Object.entries(data)) {
    if (rows[0].v?.steps !== undefined) LINES[name] = rows.map(({ flow, t, v }) => ({ flow, t: unpacked(t), v: unpacked(v) }));
  }
  // Queue, delay and Jain's index are about no flow, though their rows are numbered.
  const isOfFlow = (name) => !["queue", "delay", "jain"].includes(name);
  const about = (name, flow) => isOfFlow(name)
    ? { flow, name: flows[flow], colour: name === "in flight" ? "var(--soft)" : `var(--flow-${flow})` }
    : { colour: "var(--ink)" };

  /** The rows of a chart, as its layers name them. */
  function rowsOf(name, flow) {
    const own = (row) => flow === undefined || row.flow === Number(flow);
    if (LINES[name]) {
      return LINES[name].filter(own).flatMap((line) => {
        const common = { ...about(name, line.flow), line: line.flow };
        return line.t.map((t, place) => ({ ...common, t, v: line.v[place] }));
      });
    }
    const numbers = Object.keys(flows);
    return (data[name] ?? []).filter(own).map((row) => (["starved", "again"].includes(name)
      ? { ...row, ...about(name, row.flow), place: numbers.indexOf(String(row.flow)) } : row));
  }

  // The charts

  async function draw(panel) {
    const { chart, rows } = panel.place.dataset;
    const spec = structuredClone(timelineCharts[chart]);
    spec.datasets = chart === "overview"
      ? { overview: rowsOf(OVERVIEW) }
      : Object.fromEntries(rows.split(",").map((name) => [name, rowsOf(name, panel.figure.dataset.flow)]));
    spec.layer &&= spec.layer.filter((layer) => spec.datasets[layer.data.name].length);
    for (const param of spec.params) {
      if (param.name === "top") param.value = top; // `show` sets what is true
      if (param.name === "until") param.value = end;
    }
    const made = await vegaEmbed(panel.place, spec, { renderer: "svg", actions: false });
    panel.view = made.view;
    const svg = panel.place.querySelector("svg");
    // To a screen reader the chart is one picture, not a symbol without a name for each of its groups.
    svg.setAttribute("role", "img");
    svg.firstElementChild.setAttribute("aria-hidden", "true");
    if (panel.figure) {
      svg.setAttribute("aria-labelledby", panel.figure.querySelector("h3").id);
      panel.figure.querySelector("figcaption").append(saveButtons(panel.figure.querySelector("h3").textContent.trim(), () => panel.place.querySelector("svg"), panel.place.dataset.chart));
    } else svg.setAttribute("aria-label", "All of the time, with the part that is chosen");
    panel.cursor = panel.place.appendChild(Object.assign(document.createElement("div"), { className: "cursor", hidden: true }));
    panel.chosen = panel.place.appendChild(Object.assign(document.createElement("div"), { className: "chosen", hidden: true }));
    listen(panel);
  }

  /** Show what is chosen: the time in all charts but the overview, the flows in all. */
  async function show() {
    fields.from.value = Number(shown.begin.toFixed(3));
    fields.to.value = Number(shown.until.toFixed(3));
    for (const button of buttons) button.setAttribute("aria-pressed", shown.apart.includes(Number(button.value)));
    common?.setAttribute("aria-pressed", shown.common);
    await Promise.all(panels.filter(({ view }) => view).map(({ view, figure, place }) => {
      if (figure) view.signal("begin", shown.begin).signal("until", shown.until);
      if (place.dataset.chart === "window") view.signal("top", topOf(shown.common ? undefined : Number(figure.dataset.flow)));
      return view.signal("apart", shown.apart).runAsync();
    }));
    mark();
    point(shown.at);
    root.dataset.drawn = Number(root.dataset.drawn ?? 0) + 1;
  }

  /** The end of the axis of a flow's windows, or of all: above the largest cwnd in the time that is shown. */
  function topOf(flow) {
    let largest = 0;
    for (const line of LINES.cwnd ?? []) {
      if (flow !== undefined && line.flow !== flow) continue;
      line.t.forEach((t, place) => {
        const lasts = line.t[place + 1] ?? end;
        if (t <= shown.until && lasts >= shown.begin) largest = Math.max(largest, line.v[place]);
      });
    }
    return largest ? room * largest : top;
  }
  const whole = (panel) => panel.figure ? [shown.begin, shown.until] : [0, end];
  const height = (panel) => panel.view.signal("height");
  function pixel(panel, t) {
    const [a, b] = whole(panel);
    return panel.view.origin()[0] + (t - a) / (b - a) * panel.view.signal("width");
  }
  function timeAt(panel, event) {
    const [a, b] = whole(panel), x = event.clientX - panel.place.getBoundingClientRect().left;
    const part = (x - panel.view.origin()[0]) / panel.view.signal("width");
    return a + Math.min(1, Math.max(0, part)) * (b - a);
  }
  function band(panel, from, to) {
    const left = pixel(panel, Math.min(from, to)), right = pixel(panel, Math.max(from, to));
    Object.assign(panel.chosen.style, { left: `${left}px`, width: `${Math.max(1, right - left)}px`, height: `${height(panel)}px` });
    panel.chosen.hidden = false;
  }
  /** Mark in the overview what the others show. */
  function mark() {
    for (const panel of panels.filter(({ view }) => view)) {
      if (!panel.figure && (shown.begin > 0 || shown.until < end)) band(panel, shown.begin, shown.until);
      else panel.chosen.hidden = true;
    }
  }

  // The values at a time

  function valueAt({ t, v }, time) {
    let low = 0, high = t.length;
    while (low < high) { const middle = (low + high) >> 1; if (t[middle] <= time) low = middle + 1; else high = middle; }
    return low ? v[low - 1] : undefined;
  }
  function point(time) {
    shown.at = time;
    root.querySelector(".timebar output").textContent = time === null ? "" : `${NUMBER.format(time)}`;
    for (const panel of panels.filter(({ view }) => view)) {
      const [a, b] = whole(panel);
      panel.cursor.hidden = time === null || time < a || time > b;
      if (time === null) { panel.figure?.querySelector(".values").replaceChildren(); continue; }
      Object.assign(panel.cursor.style, { left: `${pixel(panel, time)}px`, height: `${height(panel)}px` });
      if (panel.figure) panel.figure.querySelector(".values").replaceChildren(...valuesOf(panel, time));
    }
  }
  function valuesOf(panel, time) {
    const { chart, rows } = panel.place.dataset, flow = panel.figure.dataset.flow, found = [];
    for (const name of rows.split(",").filter((name) => LINES[name]).toReversed()) {
      for (const line of LINES[name]) {
        if (flow !== undefined && line.flow !== Number(flow)) continue;
        const value = name === "jain" && time > line.t.at(-1) ? undefined : valueAt(line, time);
        if (value === undefined) continue;
        const cut = name === "ssthresh" && value >= top * 0.9999;
        const text = cut ? "above" : NUMBER.format(value);
        if (chart === "window") found.push(`${name} ${text}  `);
        else if (!isOfFlow(name)) found.splice(0, 1, text);
        else found.push(swatch(about(name, line.flow).colour), `${line.flow}: ${text}`);
      }
    }
    return found;
  }
  function swatch(colour) {
    const mark = document.createElement("span");
    mark.className = "swatch";
    mark.style.setProperty("--of", colour);
    return mark;
  }

  // What a person does

  function choose(begin, until) {
    [shown.begin, shown.until] = [Math.max(0, Math.min(begin, until)), Math.min(end, Math.max(begin, until))];
    if (!(shown.until > shown.begin)) [shown.begin, shown.until] = [0, end];
    keep();
    return show();
  }
  function listen(panel) {
    const { place } = panel;
    let from = null;
    place.addEventListener("pointerdown", (event) => {
      if (event.button || event.pointerType === "touch" && !event.isPrimary) return;
      from = timeAt(panel, event);
      place.setPointerCapture?.(event.pointerId);
    });
    place.addEventListener("pointermove", (event) => {
      const time = timeAt(panel, event);
      point(time);
      if (from !== null) band(panel, from, time);
    });
    place.addEventListener("pointerup", (event) => {
      if (from === null) return;
      const [a, b] = whole(panel), until = timeAt(panel, event), begin = from;
      from = null;
      if (Math.abs(until - begin) > (b - a) / 200) choose(begin, until); else mark();
    });
    place.addEventListener("pointercancel", () => { from = null; mark(); });
    place.addEventListener("pointerleave", () => { if (from === null) point(null); });
    place.addEventListener("dblclick", () => choose(0, end));
  }
  for (const field of [fields.from, fields.to]) {
    field.addEventListener("change", () => choose(Number(fields.from.value), Number(fields.to.value) || end));
  }
  fields.at.addEventListener("input", () => point(shown.begin + Number(fields.at.value) / end * (shown.until - shown.begin)));
  const moves = {
    earlier: (length) => [-length / 2, -length / 2], later: (length) => [length / 2, length / 2],
    closer: (length) => [length / 4, -length / 4], wider: (length) => [-length / 2, length / 2], all: () => [-end, end],
  };
  for (const [name, move] of Object.entries(moves)) {
    root.querySelector(`button[name=${name}]`).addEventListener("click", () => {
      const length = shown.until - shown.begin;
      let [a, b] = move(length);
      if (a === b) a = b = Math.min(Math.max(a, -shown.begin), end - shown.until); // a part is moved, not cut
      choose(shown.begin + a, shown.until + b);
    });
  }
  common?.addEventListener("click", () => {
    shown.common = !shown.common;
    keep();
    show();
  });
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const flow = Number(button.value);
      shown.apart = shown.apart.includes(flow) ? shown.apart.filter((other) => other !== flow) : [...shown.apart, flow];
      keep();
      show();
    });
  }

  // What is chosen is in the page's address, and goes along to another cell.

  function keep() {
    const parts = new URLSearchParams();
    if (shown.begin > 0 || shown.until < end) {
      parts.set("from", Number(shown.begin.toFixed(3)));
      parts.set("to", Number(shown.until.toFixed(3)));
    }
    if (shown.apart.length) parts.set("flows", shown.apart.join("."));
    if (shown.common) parts.set("axis", "one");
    const text = parts.toString();
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
    for (const link of document.querySelectorAll(".cells li a")) link.hash = text;
  }
  function recall() {
    const parts = new URLSearchParams(location.hash.slice(1));
    const [from, to] = ["from", "to"].map((name) => parseFloat(parts.get(name)));
    [shown.begin, shown.until] = to > from && from < end ? [Math.max(0, from), Math.min(end, to)] : [0, end];
    const wanted = (parts.get("flows") ?? "").split(".").map((text) => parseInt(text, 10));
    shown.apart = wanted.filter((flow) => flow in flows);
    shown.common = parts.get("axis") === "one";
    keep();
  }
  addEventListener("hashchange", () => {
    if (!/^#(from|to|flows|axis)=/.test(location.hash)) return;
    recall();
    show();
    root.scrollIntoView();
  });
  addEventListener("resize", () => requestAnimationFrame(() => { mark(); point(shown.at); }));

  (async () => {
    root.hidden = false;
    recall();
    for (const panel of panels) await draw(panel);
    await show();
    if (location.hash) root.scrollIntoView();
  })();
})();

// SPDX-License-Identifier: MIT
// The data of a cell's charts over time: the flows, the lines, and their values at a time.
// tcpsweep/core/report/cell_page.py describes the data.
const OVERVIEWS = ["goodput", "cwnd", "in flight", "ssthresh", "rtt", "queue", "delay"];
const SEGMENTS = ["new", "retransmitted", "late"]; // by their numbers in the data of imports
const IN_SEQUENCE = { acks: "acknowledged", edges: "window ends at" };
const number = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

/** The page's data with its lines as numbers, by their names. */
export function readTimeline() {
  const timeline = JSON.parse(document.getElementById("timeline-data").textContent);
  const lines = {};
  const bars = {};
  for (const [name, rows] of Object.entries(timeline.data)) {
    if (rows[0].low?.steps !== undefined) bars[name] = rows.map(unpackedBars);
    if (rows[0].v?.steps === undefined) continue;
    lines[name] = rows.map(({ flow, t, v }) => ({ flow, t: unpacked(t), v: unpacked(v) }));
  }
  return { begin: 0, ...timeline, lines, bars, overview: OVERVIEWS.find((name) => timeline.data[name]) };
}

/** Bars of one flow, such as its segments. */
const unpackedBars = ({ flow, t, low, high, kind }) => ({
  flow,
  t: unpacked(t),
  low: unpacked(low),
  high: unpacked(high),
  kind: unpacked(kind),
});

/** The numbers that `packed_numbers.packed` has packed. */
function unpacked({ low, step, steps }) {
  const bytes = Uint8Array.from(atob(steps), (sign) => sign.charCodeAt(0));
  return Array.from(new Uint16Array(bytes.buffer), (count) => low + step * count);
}

// Queue, delay and Jain's index belong to no flow, although their rows are numbered.
const isOfFlow = (name) => !["queue", "delay", "jain"].includes(name);

function aboutFlow({ flows }, name, flow) {
  if (!isOfFlow(name)) return { colour: "var(--ink)" };
  return { flow, name: flows[flow], colour: name === "in flight" ? "var(--soft)" : `var(--flow-${flow})` };
}

/** The rows of a trace, with the looks of its lines, states or events; only one flow's rows if `flow` is set. */
export function rowsOf(timeline, name, flow, { lines: looks, colours }) {
  const isWanted = (row) => flow === undefined || row.flow === Number(flow);
  const bars = timeline.bars[name]?.filter(isWanted);
  if (bars) return bars.flatMap(rowsOfBars);
  const lines = timeline.lines[name]?.filter(isWanted);
  if (lines) {
    return lines.flatMap((line) => {
      const look = { width: 1.2, dash: [1, 0], ...looks[name] };
      const about = { ...aboutFlow(timeline, name, line.flow), line: line.flow, part: name, ...look };
      return line.t.map((t, place) => ({ ...about, t, v: line.v[place] }));
    });
  }
  const rows = (timeline.data[name] ?? []).filter(isWanted);
  const coloured = rows.map((row) => ({ ...row, colour: colours[row.state ?? row.what] }));
  if (!["starved", "again"].includes(name)) return coloured;
  const order = Object.keys(timeline.flows);
  const placed = (row) => ({ ...aboutFlow(timeline, name, row.flow), place: order.indexOf(String(row.flow)) });
  return rows.map((row) => ({ ...row, ...placed(row) }));
}

function rowsOfBars({ t, low, high, kind }) {
  return t.map((time, place) => ({ t: time, low: low[place], high: high[place], what: SEGMENTS[kind[place]] }));
}

/** The end of the axis of a flow's windows, or of all: above the largest cwnd in the time that is shown. */
export function topOfWindows({ lines, end, room, top }, { begin, until }, flow) {
  let largest = 0;
  for (const { t, v } of (lines.cwnd ?? []).filter((line) => flow === undefined || line.flow === flow)) {
    t.forEach((time, place) => {
      const lasts = t[place + 1] ?? end;
      if (time <= until && lasts >= begin) largest = Math.max(largest, v[place]);
    });
  }
  return largest ? room * largest : top;
}

export const timeText = (time) => number.format(time);

/** A chart's values at a time, with swatches of the flows' colours. */
export function valuesAt(timeline, { chart, rows }, flow, time) {
  const names = rows.split(",").filter((name) => timeline.lines[name]);
  const found = [];
  for (const name of names.toReversed()) {
    for (const line of timeline.lines[name]) {
      if (flow !== undefined && line.flow !== Number(flow)) continue;
      const value = name === "jain" && time > line.t.at(-1) ? undefined : valueAt(line, time);
      if (value === undefined) continue;
      const text = name === "ssthresh" && value >= timeline.top * 0.9999 ? "above" : number.format(value);
      if (chart === "sequence") found.push(`${IN_SEQUENCE[name]} ${text} kB  `);
      else if (chart === "window") found.push(`${name} ${text}  `);
      else if (!isOfFlow(name)) found.splice(0, 1, text);
      else found.push(swatch(aboutFlow(timeline, name, line.flow).colour), `${line.flow}: ${text}`);
    }
  }
  return found;
}

/** The last value that a line had by a time; undefined before its first. */
function valueAt({ t, v }, time) {
  let low = 0;
  let high = t.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low ? v[low - 1] : undefined;
}

function swatch(colour) {
  const mark = document.createElement("span");
  mark.className = "swatch";
  mark.style.setProperty("--of", colour);
  return mark;
}

// SPDX-License-Identifier: MIT
// Fairness: which part of a mix's goodput each variant gets, and for sweeps of pairs the matrix of these parts.
import { addressValue, keepInAddress, onFollow } from "../frame/address.js";
import { addFigure, drawFigure, refresh } from "../frame/charts.js";
import { data } from "../frame/page_data.js";
import { choose, groupBy, offer } from "../shared/elements.js";
import { mean } from "../shared/numbers.js";
import { chartOf, seriesSlots } from "./chart_scales.js";
import { networkOf, pointsOf, whereOf } from "./points.js";
import { hidden, isFaint, nameOf, nameOfNumber, variantOf } from "./series.js";

const MATRIX = "matrix";
const mixes = data.variants.names.filter((name) => name.includes("+"));
const pairs = mixes.filter((name) => name.split("+").length === 2);

export function startFairness() {
  const root = document.getElementById("fairness-figure");
  if (!root) return;
  const select = document.querySelector("#fairness select[name=mix]");
  const matrix = pairs.length > 2 ? [[MATRIX, "all pairs, mean of the network conditions"]] : [];
  offer(select, [...matrix, ...mixes.map((name) => [name, name])]);
  const figure = addFigure(root, (width) => {
    if (select.value === MATRIX) return pairMatrix(width);
    return hidden.has(select.value) ? "This mix is hidden." : bars(select.value, width);
  });
  select.addEventListener("change", () => {
    keepInAddress({ mix: select.value }, "fairness");
    drawFigure(figure);
  });
  const read = () => {
    choose(select, addressValue("mix"));
    for (const option of select.options) if (option.value !== MATRIX) option.textContent = nameOf(option.value);
    refresh(figure);
  };
  onFollow(read);
  read();
}

/** The parts of a mix's goodput in each network, from its variants' means and how many flows have each variant. */
function partsOf(mix) {
  const turns = mix.split("+");
  const nameOfPoint = (point) => data.series[point.own][0];
  const turnsOf = (point) => turns.filter((name) => name === nameOfPoint(point)).length;
  const place = (point) => turns.indexOf(nameOfPoint(point));
  const points = pointsOf("goodput_bps").filter(({ combination }) => variantOf(combination) === mix);
  return [...groupBy(points, (point) => point.combination)].map(([combination, own]) => {
    const total = own.reduce((sum, point) => sum + point.mean * turnsOf(point), 0);
    const sorted = own.toSorted((a, b) => place(a) - place(b));
    const part = (point) => (total ? (point.mean * turnsOf(point)) / total : 0);
    const withPart = (point) => ({ ...point, fair: turnsOf(point) / turns.length, part: part(point) });
    return { combination, own: sorted.map(withPart) };
  });
}

/** A bar for each network, of its variants' parts. */
function bars(mix, width) {
  const found = partsOf(mix);
  if (!found.length) return "No simulation has a value of this metric.";
  const networks = found.map(({ combination }) => networkOf(combination) || "the network");
  // Bars have room for their labels next to the networks' names; where the window has too little, the figure scrolls.
  const names = 7 * Math.min(36, Math.max(...networks.map((name) => name.length))) + 20;
  const whole = Math.max(width, names + 160);
  const rows = found.flatMap(({ own }, i) => barOf(own, networks[i], whole - names));
  const isPair = mix.split("+").length === 2;
  const slots = {
    ...seriesSlots(rows, width),
    "x title": isPair ? "share of the goodput (dashed: fair shares)" : "share of the goodput",
    ticks: whole - names < 300 ? 2 : 5,
    autosize: { type: "fit-x", contains: "padding" },
    width: whole,
    height: 30 * new Set(networks).size,
  };
  return chartOf("shares", slots, { points: rows, fair: isPair ? [{ fair: 0.5 }] : [] });
}

function barOf(points, network, room) {
  let end = 0;
  return points.map(({ combination, own: number, part, runs }, order) => {
    end += part;
    const words = { where: whereOf(combination), runs: String(runs) };
    const series = nameOfNumber(number);
    const about = { combination, number, series, network, ...words };
    const ink = isFaint(data.series[number][0]) ? "var(--ink)" : `var(--on-${number})`;
    const percent = `${Math.round(100 * part)} %`;
    // The name tells bars apart without their colours, where it has room.
    const named = part * room > 36 + 7 * series.length ? `${series} ${percent}` : percent;
    const label = part * room > 36 ? named : "";
    const value = `${(100 * part).toFixed(1)} % of the mix's goodput`;
    return { ...about, part, order, middle: end - part / 2, label, value, ink };
  });
}

/** Each variant's mean part in competition with each other variant. */
function pairMatrix(width) {
  const cells = pairs.filter((mix) => !hidden.has(mix)).flatMap(cellsOfPair);
  const step = Math.max(30, Math.min(110, Math.floor((width - 160) / new Set(cells.map((row) => row.column)).size)));
  const slots = {
    columns: null, // in the order of the rows
    rows: null,
    "x title": "next to",
    "x axis": { labelLimit: 260 },
    "y title": null,
    "y axis": { labelLimit: 260 },
    "value title": "share of the goodput",
    "value colours": { scheme: "purpleorange", domain: [0, 1], domainMid: 0.5 },
    labels: "labels",
    width: { step },
    height: { step: 34 },
  };
  return chartOf("matrix", slots, { points: cells });
}

function cellsOfPair(mix) {
  const found = partsOf(mix).flatMap(({ own }) => own);
  const both = mix.split("+");
  return both.flatMap((name, i) => {
    const parts = found.filter((point) => data.series[point.own][0] === name).map((point) => point.part);
    if (!parts.length) return [];
    const share = mean(parts);
    const variant = nameOf(name);
    const network = nameOf(both[1 - i]);
    const words = { value: `${(100 * share).toFixed(1)} %`, label: `${Math.round(100 * share)} %` };
    const about = { series: variant, where: `next to ${network}`, runs: `mean of ${parts.length} network conditions` };
    return [
      {
        row: variant,
        column: network,
        mean: share,
        ...about,
        ...words,
        ink: Math.abs(share - 0.5) < 0.25 ? "#16181b" : "#fff",
      },
    ];
  });
}

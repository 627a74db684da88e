// SPDX-License-Identifier: MIT
// The plane of delay and throughput: each run, and the mean of a variant's runs with their ellipse.
import { data } from "../frame/page_data.js";
import { groupBy } from "../shared/elements.js";
import { mean, short } from "../shared/numbers.js";
import { seriesSlots } from "./chart_scales.js";
import { headOf } from "./explorer_panels.js";
import { titled, whereOf } from "./points.js";
import { nameOfNumber } from "./series.js";

const ELLIPSE = 60; // corners of an ellipse

export function plane(choice, combinations, width) {
  const delay = data.metrics[data.clouds.delay];
  const rate = data.metrics[data.clouds.rate];
  const valueText = (x, y) => `${short(x)} ${delay.unit}, ${short(y)} ${rate.unit}`;
  const rows = data.clouds.rows
    .filter(([combination]) => combinations.has(combination))
    .map((row) => runMark(row, choice, valueText));
  const rates = rows.map((row) => row.y);
  const isCut = Math.min(...rates) > 0.5 * Math.max(...rates);
  const slots = {
    "x title": `${titled(delay)} (← better)`,
    "x scale": { zero: true },
    "y title": isCut ? `${titled(rate)}, axis cut below` : titled(rate),
    "y scale": { zero: !isCut },
    ...seriesSlots(rows, width),
  };
  const clouds = groupBy(rows, (row) => `${row.number} ${row.combination}`);
  const marks = [...[...clouds.values()].flatMap((runs) => cloud(runs, valueText)), ...rows];
  return { rows: marks, kind: "plane of runs", slots };
}

function runMark([combination, number, , run, delay, rate], choice, valueText) {
  const panel = { column: headOf(choice.columns, combination), row: headOf(choice.rows, combination) };
  const words = { series: nameOfNumber(number), where: whereOf(combination), runs: `run ${run}` };
  const about = { kind: "run", combination, run, number, network: String(combination) };
  return { ...about, x: delay, y: rate, ...panel, ...words, value: valueText(delay, rate) };
}

/** The mean of some runs and the ellipse of one standard deviation around it. */
function cloud(runs, valueText) {
  const delays = runs.map((row) => row.x);
  const rates = runs.map((row) => row.y);
  const x = mean(delays);
  const y = mean(rates);
  const words = { runs: `mean of ${runs.length} runs`, value: valueText(x, y) };
  const middle = { ...runs[0], ...words, kind: "mean", x, y };
  if (runs.length < 3) return [middle];
  const fromMean = (values, from) => values.map((value) => value - from);
  const [dx, dy] = [fromMean(delays, x), fromMean(rates, y)];
  const covariance = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0) / (a.length - 1);
  const sx = Math.sqrt(covariance(dx, dx));
  const sy = Math.sqrt(covariance(dy, dy));
  const r = sx && sy ? covariance(dx, dy) / (sx * sy) : 0;
  const ellipse = Array.from({ length: ELLIPSE + 1 }, (_, order) => {
    const angle = (2 * Math.PI * order) / ELLIPSE;
    const across = Math.cos(angle);
    const up = r * across + Math.sqrt(Math.max(0, 1 - r * r)) * Math.sin(angle);
    return { ...middle, kind: "ellipse", order, x: x + sx * across, y: y + sy * up };
  });
  return [...ellipse, middle];
}

// SPDX-License-Identifier: MIT
// A metric's means against an axis, with their intervals.
import { data } from "../frame/page_data.js";
import { dodge, dodgeAtEachPlace, isWide, logScale, placeSlots, seriesSlots } from "./chart_scales.js";
import { headOf } from "./explorer_panels.js";
import { axes, placeOn, pointsOf, titled, tooltipOf } from "./points.js";
import { nameOfNumber } from "./series.js";

const DODGE = 3;

export function lines(choice, combinations, width) {
  const metric = data.metrics[choice.metric];
  const rows = pointsOf(choice.metric)
    .filter(({ combination }) => combinations.has(combination))
    .map((point) => lineRow(point, metric, choice))
    .filter((row) => row.place !== undefined);
  if (choice.axis === "variant") dodgeAtEachPlace(rows, DODGE);
  else dodge(rows, DODGE);
  const scale = scaleOf(metric, rows);
  if (scale.type === "log") for (const row of rows) if (row.low !== null && row.low <= 0) row.low = scale.domainMin;
  const isWhole = scale.zero || scale.type === "log";
  const title = isWhole ? titled(metric) : `${titled(metric)}, axis cut below`;
  const axis = axes.get(choice.axis);
  const values = { "y title": title, "y scale": scale, fair: metric.fair };
  const fair = typeof metric.fair === "number" ? [{}] : [];
  return { rows, fair, kind: axis.kind, slots: { ...placeSlots(axis), ...seriesSlots(rows, width), ...values } };
}

function lineRow(point, metric, choice) {
  const { combination, mean, low, high } = point;
  const number = choice.axis === "variant" ? point.own : point.apart;
  const panel = { column: headOf(choice.columns, combination), row: headOf(choice.rows, combination) };
  const place = placeOn(axes.get(choice.axis), combination);
  const series = nameOfNumber(number);
  return { ...tooltipOf(point, metric), combination, number, place, mean, low, high, series, ...panel };
}

/** From zero, unless that would hide the differences. */
function scaleOf(metric, rows) {
  const means = rows.map((row) => row.mean);
  const least = Math.min(...means);
  const most = Math.max(...means);
  if (metric.unit && isWide(least, most)) return logScale(least, rows);
  const isMiddling = (mean) => Math.abs(mean) < 0.5 * Math.max(Math.abs(most), Math.abs(least));
  const isNear = least > 0 && !means.some(isMiddling) && most - least < 0.1 * most;
  return { zero: metric.zero || !isNear };
}

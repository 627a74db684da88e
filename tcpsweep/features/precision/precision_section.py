# SPDX-License-Identifier: MIT
"""The precision of the means in a sweep that asks for one, and its cost in runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import polars as pl

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.report import strips
from tcpsweep.core.report.sections import table_texts
from tcpsweep.core.report.strips import Axis, Strip
from tcpsweep.core.store import cell_files
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.core.words import metrics, rounding
from tcpsweep.features.precision import precision_record
from tcpsweep.features.precision.precision_record import Precision

LEAST_FACTOR, MOST_FACTOR = 1.25, 10.0
MOST_RECORDS = 5000  # runs whose records are read for their CPU time


class _Row(NamedTuple):  # a mean
    variant: str
    whole: str  # the mix that the variant is in
    where: str
    metric: str
    runs: int
    strip: Strip
    reached: bool
    half: str  # half the interval's width, in words
    asked: str
    cpu: str


@dataclass(frozen=True)
class PreciseMeans:
    """The precision of a sweep's means."""

    asked: list[tuple[str, str]]  # each metric with the requested precision, in words
    at_most: int  # the limit of a combination's runs
    reached: int  # combinations that are as precise as requested
    combinations: int
    runs: int
    cpu: str  # the runs' CPU time in words, or empty
    axis: Axis
    rows: list[_Row]  # the most runs first
    more: int  # rows that are left out


def section(results: SweepResults) -> PreciseMeans | None:
    """The section's contents; None if the sweep asks for no precision, or its table ``precision`` has nothing yet."""
    sweep, table = results.sweep, results.table("precision")
    precision = precision_record.of(sweep)
    if precision is None or table.is_empty():
        return None
    cpu_s = _cpu_s(sweep, results.finished)
    by_combination = table.group_by("combination").agg(pl.col("reached").all(), pl.col("runs").max())
    ratios = table.filter(pl.col("asked") > 0).select(pl.col("half_width") / pl.col("asked")).to_series().drop_nulls()
    axis = strips.of_ratios([max(ratio, 1 / ratio) for ratio in ratios if ratio > 0], LEAST_FACTOR, MOST_FACTOR)
    texts = axes.variant_and_network_texts(sweep)
    order = {name: order for order, name in enumerate(precision.asked)}
    rows = sorted(table.iter_rows(named=True), key=lambda row: (-row["runs"], row["combination"], order[row["metric"]]))
    return PreciseMeans(
        [(metrics.METRICS[name].title, _requested(precision, name)) for name in precision.asked],
        precision.at_most,
        reached=int(by_combination["reached"].sum()),
        combinations=by_combination.height,
        runs=int(by_combination["runs"].sum()),
        cpu=rounding.time_text(sum(cpu_s.values())) if cpu_s else "",
        axis=axis,
        rows=[_row(row, texts, axis, cpu_s) for row in rows[: table_texts.MOST_ROWS]],
        more=max(0, len(rows) - table_texts.MOST_ROWS),
    )


def _row(row: dict[str, Any], texts: Sequence[dict[str, str]], axis: Axis, cpu_s: dict[int, float]) -> _Row:
    metric, axis_texts = metrics.METRICS[row["metric"]], texts[row["combination"]]
    other_values = {name: text for name, text in axis_texts.items() if name != "variant"}
    half_width, asked = row["half_width"], row["asked"]
    ratio = half_width / asked if half_width is not None and asked else None
    cpu = cpu_s.get(row["combination"])
    return _Row(
        axes.series(row["flow_variant"], axis_texts["variant"]),
        axis_texts["variant"],
        axes.axes_in_words(other_values),
        metric.title,
        row["runs"],
        strips.strip(axis, ratio),
        row["reached"],
        half="identical runs" if half_width is None and row["reached"] else _with_unit(half_width, metric),
        asked=_with_unit(asked, metric),
        cpu="" if cpu is None else rounding.time_text(cpu),
    )


def _with_unit(half_width: float | None, metric: metrics.Metric) -> str:
    if half_width is None:
        return "–"
    return rounding.difference_with_unit(f"± {rounding.significant(half_width * metric.scale)}", metric.shown_unit)


def _requested(precision: Precision, name: str) -> str:
    width, metric = precision.asked[name], metrics.METRICS[name]
    return f"± {100 * width.share:.4g} % of the mean" if width.share else _with_unit(width.absolute, metric)


def _cpu_s(sweep: PlannedSweep, finished: Sequence[Run]) -> dict[int, float]:
    """The CPU seconds of each combination's simulators; none where there are too many to read."""
    seconds: dict[int, float] = {}
    for run in finished if len(finished) <= MOST_RECORDS else ():
        cell_seconds = float(cell_files.record(sweep.parquet(run.cell))["cpu_s"])
        seconds[run.combination] = seconds.get(run.combination, 0.0) + cell_seconds
    return seconds


SECTION = Section("precision", "features/precision/report/precision.html.jinja", section, heading="Precision")

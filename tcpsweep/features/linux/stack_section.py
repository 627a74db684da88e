# SPDX-License-Identifier: MIT
"""The section Linux and ns-3: each variant's flows with Linux' TCP, compared with ns-3's in the same networks."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import polars as pl

from tcpsweep.core.analysis.findings import TOO_FEW
from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.report import strips
from tcpsweep.core.report.sections import effect_words, table_texts
from tcpsweep.core.report.strips import Axis, Strip
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics, rounding
from tcpsweep.core.words.metrics import Metric
from tcpsweep.features.linux import stack_table, stack_windows
from tcpsweep.features.linux.stack_windows import VariantWindows

LEAST_FACTOR, MOST_FACTOR = 1.25, 10.0
# The findings' words, in the order in which they are listed.
_RATIO_COLUMNS = ("ratio", "ratio_low", "ratio_high")
_WORDS_BY_FINDING = {"same": "equivalent", "higher": "more", "lower": "less", "undecided": "inconclusive"}


class Row(NamedTuple):
    """A variant's mean with Linux' TCP and with ns-3's, and their ratio, as texts."""

    variant: str
    whole: str  # the mix that the variant is in
    where: str
    linux: str
    ns3: str
    strip: Strip
    ratio: str
    log_ratio: float
    ends: str  # of the ratio's interval
    finding: str
    is_shown: bool
    is_tested: bool


@dataclass(frozen=True)
class ComparedMetric:
    """A metric with Linux' TCP and with ns-3's."""

    name: str
    metric: Metric
    findings: str  # how often each finding occurs, in words
    axis: Axis  # of the ratios
    rows: list[Row]  # that have means
    more: int  # rows that are left out


@dataclass(frozen=True)
class Stacks:
    """Flows with Linux' TCP compared with ns-3's."""

    metrics: list[ComparedMetric]
    windows: list[VariantWindows]


def compared_metrics(sweep: PlannedSweep, table: pl.DataFrame) -> list[ComparedMetric]:
    """The metrics of the sweep's table ``stacks``."""
    places = axes.network_texts(sweep)
    rows_by_metric = {
        name: rows
        for name in (stack_table.METRICS if table.width > 1 else ())
        if (rows := table.filter(pl.col("metric") == name).rows(named=True))
    }
    ratios = [row[end] for rows in rows_by_metric.values() for row in rows for end in _RATIO_COLUMNS if row[end]]
    ratios += [ratio for rows in rows_by_metric.values() for row in rows if (ratio := ratio_of(row))]
    axis = strips.of_ratios(ratios, LEAST_FACTOR, MOST_FACTOR)  # the same for all, so that ratios can be compared
    return [_metric(name, rows, axis, places) for name, rows in rows_by_metric.items()]


def _metric(name: str, metric_rows: list[dict[str, Any]], axis: Axis, places: list[dict[str, str]]) -> ComparedMetric:
    metric = metrics.METRICS[name]
    shown_rows = [row for row in metric_rows if row["finding"] in _WORDS_BY_FINDING or ratio_of(row)]
    finding_counts = _finding_counts([row["finding"] for row in metric_rows])
    rows = [_row(row, metric, axis, places) for row in shown_rows[: table_texts.MOST_ROWS]]
    findings = finding_counts[0].upper() + finding_counts[1:]
    return ComparedMetric(name, metric, findings, axis, rows, len(shown_rows) - len(rows))


def ratio_of(row: dict[str, Any]) -> float | None:
    """The ratio of Linux' mean to ns-3's; where it was not tested, the ratio of the two means."""
    if row["ratio"] is not None:
        return float(row["ratio"])
    mean, reference = row["mean"], row["reference_mean"]
    return mean / reference if mean and reference and mean > 0 < reference else None


def _finding_counts(findings: list[str]) -> str:
    """The number of networks with each finding, such as "equivalent in 3 of 8, less in 5"."""
    shown_findings = ("undecided" if finding == TOO_FEW else finding for finding in findings)
    counts = Counter(finding if finding in _WORDS_BY_FINDING else "" for finding in shown_findings)
    parts = [f"{words} in {counts[finding]}" for finding, words in _WORDS_BY_FINDING.items() if counts[finding]]
    parts += [f"not tested in {counts['']}"] if counts[""] else []
    return f"{', '.join(parts)} of {len(findings)}"


def _row(row: dict[str, Any], metric: Metric, axis: Axis, places: list[dict[str, str]]) -> Row:
    text_by_axis = {name: text for name, text in places[row["combination"]].items() if name != stack_table.STACK}
    ends = row["ratio_low"], row["ratio_high"]
    ratio = ratio_of(row)
    return Row(
        row["variant"],
        row["mix"] or row["variant"],
        axes.axes_in_words(text_by_axis),
        _mean(row["mean"], metric),
        _mean(row["reference_mean"], metric),
        strips.strip(axis, ratio, whisker=ends),
        ratio="–" if ratio is None else rounding.significant(ratio, 3),
        log_ratio=math.log(ratio) if ratio else 0.0,
        ends="" if None in ends else f"[{rounding.significant(ends[0], 3)}, {rounding.significant(ends[1], 3)}]",
        finding=effect_words.finding(row) + _after_correction(row, ends),
        is_shown=row["finding"] in ("higher", "lower"),
        is_tested=row["finding"] in _WORDS_BY_FINDING,
    )


def _after_correction(row: dict[str, Any], ends: tuple[float | None, float | None]) -> str:
    """What to add to "undecided" if the ratio's own interval, which is not corrected, excludes 1; else nothing."""
    low, high = ends
    excludes_1 = low is not None and high is not None and not low <= 1 <= high
    return " after correction" if row["finding"] == "undecided" and excludes_1 else ""


def _mean(value: float | None, metric: Metric) -> str:
    return "–" if value is None else rounding.significant(value * metric.scale, 3)


def _stacks(results: SweepResults) -> Stacks | None:
    """The section's contents; None without Linux' flows."""
    swept = results.swept
    compared = compared_metrics(swept, results.table("stacks"))
    return Stacks(compared, stack_windows.window_pictures(swept, results.finished)) if compared else None


SECTION = Section(
    "stacks",
    "features/linux/report/stacks.html.jinja",
    _stacks,
    heading="Linux and ns-3",
    style="features/linux/report/stacks.css",
)

# SPDX-License-Identifier: MIT
"""The answer to two stacks: the differences between ns-3's TCP and Linux'."""

from __future__ import annotations

import polars as pl

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.report.answers.answer import MOST_ROWS, Answer, Chart, Parts, Row
from tcpsweep.core.words import capitals
from tcpsweep.features.linux import stack_section
from tcpsweep.features.linux.stack_section import ComparedMetric

MOST_CHARTS = 2
NOTE = (
    "Ratios of means, Linux over ns-3, with 95 % intervals over pairs of runs. Intervals are not corrected for the "
    "number of comparisons; findings are."
)


def answer(results: SweepResults) -> Answer | None:
    """The ratios of Linux' means to ns-3's, from the sweep's table ``stacks``."""
    sweep, table = results.swept, results.table("stacks")
    metric_sections = [metric for metric in stack_section.compared_metrics(sweep, table) if metric.rows]
    if not metric_sections:
        return None
    # The charts have an axis of their own: ratios of the other metrics may be much larger.
    drawn_metrics = [metric.name for metric in metric_sections[:MOST_CHARTS]]
    drawn = table.filter(pl.col("metric").cast(pl.String).is_in(drawn_metrics))
    charts = [_chart(compared) for compared in stack_section.compared_metrics(sweep, drawn)]
    return Answer("stack", _sentence(metric_sections), charts, NOTE, "#stacks")


def _chart(compared: ComparedMetric) -> Chart:
    rows = [
        Row(row.variant, ", ".join(filter(None, (_in_mix(row), row.where))), _texts(row), row.strip)
        for row in compared.rows[:MOST_ROWS]
    ]
    metric = compared.metric
    unit = f" [{metric.shown_unit}]" if metric.shown_unit else ""
    heads = ["Linux / ns-3", "finding", f"Linux{unit}", f"ns-3{unit}"]
    return Chart(
        f"{metric.title}: Linux over ns-3",
        "variant",
        heads,
        rows,
        compared.axis,
        legend="ratios",
        more=len(compared.rows) + compared.more - len(rows),
    )


def _in_mix(row: stack_section.Row) -> str:
    return f"in {row.whole}" if row.whole != row.variant else ""


def _texts(row: stack_section.Row) -> list[str]:
    return [f"{row.ratio} {row.ends}".rstrip(), row.finding.removeprefix("the "), row.linux, row.ns3]


def _sentence(told: list[ComparedMetric]) -> Parts:
    """A sentence on whether Linux differs, and on the largest difference."""
    rows = [(compared.metric, row) for compared in told for row in compared.rows]
    differing = [(metric, row) for metric, row in rows if row.is_shown]
    tested_count = sum(row.is_tested for _, row in rows)
    metric, row = max(differing or rows, key=lambda pair: abs(pair[1].log_ratio))
    title = capitals.uncapitalised(metric.title)
    if differing:
        count = f"{len(differing)} of {len(rows)} comparisons"
        first = f"Linux differs from ns-3 in {count}. The largest difference is in "
        return [("text", first), ("variant", row.variant), ("text", f"'s {title}: {row.ratio} times that of ns-3.")]
    if tested_count:
        comparisons = f"{tested_count} comparison{'s' if tested_count > 1 else ''}"
        return [("text", f"After correction for {comparisons}, no difference between Linux and ns-3 is shown.")]
    parts: Parts = [
        ("text", "No comparison of Linux with ns-3 has a verdict. In the means, "),
        ("variant", row.variant),
    ]
    return [*parts, ("text", f"'s {title} differs most: Linux' is {row.ratio} times ns-3's.")]

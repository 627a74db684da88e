# SPDX-License-Identifier: MIT
"""The answer for sweeps of traces and of applications' traffic: late packets, and how long transfers take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from tcpsweep.report import strips
from tcpsweep.report.answers.answer import MOST_ROWS, Answer, Chart, Parts, Row
from tcpsweep.report.answers.span import Span, span
from tcpsweep.report.sections import traffic_findings
from tcpsweep.sweep import network_graph
from tcpsweep.sweep.matching import Settings
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import metrics

DELAY = "owd_p95_s"
# The metrics of how long a group's transfers take; the first that exists is used.
TIMES = ("fct_p95_s", "page_load_time_p95_s", "round_time_p99_s", "burst_time_p99_s", "realtime_delay_p95_s")
NONE = ("", "none", None)


def added(answer: Answer, sweep: PlannedSweep, summary: pl.DataFrame, traffic: pl.DataFrame) -> Answer:
    """An answer that begins with the delay's 95th percentile and completion times, for traces or traffic."""
    if not any(_asks(row) for row in sweep.own):
        return answer
    charts, said = [], Parts()
    delays = _by_variant(summary.filter(pl.col("flow_variant").is_not_null()), sweep, DELAY)
    if delays:
        charts.append(_chart(metrics.METRICS[DELAY].title, metrics.METRICS[DELAY].shown_unit, {"": delays}))
        said += _sentence("", DELAY, delays)
    for name, rows in traffic_findings.groups(sweep, traffic) if not traffic.is_empty() else ():
        there = set(rows.drop_nulls("mean")["metric"].cast(pl.String))
        metric = next((each for each in TIMES if each in there), None)
        if metric and (times := _by_variant(rows, sweep, metric)):
            charts.append(
                _chart(f"{name}: {metrics.METRICS[metric].title}", metrics.METRICS[metric].shown_unit, {name: times})
            )
            said += _sentence(name, metric, times)
    return replace(answer, sentence=[*said, *answer.sentence], charts=[*charts, *answer.charts])


def _asks(row: Settings) -> bool:
    """Whether a link of a combination follows a trace, or applications send traffic."""
    of_links = (network_graph.value(row, "links", name, "trace", "") for name in network_graph.things(row, "links"))
    return bool(network_graph.things(row, "traffic")) or any(each not in NONE for each in (row.get("trace"), *of_links))


def _by_variant(rows: pl.DataFrame, sweep: PlannedSweep, metric: str) -> dict[str, Span]:
    """A metric's means over the combinations of each variant or mix, the least first."""
    known = rows.filter(pl.col("metric").cast(pl.String) == metric, pl.col("mean").is_not_null())
    found: dict[str, list[float]] = {}
    for combination, mean in known.select("combination", "mean").iter_rows():
        found.setdefault(sweep.texts[combination]["variant"], []).append(mean)
    spans = {variant: span(means, metric) for variant, means in found.items()}
    return dict(sorted(spans.items(), key=lambda each: each[1].mean))


def _chart(title: str, unit: str, of: Mapping[str, Mapping[str, Span]]) -> Chart:
    every = [(variant, each) for spans in of.values() for variant, each in spans.items()]
    axis = strips.of_values((end for _, each in every for end in each), [each.mean for _, each in every])
    rows = [
        Row(variant, "", [each.text()], strips.strip(axis, each.mean, span=(each.least, each.most)))
        for variant, each in every[:MOST_ROWS]
    ]
    return Chart(title, "variant", [unit], rows, axis, legend="spans", more=len(every) - len(rows))


def _sentence(group: str, metric: str, spans: Mapping[str, Span]) -> Parts:
    (first, least), *_ = spans.items()
    last, most = [*spans.items()][-1]
    own = metrics.METRICS[metric]
    title = own.title if not group else f"Traffic {group}, {own.title[0].lower()}{own.title[1:]}"
    said: Parts = [("text", f"{title}: "), ("variant", first), ("text", f" {least.text()} {own.shown_unit}")]
    if len(spans) > 1:
        said += [("text", " to "), ("variant", last), ("text", f" {most.text()} {own.shown_unit}")]
    return [*said, ("text", ". ")]

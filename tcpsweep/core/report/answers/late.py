# SPDX-License-Identifier: MIT
"""The answer for sweeps of traces and of applications' traffic: late packets, and how long transfers take."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from tcpsweep.core.report import common_conditions, strips
from tcpsweep.core.report.answers.answer import MOST_ROWS, Answer, Chart, Parts, Row
from tcpsweep.core.report.answers.mean_range import MeanRange, alike, mean_range, note, over
from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import capitals, metrics, rounding
from tcpsweep.features.traffic import traffic_findings

DELAY = "owd_p95_s"
# The metrics of how long a group's transfers take; the first that exists is used.
TIMES = ("fct_p95_s", "page_load_time_p95_s", "round_time_p99_s", "burst_time_p99_s", "realtime_delay_p95_s")
NONE = ("", "none", None)
MOST_NAMED = 4  # variants in a sentence
INFINITE = " ∞: in some repetition so many transfers were unfinished at the end that the percentile has no value."


def added(answer: Answer, sweep: PlannedSweep, summary: pl.DataFrame, traffic: pl.DataFrame) -> Answer:
    """An answer that begins with the delay's 95th percentile and completion times, for traces or traffic."""
    if not any(_asks(row) for row in sweep.own):
        return answer
    charts, said = [], Parts()
    spans: dict[str, dict[str, MeanRange]] = {}
    delays = _by_variant(summary.filter(pl.col("flow_variant").is_not_null()), sweep, DELAY)
    if delays:
        own = metrics.METRICS[DELAY]
        charts.append(_chart(f"{own.title} [{own.shown_unit}]", delays, over(sweep)))
        said += _sentence(own.title, own.shown_unit, delays)
        spans[""] = delays
    for name, rows in traffic_findings.groups(sweep, traffic) if not traffic.is_empty() else ():
        there = set(rows.drop_nulls("mean")["metric"].cast(pl.String))
        metric = next((each for each in TIMES if each in there), None)
        if metric and (times := _by_variant(rows, sweep, metric)):
            own = metrics.METRICS[metric]
            charts.append(_chart(f"{name}: {own.title} [{own.shown_unit}]", times, over(sweep)))
            title = capitals.uncapitalised(own.title)
            said += _sentence(f"Traffic {name}{_load(sweep, name)}, {title}", own.shown_unit, times)
            spans[name] = times
    every = {each for of in spans.values() for each in of.values()}
    ranges = (
        note(over(sweep)) if any(each.least != each.most for each in every) and "A range" not in answer.note else ""
    )
    infinite = INFINITE if any(math.isinf(each.most) for each in every) else ""
    return replace(
        answer,
        sentence=[*said, *answer.sentence],
        charts=[*charts, *answer.charts],
        note=f"{answer.note}{ranges}{infinite}".strip(),
    )


def _asks(row: Settings) -> bool:
    """Whether a link of a combination follows a trace, or applications send traffic."""
    of_links = (network_graph.value(row, "links", name, "trace", "") for name in network_graph.things(row, "links"))
    return bool(network_graph.things(row, "traffic")) or any(each not in NONE for each in (row.get("trace"), *of_links))


def _load(sweep: PlannedSweep, group: str) -> str:
    """What a group of arrivals offers to its link, such as " (offers 20 to 80 % of down-0)"; empty for others."""
    found = {
        (float(load), str(network_graph.value(row, "traffic", group, "link", "")))
        for row in sweep.own
        if group in network_graph.things(row, "traffic")
        and isinstance(load := network_graph.value(row, "traffic", group, "load", None), int | float)
    }
    links = {link for _, link in found}
    if len(links) != 1:
        return ""
    loads = [rounding.significant(100 * load) for load in (min(found)[0], max(found)[0])]
    return f" (offers {' to '.join(dict.fromkeys(loads))} % of {links.pop()})"


def _by_variant(rows: pl.DataFrame, sweep: PlannedSweep, metric: str) -> dict[str, MeanRange]:
    """A metric's means over the combinations of each variant or mix, in the conditions that all have; the least first.

    A mean is infinite where a repetition's value is: the transfers of a percentile were unfinished.
    """
    infinite = pl.col("infinite_runs") > 0 if "infinite_runs" in rows.columns else pl.lit(False)
    own = rows.filter(pl.col("metric").cast(pl.String) == metric)
    known = own.with_columns(mean=pl.when(infinite).then(math.inf).otherwise("mean")).drop_nulls("mean")
    whole = pl.col("combination").replace_strict(
        {number: row["variant"] for number, row in enumerate(sweep.texts)}, return_dtype=pl.String
    )
    known = common_conditions.in_common(sweep, known.with_columns(whole=whole), "whole")
    found: dict[str, list[float]] = {}
    for combination, mean in known.select("combination", "mean").iter_rows():
        found.setdefault(sweep.texts[combination]["variant"], []).append(mean)
    spans = {variant: mean_range(means, metric) for variant, means in found.items()}
    return dict(sorted(spans.items(), key=lambda each: (each[1].mean, each[1].least)))


def _chart(title: str, spans: Mapping[str, MeanRange], every: str) -> Chart:
    ends = [end for each in spans.values() for end in each if math.isfinite(end)]
    if any(math.isinf(each.most) for each in spans.values()):
        ends.append(1.3 * max(ends, default=1.0))  # room for a line that goes on
    axis = strips.of_values(ends, [each.mean for each in spans.values() if math.isfinite(each.mean)])
    rows = [Row(variant, "", [each.text()], _strip(axis, each)) for variant, each in list(spans.items())[:MOST_ROWS]]
    head = "smallest to largest" if any(each.least != each.most for each in spans.values()) else "mean"
    return Chart(title, "variant", [head], rows, axis, legend="spans", more=len(spans) - len(rows), over=every)


def _strip(axis: strips.Axis, each: MeanRange) -> strips.Strip:
    return strips.strip(axis, each.mean if math.isfinite(each.mean) else None, span=(each.least, each.most))


def _sentence(title: str, unit: str, spans: Mapping[str, MeanRange]) -> Parts:
    """The values of all variants if they are few, else of the first and the last."""
    texts = {variant: each.text() for variant, each in spans.items()}
    order = list(texts)
    named = order if len(order) <= MOST_NAMED else [order[0], order[-1]]
    more = f", and the other {len(order) - 2} between them" if named != order else ""
    return [("text", f"{title}: "), *alike(texts, named, unit), ("text", f"{more}. ")]

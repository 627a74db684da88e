# SPDX-License-Identifier: MIT
"""The answer for sweeps of traces and of applications' traffic: late packets, and how long transfers take."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from tcpsweep.core.analysis import traffic_groups
from tcpsweep.core.report import common_conditions, strips
from tcpsweep.core.report.answers.answer import MOST_ROWS, Answer, Chart, Parts, Row
from tcpsweep.core.report.answers.mean_range import MeanRange, alike, mean_range, note, over
from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import capitals, metrics, rounding

DELAY = "owd_p95_s"
# The metrics of how long a group's transfers take; the first that exists is used.
TIMES = ("fct_p95_s", "page_load_time_p95_s", "round_time_p99_s", "burst_time_p99_s", "realtime_delay_p95_s")
NONE = ("", "none", None)
MOST_NAMED = 4  # variants in a sentence
INFINITE = " ∞: in some repetition so many transfers were unfinished at the end that the percentile has no value."


def added(answer: Answer, sweep: PlannedSweep, summary: pl.DataFrame, traffic: pl.DataFrame) -> Answer:
    """An answer that begins with the delay's 95th percentile and completion times, for traces or traffic."""
    if not any(_has_trace_or_traffic(row) for row in sweep.own):
        return answer
    charts, sentence = [], Parts()
    ranges_by_subject: dict[str, dict[str, MeanRange]] = {}
    delays = _ranges_by_variant(summary.filter(pl.col("flow_variant").is_not_null()), sweep, DELAY)
    if delays:
        delay = metrics.METRICS[DELAY]
        charts.append(_chart(f"{delay.title} [{delay.shown_unit}]", delays, over(sweep)))
        sentence += _sentence(delay.title, delay.shown_unit, delays)
        ranges_by_subject[""] = delays
    for group, rows in traffic_groups.groups(sweep, traffic) if not traffic.is_empty() else ():
        measured = set(rows.drop_nulls("mean")["metric"].cast(pl.String))
        metric = next((candidate for candidate in TIMES if candidate in measured), None)
        if metric and (times := _ranges_by_variant(rows, sweep, metric)):
            time = metrics.METRICS[metric]
            charts.append(_chart(f"{group}: {time.title} [{time.shown_unit}]", times, over(sweep)))
            title = capitals.uncapitalised(time.title)
            sentence += _sentence(f"Traffic {group}{_offered_load(sweep, group)}, {title}", time.shown_unit, times)
            ranges_by_subject[group] = times
    all_ranges = {span for by_variant in ranges_by_subject.values() for span in by_variant.values()}
    range_note = (
        note(over(sweep))
        if any(span.least != span.most for span in all_ranges) and "A range" not in answer.note
        else ""
    )
    infinite = INFINITE if any(math.isinf(span.most) for span in all_ranges) else ""
    return replace(
        answer,
        sentence=[*sentence, *answer.sentence],
        charts=[*charts, *answer.charts],
        note=f"{answer.note}{range_note}{infinite}".strip(),
    )


def _has_trace_or_traffic(row: Combination) -> bool:
    """Whether a link of a combination follows a trace, or applications send traffic."""
    of_links = (network_graph.value(row, "links", name, "trace", "") for name in network_graph.things(row, "links"))
    return bool(network_graph.things(row, "traffic")) or any(
        trace not in NONE for trace in (row.get("trace"), *of_links)
    )


def _offered_load(sweep: PlannedSweep, group: str) -> str:
    """What a group of arrivals offers to its link, such as " (offers 20 to 80 % of down-0)"; empty for others."""
    loads_on_links = {
        (float(load), str(network_graph.value(row, "traffic", group, "link", "")))
        for row in sweep.own
        if group in network_graph.things(row, "traffic")
        and isinstance(load := network_graph.value(row, "traffic", group, "load", None), int | float)
    }
    links = {link for _, link in loads_on_links}
    if len(links) != 1:
        return ""
    loads = [rounding.significant(100 * load) for load in (min(loads_on_links)[0], max(loads_on_links)[0])]
    return f" (offers {' to '.join(dict.fromkeys(loads))} % of {links.pop()})"


def _ranges_by_variant(rows: pl.DataFrame, sweep: PlannedSweep, metric: str) -> dict[str, MeanRange]:
    """A metric's means over the combinations of each variant or mix, in the conditions that all have; the least first.

    A mean is infinite where a repetition's value is: the transfers of a percentile were unfinished.
    """
    is_infinite = pl.col("infinite_runs") > 0 if "infinite_runs" in rows.columns else pl.lit(False)
    of_metric = rows.filter(pl.col("metric").cast(pl.String) == metric)
    measured = of_metric.with_columns(mean=pl.when(is_infinite).then(math.inf).otherwise("mean")).drop_nulls("mean")
    variant_of_row = pl.col("combination").replace_strict(
        {number: row["variant"] for number, row in enumerate(sweep.texts)}, return_dtype=pl.String
    )
    measured = common_conditions.in_common(sweep, measured.with_columns(whole=variant_of_row), "whole")
    means_by_variant: dict[str, list[float]] = {}
    for combination, mean in measured.select("combination", "mean").iter_rows():
        means_by_variant.setdefault(sweep.texts[combination]["variant"], []).append(mean)
    spans = {variant: mean_range(means, metric) for variant, means in means_by_variant.items()}
    return dict(sorted(spans.items(), key=lambda item: (item[1].mean, item[1].least)))


def _chart(title: str, spans: Mapping[str, MeanRange], differing: str) -> Chart:
    ends = [end for span in spans.values() for end in span if math.isfinite(end)]
    if any(math.isinf(span.most) for span in spans.values()):
        ends.append(1.3 * max(ends, default=1.0))  # room for a line that goes on
    axis = strips.of_values(ends, [span.mean for span in spans.values() if math.isfinite(span.mean)])
    rows = [Row(variant, "", [span.text()], _strip(axis, span)) for variant, span in list(spans.items())[:MOST_ROWS]]
    head = "smallest to largest" if any(span.least != span.most for span in spans.values()) else "mean"
    return Chart(title, "variant", [head], rows, axis, legend="spans", more=len(spans) - len(rows), over=differing)


def _strip(axis: strips.Axis, span: MeanRange) -> strips.Strip:
    return strips.strip(axis, span.mean if math.isfinite(span.mean) else None, span=(span.least, span.most))


def _sentence(title: str, unit: str, spans: Mapping[str, MeanRange]) -> Parts:
    """The values of all variants if they are few, else of the first and the last."""
    texts = {variant: span.text() for variant, span in spans.items()}
    order = list(texts)
    named = order if len(order) <= MOST_NAMED else [order[0], order[-1]]
    more = f", and the other {len(order) - 2} between them" if named != order else ""
    return [("text", f"{title}: "), *alike(texts, named, unit), ("text", f"{more}. ")]

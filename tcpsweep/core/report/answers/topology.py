# SPDX-License-Identifier: MIT
"""The answer of a custom topology: each link's load and queueing delay, and each group's goodput."""

from __future__ import annotations

import polars as pl

from tcpsweep.core.report import strips
from tcpsweep.core.report.answers.answer import MOST_ROWS, Answer, Chart, Parts, Row
from tcpsweep.core.report.answers.mean_range import MeanRange, alike, mean_range, note, over
from tcpsweep.core.sweep import axes, network_graph
from tcpsweep.core.sweep.sweep_record import PlannedSweep

LOAD, WAIT, LATE = "utilisation", "network_queueing_delay_mean_s", "network_queueing_delay_p95_s"
FINEST_MS = 0.1
MOST_NAMED = 3  # variants in a part of the sentence
MIXED = " in "  # between a variant and its mix (`axes.series`)
_AND: Parts = [("text", "; ")]
NOTE = "Means over repetitions.{ranges} The verdicts say which differences are shown."
_BACK = {"forward": "", "reverse": " back"}


def answer(sweep: PlannedSweep, links: pl.DataFrame, flows: pl.DataFrame, groups: pl.DataFrame) -> Answer | None:
    """The links and the groups, from the sweep's tables ``links``, ``flows`` and ``groups``; None elsewhere."""
    if not any(network_graph.has_named_parts(row) for row in sweep.own) or links.is_empty():
        return None
    link_ranges = _ranges_by_link(links)
    group_ranges = _ranges_of_groups(groups, sweep) or _ranges_from_flows(flows, sweep)
    differing = over(sweep, of_variants=True)
    charts = [_chart_of_links(link_ranges, differing)]
    if group_ranges:
        charts.append(_chart_of_groups(group_ranges, _limit_by_group(groups), over(sweep)))
    return Answer(
        "topology", _sentence(link_ranges, group_ranges), charts, NOTE.format(ranges=note(differing)), "#links"
    )


Links = dict[str, dict[str, MeanRange]]
Groups = dict[tuple[str, str], MeanRange]


def _ranges_by_link(links: pl.DataFrame) -> Links:
    """Each direction of each link that has a load, the fullest first."""
    by_link: Links = {}
    link_means = links.with_columns(pl.col("metric").cast(pl.String)).filter(pl.col("metric").is_in([LOAD, WAIT, LATE]))
    for (link, way, name), rows in (
        link_means.drop_nulls("mean")
        .partition_by("link", "direction", "metric", as_dict=True, maintain_order=True)
        .items()
    ):
        by_link.setdefault(f"{link}{_BACK.get(str(way), '')}", {})[str(name)] = mean_range(
            rows["mean"].to_list(), str(name)
        )
    with_load = {link: ranges for link, ranges in by_link.items() if LOAD in ranges}
    return dict(sorted(with_load.items(), key=lambda item: -item[1][LOAD].most))


def _ranges_of_groups(groups: pl.DataFrame, sweep: PlannedSweep) -> Groups:
    """The goodput per flow of groups that differ in path, direction or bottleneck, by group and variant."""
    if "group" not in groups.columns:
        return {}
    goodput = groups.filter(pl.col("metric").cast(pl.String) == "goodput_bps").drop_nulls(["mean", "flow_variant"])
    return _ranges_by_group(goodput, "mean", sweep)


def _ranges_by_group(rows: pl.DataFrame, value: str, sweep: PlannedSweep) -> Groups:
    """The goodput of each group and series: a variant in a mix is not pooled with the same variant elsewhere."""
    variants = {number: row["variant"] for number, row in enumerate(sweep.texts)}
    variant_of_row = pl.col("combination").replace_strict(variants, return_dtype=pl.String)
    with_series = rows.with_columns(whole=variant_of_row)
    is_in_several = pl.col("whole").n_unique().over("group", "flow_variant") > 1
    series = pl.struct("flow_variant", "whole").map_elements(
        lambda row: axes.series(row["flow_variant"], row["whole"]), return_dtype=pl.String
    )
    with_series = with_series.with_columns(series=pl.when(is_in_several).then(series).otherwise("flow_variant"))
    rows_of = with_series.partition_by("group", "series", as_dict=True, maintain_order=True)
    ranges = {
        (str(key[0]), str(key[1])): mean_range(part[value].to_list(), "goodput_bps") for key, part in rows_of.items()
    }
    order = list(dict.fromkeys(group for group, _ in ranges))
    return dict(sorted(ranges.items(), key=lambda item: order.index(item[0][0])))


def _limit_by_group(groups: pl.DataFrame) -> dict[str, str]:
    """The link that limits each group, where it is the same everywhere."""
    if "group" not in groups.columns:
        return {}
    limits = groups.drop_nulls("link").group_by("group").agg(pl.col("link").unique())
    return {group: links[0] for group, links in limits.iter_rows() if len(links) == 1}


def _ranges_from_flows(flows: pl.DataFrame, sweep: PlannedSweep) -> Groups:
    """The goodput per flow of each group and variant."""
    if not {"group", "goodput_bps", "flow_variant"} <= set(flows.columns):
        return {}
    measured = flows.drop_nulls(["group", "goodput_bps"])
    per_cell = measured.group_by("combination", "group", "flow_variant", maintain_order=True).agg(
        pl.col("goodput_bps").mean()
    )
    return _ranges_by_group(per_cell, "goodput_bps", sweep)


def _chart_of_links(by_link: Links, differing: str) -> Chart:
    most = max([1.0, *(ranges[LOAD].most for ranges in by_link.values())])
    axis = strips.Axis(0.0, most, False, 0.0, [(0.0, "0"), (round(100 / most, 2), "100")])
    rows = [
        Row(
            link,
            "",
            [
                _percent(ranges[LOAD]),
                *(ranges[name].text(FINEST_MS) if name in ranges else "" for name in (WAIT, LATE)),
            ],
            strips.strip(axis, ranges[LOAD].mean, span=(ranges[LOAD].least, ranges[LOAD].most)),
            is_variant=False,
        )
        for link, ranges in list(by_link.items())[:MOST_ROWS]
    ]
    heads = ["used [%]", "queueing [ms]", "p95 [ms]"]
    more = len(by_link) - len(rows)
    return Chart("Load of each link [%]", "link", heads, rows, axis, legend="spans", more=more, over=differing)


def _chart_of_groups(ranges: Groups, limits: dict[str, str], differing: str) -> Chart:
    axis = strips.of_values(end for mean_range in ranges.values() for end in (mean_range.least, mean_range.most))
    rows = [
        Row(
            variant,
            f"{group} over {limits[group]}" if group in limits else group,
            [mean_range.text()],
            strips.strip(axis, mean_range.mean, span=(mean_range.least, mean_range.most)),
        )
        for (group, variant), mean_range in list(ranges.items())[:MOST_ROWS]
    ]
    title, more = "Goodput per flow of each group [Mbit/s]", len(ranges) - len(rows)
    return Chart(title, "variant", ["Mbit/s"], rows, axis, about="group", legend="spans", more=more, over=differing)


def _percent(load: MeanRange) -> str:
    return MeanRange(*(100 * end for end in load)).text()


def _sentence(ranges_by_link: Links, ranges_by_group: Groups) -> Parts:
    (link, fullest), *_ = ranges_by_link.items()
    waits = f", with {fullest[WAIT].text(FINEST_MS)} ms of queueing delay" if WAIT in fullest else ""
    sentence: Parts = [("text", f"The fullest link is {link}: {_percent(fullest[LOAD])} % of it is used{waits}.")]
    group_names = list(dict.fromkeys(group for group, _ in ranges_by_group))
    for group_name in group_names[:3]:
        by_series = {
            series: mean_range for (group, series), mean_range in ranges_by_group.items() if group == group_name
        }
        ordered = sorted(by_series, key=lambda series: -by_series[series].mean)
        clauses = [_series_in_words(by_series, [series for series in ordered if MIXED not in series])]
        for mix in dict.fromkeys(series.partition(MIXED)[2] for series in ordered if MIXED in series):
            in_mix = _series_in_words(by_series, [series for series in ordered if series.endswith(f"{MIXED}{mix}")])
            clauses.append([("text", f"in {mix} "), *in_mix])
        joined = [
            part for number, clause in enumerate(filter(None, clauses)) for part in (_AND if number else []) + clause
        ]
        sentence += [("text", f" In {group_name}, goodput per flow is "), *joined, ("text", ".")]
    return sentence


def _series_in_words(ranges: dict[str, MeanRange], series: list[str]) -> Parts:
    texts = {name.partition(MIXED)[0]: ranges[name].text() for name in series[:MOST_NAMED]}
    return alike(texts, list(texts), "Mbit/s")

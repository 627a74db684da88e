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
    if not any(network_graph.is_described(row) for row in sweep.own) or links.is_empty():
        return None
    of_links = _links(links)
    of_groups = _of_table(groups, sweep) or _groups(flows, sweep)
    every = over(sweep, of_variants=True)
    charts = [_chart_of_links(of_links, every)]
    if of_groups:
        charts.append(_chart_of_groups(of_groups, _ways(groups), over(sweep)))
    return Answer("topology", _sentence(of_links, of_groups), charts, NOTE.format(ranges=note(every)), "#links")


Links = dict[str, dict[str, MeanRange]]
Groups = dict[tuple[str, str], MeanRange]


def _links(links: pl.DataFrame) -> Links:
    """Each direction of each link that has a load, the fullest first."""
    by_link: Links = {}
    means = links.with_columns(pl.col("metric").cast(pl.String)).filter(pl.col("metric").is_in([LOAD, WAIT, LATE]))
    for (link, way, name), rows in (
        means.drop_nulls("mean").partition_by("link", "direction", "metric", as_dict=True, maintain_order=True).items()
    ):
        by_link.setdefault(f"{link}{_BACK.get(str(way), '')}", {})[str(name)] = mean_range(
            rows["mean"].to_list(), str(name)
        )
    loaded = {link: values for link, values in by_link.items() if LOAD in values}
    return dict(sorted(loaded.items(), key=lambda item: -item[1][LOAD].most))


def _of_table(groups: pl.DataFrame, sweep: PlannedSweep) -> Groups:
    """The goodput per flow of groups that differ in path, direction or bottleneck, by group and variant."""
    if "group" not in groups.columns:
        return {}
    goodput = groups.filter(pl.col("metric").cast(pl.String) == "goodput_bps").drop_nulls(["mean", "flow_variant"])
    return _spans(goodput, "mean", sweep)


def _spans(rows: pl.DataFrame, value: str, sweep: PlannedSweep) -> Groups:
    """The goodput of each group and series: a variant in a mix is not pooled with the same variant elsewhere."""
    wholes = {number: row["variant"] for number, row in enumerate(sweep.texts)}
    whole = pl.col("combination").replace_strict(wholes, return_dtype=pl.String)
    named = rows.with_columns(whole=whole)
    several = pl.col("whole").n_unique().over("group", "flow_variant") > 1
    series = pl.struct("flow_variant", "whole").map_elements(
        lambda row: axes.series(row["flow_variant"], row["whole"]), return_dtype=pl.String
    )
    named = named.with_columns(series=pl.when(several).then(series).otherwise("flow_variant"))
    parts = named.partition_by("group", "series", as_dict=True, maintain_order=True)
    spans = {
        (str(key[0]), str(key[1])): mean_range(part[value].to_list(), "goodput_bps") for key, part in parts.items()
    }
    order = list(dict.fromkeys(group for group, _ in spans))
    return dict(sorted(spans.items(), key=lambda item: order.index(item[0][0])))


def _ways(groups: pl.DataFrame) -> dict[str, str]:
    """The link that limits each group, where it is the same everywhere."""
    if "group" not in groups.columns:
        return {}
    limits = groups.drop_nulls("link").group_by("group").agg(pl.col("link").unique())
    return {group: links[0] for group, links in limits.iter_rows() if len(links) == 1}


def _groups(flows: pl.DataFrame, sweep: PlannedSweep) -> Groups:
    """The goodput per flow of each group and variant."""
    if not {"group", "goodput_bps", "flow_variant"} <= set(flows.columns):
        return {}
    measured = flows.drop_nulls(["group", "goodput_bps"])
    per_cell = measured.group_by("combination", "group", "flow_variant", maintain_order=True).agg(
        pl.col("goodput_bps").mean()
    )
    return _spans(per_cell, "goodput_bps", sweep)


def _chart_of_links(of_links: Links, every: str) -> Chart:
    most = max([1.0, *(values[LOAD].most for values in of_links.values())])
    axis = strips.Axis(0.0, most, False, 0.0, [(0.0, "0"), (round(100 / most, 2), "100")])
    rows = [
        Row(
            link,
            "",
            [
                _percent(values[LOAD]),
                *(values[name].text(FINEST_MS) if name in values else "" for name in (WAIT, LATE)),
            ],
            strips.strip(axis, values[LOAD].mean, span=(values[LOAD].least, values[LOAD].most)),
            is_variant=False,
        )
        for link, values in list(of_links.items())[:MOST_ROWS]
    ]
    heads = ["used [%]", "queueing [ms]", "p95 [ms]"]
    more = len(of_links) - len(rows)
    return Chart("Load of each link [%]", "link", heads, rows, axis, legend="spans", more=more, over=every)


def _chart_of_groups(groups: Groups, ways: dict[str, str], every: str) -> Chart:
    axis = strips.of_values(end for mean_range in groups.values() for end in (mean_range.least, mean_range.most))
    rows = [
        Row(
            variant,
            f"{group} over {ways[group]}" if group in ways else group,
            [mean_range.text()],
            strips.strip(axis, mean_range.mean, span=(mean_range.least, mean_range.most)),
        )
        for (group, variant), mean_range in list(groups.items())[:MOST_ROWS]
    ]
    title, more = "Goodput per flow of each group [Mbit/s]", len(groups) - len(rows)
    return Chart(title, "variant", ["Mbit/s"], rows, axis, about="group", legend="spans", more=more, over=every)


def _percent(load: MeanRange) -> str:
    return MeanRange(*(100 * end for end in load)).text()


def _sentence(of_links: Links, groups: Groups) -> Parts:
    (link, values), *_ = of_links.items()
    waits = f", with {values[WAIT].text(FINEST_MS)} ms of queueing delay" if WAIT in values else ""
    said: Parts = [("text", f"The fullest link is {link}: {_percent(values[LOAD])} % of it is used{waits}.")]
    names = list(dict.fromkeys(group for group, _ in groups))
    for name in names[:3]:
        of_group = {series: mean_range for (group, series), mean_range in groups.items() if group == name}
        ordered = sorted(of_group, key=lambda series: -of_group[series].mean)
        parts = [_with(of_group, [series for series in ordered if MIXED not in series])]
        for mix in dict.fromkeys(series.partition(MIXED)[2] for series in ordered if MIXED in series):
            inside = _with(of_group, [series for series in ordered if series.endswith(f"{MIXED}{mix}")])
            parts.append([("text", f"in {mix} "), *inside])
        joined = [
            part for number, clause in enumerate(filter(None, parts)) for part in (_AND if number else []) + clause
        ]
        said += [("text", f" In {name}, goodput per flow is "), *joined, ("text", ".")]
    return said


def _with(spans: dict[str, MeanRange], series: list[str]) -> Parts:
    texts = {name.partition(MIXED)[0]: spans[name].text() for name in series[:MOST_NAMED]}
    return alike(texts, list(texts), "Mbit/s")

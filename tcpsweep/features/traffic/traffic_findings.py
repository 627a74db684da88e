# SPDX-License-Identifier: MIT
"""The findings on traffic that the overview and the terminal name, with or without findings on flows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from tcpsweep.core.report.sections import headlines
from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import traffic_metrics


def kinds(sweep: PlannedSweep) -> dict[str, str]:
    """The kind of each group of traffic, in the file's order."""
    kind_by_group: dict[str, str] = {}
    for row in sweep.own:
        for name in network_graph.things(row, "traffic"):
            kind_by_group.setdefault(name, str(network_graph.value(row, "traffic", name, "kind", "traffic")))
    return kind_by_group


def groups(sweep: PlannedSweep, traffic: pl.DataFrame) -> list[tuple[str, pl.DataFrame]]:
    """Each group's rows, in the file's order."""
    rows_by_group = traffic.partition_by("traffic", as_dict=True, maintain_order=True)
    group_order = [*kinds(sweep)]
    named_rows = [(str(name), part) for (name,), part in rows_by_group.items()]
    return sorted(
        named_rows, key=lambda each: group_order.index(each[0]) if each[0] in group_order else len(group_order)
    )


def findings(sweep: PlannedSweep, effects: pl.DataFrame) -> list[dict[str, Any]]:
    """The largest effects on traffic, as `headlines.largest` gives them, from each group in turn."""
    if effects.is_empty():
        return []
    findings_by_group = _by_group(sweep, effects, effects["traffic"].n_unique() > 1)
    return _first_shown(
        finding for turn in range(headlines.MOST) for group in findings_by_group for finding in group[turn : turn + 1]
    )


def together(sweep: PlannedSweep, effects: pl.DataFrame, on_traffic: pl.DataFrame) -> list[dict[str, Any]]:
    """The largest effects on flows and on traffic, as `headlines.largest` gives them.

    Flows and each group of traffic lead one finding before any has two; in each turn the largest is first. Tested
    effects come before means that could not be tested.
    """
    if on_traffic.is_empty():
        return headlines.largest(sweep, effects)
    found = [headlines.largest(sweep, effects, of=" of flows"), *_by_group(sweep, on_traffic, True)]
    turn_and_finding = [(turn, finding) for own_findings in found for turn, finding in enumerate(own_findings)]
    turn_and_finding.sort(key=lambda each: (not each[1]["tested"], each[0], -each[1]["size"]))
    return _first_shown(finding for _, finding in turn_and_finding)


def _by_group(sweep: PlannedSweep, effects: pl.DataFrame, names_group: bool) -> list[list[dict[str, Any]]]:
    """The findings on each group."""
    found = []
    for name, rows in groups(sweep, effects):
        first = traffic_metrics.first_metrics(set(rows["metric"].cast(pl.String)))
        found.append([_finding_of_group(name, each, names_group) for each in headlines.largest(sweep, rows, first)])
    return found


def _first_shown(findings: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """At most `headlines.MOST` findings that show a difference; without any, the first ones that show none."""
    all_findings = list(findings)
    return ([each for each in all_findings if each["shown"]] or all_findings)[: headlines.MOST]


def _finding_of_group(name: str, finding: dict[str, Any], names_group: bool) -> dict[str, Any]:
    """A finding with its group, if the group is to be named, and with the link to its figure."""
    parts = [("text", f"{name}: "), *finding["parts"]] if names_group else finding["parts"]
    metric = finding["link"].partition("metric=")[2]
    return finding | {"parts": parts, "link": link(name, metric) if finding["shown"] else "#traffic"}


def link(name: str, metric: str) -> str:
    """The link to the figure of a group's metric."""
    return f"#traffic?traffic+group={name}&traffic+metric={metric}"

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
    found: dict[str, str] = {}
    for row in sweep.own:
        for name in network_graph.things(row, "traffic"):
            found.setdefault(name, str(network_graph.value(row, "traffic", name, "kind", "traffic")))
    return found


def groups(sweep: PlannedSweep, traffic: pl.DataFrame) -> list[tuple[str, pl.DataFrame]]:
    """Each group's rows, in the file's order."""
    parts = traffic.partition_by("traffic", as_dict=True, maintain_order=True)
    order = [*kinds(sweep)]
    found = [(str(name), part) for (name,), part in parts.items()]
    return sorted(found, key=lambda each: order.index(each[0]) if each[0] in order else len(order))


def findings(sweep: PlannedSweep, effects: pl.DataFrame) -> list[dict[str, Any]]:
    """The largest effects on traffic, as `headlines.largest` gives them, from each group in turn."""
    if effects.is_empty():
        return []
    found = _by_group(sweep, effects, effects["traffic"].n_unique() > 1)
    return _first(told for turn in range(headlines.MOST) for own in found for told in own[turn : turn + 1])


def together(sweep: PlannedSweep, effects: pl.DataFrame, on_traffic: pl.DataFrame) -> list[dict[str, Any]]:
    """The largest effects on flows and on traffic, as `headlines.largest` gives them.

    Flows and each group of traffic lead one finding before any has two; in each turn the largest is first. Tested
    effects come before means that could not be tested.
    """
    if on_traffic.is_empty():
        return headlines.largest(sweep, effects)
    found = [headlines.largest(sweep, effects, of=" of flows"), *_by_group(sweep, on_traffic, True)]
    turns = [(turn, told) for own in found for turn, told in enumerate(own)]
    turns.sort(key=lambda each: (not each[1]["tested"], each[0], -each[1]["size"]))
    return _first(told for _, told in turns)


def _by_group(sweep: PlannedSweep, effects: pl.DataFrame, named: bool) -> list[list[dict[str, Any]]]:
    """The findings on each group."""
    found = []
    for name, rows in groups(sweep, effects):
        first = traffic_metrics.first_metrics(set(rows["metric"].cast(pl.String)))
        found.append([_finding(name, each, named) for each in headlines.largest(sweep, rows, first)])
    return found


def _first(told: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first findings; findings that nothing is shown are included only if there are no others."""
    every = list(told)
    return ([each for each in every if each["shown"]] or every)[: headlines.MOST]


def _finding(name: str, told: dict[str, Any], named: bool) -> dict[str, Any]:
    """A finding with its group, if the group is to be named, and with the link to its figure."""
    parts = [("text", f"{name}: "), *told["parts"]] if named else told["parts"]
    metric = told["link"].partition("metric=")[2]
    return told | {"parts": parts, "link": link(name, metric) if told["shown"] else "#traffic"}


def link(name: str, metric: str) -> str:
    """The link to the figure of a group's metric."""
    return f"#traffic?traffic+group={name}&traffic+metric={metric}"

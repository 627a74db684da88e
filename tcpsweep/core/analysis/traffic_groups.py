# SPDX-License-Identifier: MIT
"""The groups of a sweep's traffic, and their rows of the table `traffic`."""

from __future__ import annotations

import polars as pl

from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweep.sweep_record import PlannedSweep


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

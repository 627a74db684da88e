# SPDX-License-Identifier: MIT
"""The table of a search, the file of the network that it found, and its next round."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from tcpsweep.core.analysis import axis_columns
from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.tables import AddedTables
from tcpsweep.core.sweep.rounds import Point
from tcpsweep.features.search import network_sweep_file, search_record, searched_networks


def tables(results: SweepResults) -> Iterator[tuple[str, pl.DataFrame]]:
    """The table of networks, and its name; writes the file of the network that was found."""
    sweep = results.sweep
    seen = searched_networks.seen(sweep, results.values) if search_record.of(sweep) else None
    networks = searched_networks.table(sweep, seen) if seen else pl.DataFrame(schema=searched_networks.COLUMNS)
    networks = axis_columns.with_axes(results.axes, networks)
    network_sweep_file.write(results.folder, sweep, networks, is_ended=bool(seen and not seen.wanted))
    yield "search", networks


def next_round(results: SweepResults) -> tuple[dict[str, int], list[Point]]:
    """The runs of the next round. A search has all its points at first."""
    wanted, _ = searched_networks.next_round(results.sweep, searched_networks.seen(results.sweep, results.values))
    return wanted, []


TABLES = AddedTables(key=search_record.KEY, tables=tables, next_round=next_round)

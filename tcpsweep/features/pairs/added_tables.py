# SPDX-License-Identifier: MIT
"""The tables of a sweep that compares variants in mixes, or asks for their harm."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from tcpsweep.core.analysis import axis_columns
from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.tables import AddedTables
from tcpsweep.features.pairs import harm, pair_frontier, pair_ranking, pair_record, pair_tables


def tables(results: SweepResults) -> Iterator[tuple[str, pl.DataFrame]]:
    """The tables of harm, pairs, ranking and frontier, by name."""
    sweep = results.full.up_to(results.full.published.first)
    values = pl.concat([results.values, results.parts.whole("added_runs")])
    runs = pair_tables.by_run(sweep, values, results.parts.whole("flows"))
    frames = {
        "harm": harm.harms(sweep, values),
        "pairs": pair_tables.pair_means(runs),
        "ranking": pair_ranking.table(runs, pair_record.of(sweep)),
        "frontier": pair_frontier.table(sweep, values),
    }
    for name, frame in frames.items():
        yield name, axis_columns.networks(results.sweep, results.full_axes, frame, 1)


TABLES = AddedTables(key=pair_record.KEY, tables=tables)

# SPDX-License-Identifier: MIT
"""The tables of a sweep that reproduces a study."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from tcpsweep.core.analysis import axis_columns
from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.tables import AddedTables
from tcpsweep.features.studies import claim_findings, reproduction
from tcpsweep.features.studies.study_record import KEY


def tables(results: SweepResults) -> Iterator[tuple[str, pl.DataFrame]]:
    """The tables of printed numbers, their ranks and winners, and of claims, by name."""
    sweep, measures = results.full, results.parts.whole("measures").collect()
    numbers = reproduction.numbers(sweep, measures)
    frames = {
        "published": numbers,
        "published_ranks": reproduction.ranks(sweep, numbers),
        "published_winners": reproduction.winners(sweep, numbers),
        "published_claims": claim_findings.judged(sweep, measures),
    }
    for name, frame in frames.items():
        yield name, axis_columns.with_axes(results.axes, frame)


TABLES = AddedTables(key=KEY, tables=tables, needs_measures=True)

# SPDX-License-Identifier: MIT
"""The results of a sweep's finished runs, from which its tables are made."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from tcpsweep.core.analysis import axis_columns
from tcpsweep.core.analysis.table_parts import Parts
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run


@dataclass(frozen=True)
class RunResults:
    """The results of a sweep: its tables so far, in parts."""

    folder: Path  # the sweep's
    full: PlannedSweep  # with the combinations that questions add
    parts: Parts
    covered: list[Run] = field(default_factory=list)  # the finished runs in the tables

    @functools.cached_property
    def sweep(self) -> PlannedSweep:
        """The sweep with its own combinations only."""
        return self.full.up_to(self.full.swept)

    @functools.cached_property
    def full_axes(self) -> pl.DataFrame:
        """All combinations, from `axis_columns.combinations`."""
        return axis_columns.combinations(self.full)

    @property
    def axes(self) -> pl.DataFrame:
        """The sweep's own combinations."""
        return self.full_axes.head(self.full.swept)

    @property
    def values(self) -> pl.LazyFrame:
        """The values of the sweep's own runs, from `summaries.by_run`."""
        return self.parts.whole("runs")

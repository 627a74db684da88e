# SPDX-License-Identifier: MIT
"""A sweep's results as its report, and the terminal's last lines, ask for them."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import polars as pl

from tcpsweep.core.analysis import stationarity
from tcpsweep.core.sweep import axes, failures, sweep_record, sweep_tables
from tcpsweep.core.sweep.failures import Failure
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.core.words import metrics

MOST_MEANS, MOST_RUNS = 100_000, 10_000  # some megabytes of the page
# The page names these for single combinations and flows, even if no table begins with them.
_ALSO_NAMED = ("flows_with_data", "warmup_s")
_FLOW_COLUMNS = ("combination", "run", "digest", "direction", "flow_variant", *stationarity.OF_FLOWS)
_EFFECT_COLUMNS = (
    *("combination", "metric", "variant", "reference", "mix", "finding", "mean", "reference_mean", "difference"),
    *("effect", "smallest_share", "smallest_value", "smallest_origin"),
)


@dataclass(frozen=True)
class SweepResults:
    """A sweep, its folder and its tables, which are read when they are first asked for.

    ``page`` is the report's path. For a page that would be too large, `summary`, `flows` and `effects` have only the
    metrics with which tables begin. Without a page, as for the terminal, they are whole.
    """

    folder: Path
    sweep: PlannedSweep  # with the combinations that questions add
    page: Path | None = None
    tables: dict[str, pl.DataFrame] = field(default_factory=dict)  # those that were read

    @functools.cached_property
    def swept(self) -> PlannedSweep:
        """The sweep with its own combinations: the others are only in the tables of the question that adds them."""
        return self.sweep.up_to(self.sweep.swept)

    @functools.cached_property
    def finished(self) -> list[Run]:
        """The runs with metrics."""
        return self.sweep.finished()

    @functools.cached_property
    def failed(self) -> list[Failure]:
        """The cells without a result."""
        return failures.failures_of(self.sweep, self.finished)

    @functools.cached_property
    def cells(self) -> int:
        """The number of the sweep's cells."""
        return len({run.cell for run in self.sweep.cells})

    def table(self, name: str, columns: Mapping[str, Any] | None = None) -> pl.DataFrame:
        """A table of the sweep, whole; if it has no rows and so no file, an empty table with these columns."""
        if name not in self.tables:
            self.tables[name] = sweep_tables.read(self.folder, name)
        table = self.tables[name]
        return table if table.columns or not columns else pl.DataFrame(schema=columns)

    def link(self, path: str) -> str:
        """The link from the report to a file in the sweep's folder."""
        assert self.page
        return quote(os.path.relpath(self.folder / path, self.page.parent))

    @functools.cached_property
    def means(self) -> int:
        """The number of means in the whole summary."""
        return int(sweep_tables.scan(self.folder, "summary").select(pl.len()).collect().item())

    @functools.cached_property
    def measured(self) -> set[str]:
        """The metrics that have means."""
        names = sweep_tables.scan(self.folder, "summary").select(pl.col("metric").unique()).collect()["metric"]
        return set(names)

    @functools.cached_property
    def is_crowded(self) -> bool:
        """Whether the sweep is too large for interactive figures."""
        return self.page is not None and (self.means > MOST_MEANS or len(self.finished) > MOST_RUNS)

    @functools.cached_property
    def is_interactive(self) -> bool:
        """Whether the page has data for interactive figures: some axis has two values, and the page room."""
        return not self.is_crowded and bool(axes.variant_and_network_axes(self.swept))

    @property
    def has_explorer(self) -> bool:
        """Whether there is a mean to explore."""
        return self.is_interactive and bool(self.summary["mean"].count())

    @functools.cached_property
    def summary(self) -> pl.DataFrame:
        """The table of means."""
        if not self.is_crowded:
            return self.table("summary")
        names = [*metrics.headline(self.measured, self.sweep.headline), *_ALSO_NAMED]
        return sweep_tables.scan(self.folder, "summary").filter(pl.col("metric").is_in(names)).collect()

    @functools.cached_property
    def flows(self) -> pl.DataFrame:
        """The table of flows."""
        if not self.is_crowded:
            return self.table("flows")
        flows = sweep_tables.scan(self.folder, "flows")
        columns = flows.collect_schema().names()
        return flows.select(name for name in _FLOW_COLUMNS if name in columns).collect()

    @functools.cached_property
    def effects(self) -> pl.DataFrame:
        """The table of effects."""
        effects = sweep_tables.scan(self.folder, "effects")
        if not self.is_crowded or not effects.collect_schema().names():
            return self.table("effects")
        headline = metrics.headline(metrics.METRICS, self.sweep.headline)
        return effects.filter(pl.col("metric").is_in(list(headline))).select(_EFFECT_COLUMNS).collect()

    @property
    def has_no_flows(self) -> bool:
        """Whether no flow has metrics."""
        return self.summary["flow_variant"].null_count() == self.summary.height

    @property
    def begins_with_traffic(self) -> bool:
        """Whether applications' traffic comes first, because no flow has metrics."""
        return not self.table("traffic").is_empty() and self.has_no_flows


def read(folder: Path | str, page: Path | str | None = None) -> SweepResults:
    """The results of the sweep in a folder."""
    return SweepResults(Path(folder), sweep_record.read(folder), Path(page) if page else None)

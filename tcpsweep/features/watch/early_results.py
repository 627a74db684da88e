# SPDX-License-Identifier: MIT
"""The first results of a running sweep: means with intervals over the finished runs.

Each cell's metrics are read once, when it has finished.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import polars as pl

from tcpsweep.core.analysis import cell_tables, summaries
from tcpsweep.core.store import cell_files, digests
from tcpsweep.core.sweep import axes, rotations
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.core.words import metrics

USUAL = ("goodput_bps", "utilisation", "jain", "owd_mean_s")
MOST_COLUMNS = 4
_AT_A_TIME = 50  # cells that are read together
_KEY = ("combination", "flow_variant", "metric")

Interval = tuple[float, float | None, float | None]  # mean, low, high
Key = tuple[int, str | None, str]


@dataclass(frozen=True)
class Row:
    """A variant in a network condition: number, label, number of runs so far, and its metrics' intervals by name."""

    combination: int
    variant: str
    label: str
    runs: int
    of: int
    values: dict[str, Interval]


class EarlyResults:
    """A sweep's means so far."""

    def __init__(self, sweep: PlannedSweep) -> None:
        self.sweep = sweep
        self.damaged: set[str] = set()
        self._read_runs: set[Run] = set()
        self._run_values: list[pl.DataFrame] = []
        self._intervals: dict[Key, Interval] = {}
        self._run_counts: dict[tuple[int, str | None], int] = {}
        self.names = [*(sweep.headline or USUAL)][:MOST_COLUMNS]

    def add(self, finished: Iterable[Run]) -> None:
        """Read the metrics of runs that finished after the last call."""
        new = [run for run in finished if run not in self._read_runs and run.combination < self.sweep.swept]
        self._read_runs.update(new)
        for start in range(0, len(new), _AT_A_TIME):
            self._read(new[start : start + _AT_A_TIME])
        if new and self._run_values:
            self._summarise(pl.concat(self._run_values))

    def _read(self, runs: Sequence[Run]) -> None:
        """Read the metrics of runs that are not damaged. Means of traffic are left out."""
        digests_of = {run: digest for run in runs if (digest := self._digest(run))}
        if not digests_of:
            return
        sound_cells = cell_tables.Sound([*digests_of], {run.cell: digest for run, digest in digests_of.items()}, {}, {})
        try:
            measured = cell_tables.measure(self.sweep, sound_cells)
        except (pl.exceptions.PolarsError, OSError):  # removed, or damaged in a way that its digests do not show
            self.damaged.update(run.cell for run in digests_of)
            return
        of_flows = measured.filter(pl.col("traffic").is_null())
        self._run_values.append(summaries.by_run(of_flows).filter(pl.col("metric").cast(pl.String).is_in(self.names)))

    def _digest(self, run: Run) -> str | None:
        """The digest of a run's simulation; None if its files are damaged, which adds its cell to ``damaged``."""
        try:
            measured = self.sweep.measured(run)
            damaged_files = digests.differing(measured, digests.read(measured), ["measures.parquet"])
            digest = cell_files.simulation(digests.read(self.sweep.parquet(run.cell)))
        except (digests.Differs, OSError) as error:
            damaged_files = [str(error)]
        if damaged_files:
            self.damaged.add(run.cell)
            return None
        return digest

    def _summarise(self, values: pl.DataFrame) -> None:
        summary = summaries.summarise(values, _KEY, rotations.lengths(self.sweep.combinations))
        counts = values.group_by(_KEY).agg(finished=pl.col("run").n_unique()).cast({"metric": pl.String})
        summary = summary.join(counts, on=_KEY, nulls_equal=True, maintain_order="left")
        for combination, variant, metric, mean, low, high, runs in summary.select(
            *_KEY, "mean", "low", "high", "finished"
        ).iter_rows():
            if mean is None:
                continue
            key = (combination, variant, metric)
            self._intervals[key] = (mean, low, high)
            self._run_counts[combination, variant] = max(runs, self._run_counts.get((combination, variant), 0))

    def rows(self) -> list[Row]:
        """The rows of a table: each variant in each network condition with a run, in the sweep's order."""
        texts = self.sweep.texts
        variants = {(combination, variant) for combination, variant, _ in self._intervals if variant is not None}
        without_variants = {combination for combination, _, _ in self._intervals} - {
            combination for combination, _ in variants
        }
        table_rows = []
        planned_runs = self.sweep.run_counts()
        for combination, variant in axes.in_order([*variants, *((each, None) for each in without_variants)], texts):
            keys = {name: self._key(combination, variant, name) for name in self.names}
            intervals = {name: self._intervals[key] for name, key in keys.items() if key in self._intervals}
            mix = texts[combination]["variant"]
            network = {name: text for name, text in texts[combination].items() if name != "variant"}
            runs = self._run_counts.get((combination, variant)) or self._run_counts.get((combination, None), 0)
            label = axes.axes_in_words(network)
            table_rows.append(
                Row(combination, axes.series(variant, mix), label, runs, planned_runs[combination], intervals)
            )
        return table_rows

    def _key(self, combination: int, variant: str | None, name: str) -> Key:
        """The key of a metric's mean; a metric of the whole network has no variant."""
        return (combination, variant if metrics.METRICS[name].by_variant else None, name)

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
        self._seen: set[Run] = set()
        self._values: list[pl.DataFrame] = []
        self._means: dict[Key, Interval] = {}
        self._runs: dict[tuple[int, str | None], int] = {}
        self.names = [*(sweep.headline or USUAL)][:MOST_COLUMNS]

    def add(self, finished: Iterable[Run]) -> None:
        """Read the metrics of runs that finished after the last call."""
        new = [run for run in finished if run not in self._seen and run.combination < self.sweep.swept]
        self._seen.update(new)
        for first in range(0, len(new), _AT_A_TIME):
            self._read(new[first : first + _AT_A_TIME])
        if new and self._values:
            self._summarise(pl.concat(self._values))

    def _read(self, runs: Sequence[Run]) -> None:
        simulations = {run: digest for run in runs if (digest := self._simulation(run))}
        if not simulations:
            return
        block = cell_tables.Sound([*simulations], {run.cell: digest for run, digest in simulations.items()}, {}, {})
        try:
            found = cell_tables.measure(self.sweep, block)
        except (pl.exceptions.PolarsError, OSError):  # removed, or damaged in a way that its digests do not show
            self.damaged.update(run.cell for run in simulations)
            return
        whole = found.filter(pl.col("traffic").is_null())
        self._values.append(summaries.by_run(whole).filter(pl.col("metric").cast(pl.String).is_in(self.names)))

    def _simulation(self, run: Run) -> str | None:
        """The digest of a run's simulation; None if its files are damaged, which is not noted anywhere."""
        try:
            measured = self.sweep.measured(run)
            wrong = digests.differing(measured, digests.read(measured), ["measures.parquet"])
            found = cell_files.simulation(digests.read(self.sweep.parquet(run.cell)))
        except (digests.Differs, OSError) as error:
            wrong = [str(error)]
        if wrong:
            self.damaged.add(run.cell)
            return None
        return found

    def _summarise(self, values: pl.DataFrame) -> None:
        found = summaries.summarise(values, _KEY, rotations.lengths(self.sweep.combinations))
        there = values.group_by(_KEY).agg(finished=pl.col("run").n_unique()).cast({"metric": pl.String})
        found = found.join(there, on=_KEY, nulls_equal=True, maintain_order="left")
        for combination, variant, metric, mean, low, high, runs in found.select(
            *_KEY, "mean", "low", "high", "finished"
        ).iter_rows():
            if mean is None:
                continue
            key = (combination, variant, metric)
            self._means[key] = (mean, low, high)
            self._runs[combination, variant] = max(runs, self._runs.get((combination, variant), 0))

    def rows(self) -> list[Row]:
        """The rows of a table: each variant in each network condition with a run, in the sweep's order."""
        texts = self.sweep.texts
        variants = {(combination, variant) for combination, variant, _ in self._means if variant is not None}
        alone = {combination for combination, _, _ in self._means} - {combination for combination, _ in variants}
        found = []
        counts = self.sweep.run_counts()
        for combination, variant in axes.in_order([*variants, *((each, None) for each in alone)], texts):
            keys = {name: self._key(combination, variant, name) for name in self.names}
            values = {name: self._means[key] for name, key in keys.items() if key in self._means}
            whole = texts[combination]["variant"]
            network = {name: text for name, text in texts[combination].items() if name != "variant"}
            runs = self._runs.get((combination, variant)) or self._runs.get((combination, None), 0)
            label = axes.axes_in_words(network)
            found.append(Row(combination, axes.series(variant, whole), label, runs, counts[combination], values))
        return found

    def _key(self, combination: int, variant: str | None, name: str) -> Key:
        return (combination, variant if metrics.METRICS[name].by_variant else None, name)

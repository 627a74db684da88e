# SPDX-License-Identifier: MIT
"""The distribution of the slowdown of arriving flows: the share with a value or more."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.store import cell_files
from tcpsweep.core.store.cell_files import Damaged
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.core.words import table_columns

POINTS = 60  # of a curve, at equal factors of the share
DIGITS = 4


def curves(sweep: PlannedSweep, runs: Sequence[Run]) -> dict[str, tuple[list[float], list[float]]]:
    """The curve of each group of arrivals by its name, of all runs of one combination together.

    A curve has slowdowns, and the share of flows that have as much or more; an unfinished flow counts as infinite. Runs
    whose files are damaged do not count.
    """
    slowdowns_by_group: dict[str, list[npt.NDArray[np.float64]]] = {}
    for run in runs:
        with contextlib.suppress(OSError, Damaged, pl.exceptions.PolarsError):
            for name, values in _slowdowns_of_run(sweep, run).items():
                slowdowns_by_group.setdefault(name, []).append(values)
    return {name: curve(np.concatenate(slowdowns_of_runs)) for name, slowdowns_of_runs in slowdowns_by_group.items()}


def curve(slowdowns: npt.NDArray[np.float64]) -> tuple[list[float], list[float]]:
    """The complementary distribution of values, some of which may be infinite, at up to `POINTS` shares.

    Returns the values in ascending order, and for each the share of all values that are as great or greater.
    """
    in_order = np.sort(slowdowns)
    count, finite = len(in_order), int(np.isfinite(in_order).sum())
    if not finite:
        return [], []
    # Numbers of values that are as great or greater: from all, to the slowest finished flow and all unfinished ones.
    remaining_counts = np.unique(np.geomspace(count - finite + 1, count, POINTS).round().astype(int))[::-1]
    places = [count - int(number) for number in remaining_counts]
    values = [float(f"{in_order[place]:.{DIGITS}g}") for place in places]
    shares = [float(f"{(count - place) / count:.{DIGITS}g}") for place in places]
    return values, shares


def _slowdowns_of_run(sweep: PlannedSweep, run: Run) -> dict[str, npt.NDArray[np.float64]]:
    path = sweep.parquet(run.cell) / "transfers.parquet"
    if not path.is_file():
        return {}
    rows = (
        table_columns.scan(cell_files.checked(path))
        .filter(pl.col("kind") == "arrivals")
        .select(pl.col("traffic").cast(pl.String), "start_s", "alone_s", pl.col("slowdown").fill_null(np.inf))
        .collect()
    )
    from_s = sweep.spans[run.combination].from_s
    groups = rows.partition_by("traffic", as_dict=True, maintain_order=True)
    if from_s is not None:
        counted = {str(name): part.filter(pl.col("start_s") >= from_s) for (name,), part in groups.items()}
    else:  # each run has its own time; its metrics say how many transfers began after it
        counts = _counted_transfers(sweep.measured(run))
        counted = {str(name): part.sort("start_s").tail(counts.get(str(name), 0)) for (name,), part in groups.items()}
    return {name: part.filter(pl.col("alone_s") > 0)["slowdown"].to_numpy() for name, part in counted.items()}


def _counted_transfers(measured: Path) -> dict[str, int]:
    """How many transfers of each group the metrics of a run count."""
    rows = (
        table_columns.scan(cell_files.checked(measured / "measures.parquet"))
        .filter(pl.col("metric") == "transfers", pl.col("traffic").is_not_null())
        .select("traffic", pl.col("value").cast(pl.Int64))
        .collect()
    )
    return dict(rows.iter_rows())

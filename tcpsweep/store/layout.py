# SPDX-License-Identifier: MIT
"""Where results lie. A cell's folder with `SUMS` is whole: it was made beside its place and renamed into it.

- ``results/raw/<cell>/``: what the simulator wrote;
- ``results/cells/<cell>/<parser>/``: the cell's Parquet, by the code id of its parser, and in it ``measured-<id>/``:
  its metrics;
- ``results/cells/<cell>/again/``: the cell run once more by hand, with other captures;
- ``results/failed/<cell>/``: the log of a cell that failed last time;
- ``results/damaged/<cell>.<parser>``: what somebody found damaged in a cell, until the next run makes it again;
- ``results/claims/<cell>``: locked by the process that works on the cell (`claims`);
- ``results/imported/<name>/``: the tables of captures of others, from `tcpsweep import`;
- ``results/sweeps/<name>/``: what is computed from all cells of a sweep, and in ``jobs/`` its last run's jobs.

No two processes can spoil each other's work: the second to finish a folder finds it there and throws its own away.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

Run = TypeVar("Run", bound=tuple[str, int, int])
RESULTS = Path("results")
RAW = RESULTS / "raw"
CELLS = RESULTS / "cells"
FAILED = RESULTS / "failed"
CLAIMS = RESULTS / "claims"
DAMAGED = RESULTS / "damaged"
SWEEPS = RESULTS / "sweeps"
IMPORTED = RESULTS / "imported"
LOCK = RESULTS / ".lock"
JOBS = "jobs"
SWEEP_LOCK = ".lock"
SUBMITTED = ".submitted"
TEMPORARY = ".temporary"
COMPLETE = "complete"
CLOSING = "closing.json"
AGAIN = "again"
METRICS = "measured-"
SUMS = "SHA256SUMS"
NOT_KEPT = ".not-kept"


def raw(cell: str) -> Path:
    """The folder of the cell's raw files."""
    return RAW / cell


def is_raw_kept(cell: str) -> bool:
    """Whether the cell has raw files that stay: all but those that only wait to be parsed."""
    return is_whole(raw(cell)) and not (raw(cell) / NOT_KEPT).exists()


def parquet(cell: str, parser: str) -> Path:
    """The folder of the cell's Parquet as the parser with that code id makes it."""
    return CELLS / cell / parser


def again(cell: str) -> Path:
    """The folder of the cell run once more by hand; no step reads it."""
    return CELLS / cell / AGAIN


def measured(cell: str, parser: str, measure: str) -> Path:
    """The folder of the cell's metrics, by the id ``measure`` of how it is measured."""
    return Path(path_text(cell, parser, measure))


def path_text(cell: str, parser: str, measure: str | None = None, root: Path | str = "") -> str:
    """The path of `parquet`, or with ``measure`` of `measured`, as text: paths of a million cells take time to make.

    ``root`` is the folder that holds ``results/``.
    """
    place = os.path.join(root, CELLS, cell, parser)  # noqa: PTH118
    return place if measure is None else f"{place}/{METRICS}{measure}"


def is_whole(folder: Path | str) -> bool:
    """Whether a cell's folder was finished, and is not one that was emptied since, or a file in its place."""
    return os.path.isfile(f"{os.fspath(folder)}/{SUMS}")  # noqa: PTH113 (faster)


def damage_mark(cell: str, parser: str) -> str:
    """The file in `DAMAGED` that says that a cell's Parquet or metrics are damaged."""
    return f"{cell}.{parser}"


def finished(runs: Iterable[Run], parser: str, measures: Sequence[str], root: Path = Path()) -> list[Run]:
    """The runs of a sweep that have their metrics, and were not found damaged.

    A run is its cell, its combination and its number; ``measures`` has, for each combination, the id of how it is
    measured; ``root`` is the folder that holds ``results/``.
    """
    damaged = set(names_in(root / DAMAGED))
    return [
        run
        for run in runs
        if os.path.isfile(f"{path_text(run[0], parser, measures[run[1]], root)}/{SUMS}")  # noqa: PTH113 (faster)
        and not (damaged and damage_mark(run[0], parser) in damaged)
    ]


def names_in(folder: Path) -> list[str]:
    """The names in a folder; none if the folder does not exist, or no longer does."""
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries]
    except OSError:
        return []


def submitted(sweep: str) -> Path:
    """The file that is there while jobs of a sweep, which a run on a cluster has submitted, may be at work.

    Such a run holds `run_lock.sweep` while it lives. If it was killed, its jobs go on without it.
    """
    return SWEEPS / sweep / SUBMITTED


def stamp(sweep: str, kind: str, job: str) -> Path:
    """The file that a job or a compilation leaves at its end; a job leaves it even if some of its cells failed.

    Beside it are its plan file (``.json``), its log (``.log``) and its benchmark (``.tsv``).
    """
    return SWEEPS / sweep / JOBS / kind / f"{job}.done"


REPORTS = Path("reports")

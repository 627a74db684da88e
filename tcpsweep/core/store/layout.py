# SPDX-License-Identifier: MIT
"""The paths of results. A cell's folder that has `SUMS` is complete: it was made next to its place, then renamed.

- ``results/raw/<cell>/``: the simulator's files;
- ``results/cells/<cell>/<parser>/``: the cell's Parquet files, by the code id of the parser, with its metrics in
  ``measured-<id>/``;
- ``results/cells/<cell>/again/``: the cell rerun by hand, with other captures;
- ``results/failed/<cell>/``: the log of a cell that failed last time;
- ``results/damaged/<cell>.<parser>``: the damaged files found in a cell, until the next run makes them again;
- ``results/claims/<cell>``: locked by the process that works on the cell (`claims`);
- ``results/imported/<name>/``: the tables of imported captures, from `tcpsweep import`;
- ``results/sweeps/<name>/``: the results computed from all cells of a sweep, with the last run's jobs in ``jobs/``.

If two processes make the same folder, the second one to finish discards its own copy.
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
    """Whether the cell has raw files to keep, not only files that wait to be parsed."""
    return is_whole(raw(cell)) and not (raw(cell) / NOT_KEPT).exists()


def parquet(cell: str, parser: str) -> Path:
    """The folder of the Parquet files that the parser with this code id makes for the cell."""
    return CELLS / cell / parser


def again(cell: str) -> Path:
    """The folder of the cell rerun by hand; no step reads it."""
    return CELLS / cell / AGAIN


def measured(cell: str, parser: str, measure: str) -> Path:
    """The folder of the cell's metrics; ``measure`` is the id of the measuring code and span."""
    return Path(path_text(cell, parser, measure))


def path_text(cell: str, parser: str, measure: str | None = None, root: Path | str = "") -> str:
    """The path of `parquet`, or of `measured` with ``measure``, as text, because a million Path objects take time.

    ``root`` is the folder that holds ``results/``.
    """
    place = os.path.join(root, CELLS, cell, parser)  # noqa: PTH118
    return place if measure is None else f"{place}/{METRICS}{measure}"


def is_whole(folder: Path | str) -> bool:
    """Whether a cell's folder is complete: neither emptied since it was made, nor a file in its place."""
    return os.path.isfile(f"{os.fspath(folder)}/{SUMS}")  # noqa: PTH113 (faster)


def made_ns(folder: Path) -> int:
    """When a complete folder was made, as the file system has it."""
    return (folder / SUMS).stat().st_mtime_ns


def damage_mark(cell: str, parser: str) -> str:
    """The name of the file in `DAMAGED` that marks a cell's Parquet files or metrics as damaged."""
    return f"{cell}.{parser}"


def finished(runs: Iterable[Run], parser: str, measures: Sequence[str], root: Path = Path()) -> list[Run]:
    """The runs of a sweep that have their metrics and no known damage.

    A run consists of its cell, its combination and its number. ``measures`` has, for each combination, the id for
    `measured`. ``root`` is the folder that holds ``results/``.
    """
    damaged = set(names_in(root / DAMAGED))
    return [
        run
        for run in runs
        if os.path.isfile(f"{path_text(run[0], parser, measures[run[1]], root)}/{SUMS}")  # noqa: PTH113 (faster)
        and not (damaged and damage_mark(run[0], parser) in damaged)
    ]


def names_in(folder: Path) -> list[str]:
    """The names in a folder; none if the folder does not exist."""
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries]
    except OSError:
        return []


def submitted(sweep: str) -> Path:
    """The file that exists while submitted cluster jobs of a sweep may be running.

    It has a line with the run that submitted them, and a line with the name of its jobs if the scheduler is SLURM. The
    run holds `locks.sweep`. If it is killed, its jobs go on without it.
    """
    return SWEEPS / sweep / SUBMITTED


def stamp(sweep: str, kind: str, job: str) -> Path:
    """The file that a job or a compilation writes at its end. A job writes it even if some of its cells failed.

    Next to it are the plan file (``.json``), the log (``.log``) and the benchmark (``.tsv``).
    """
    return SWEEPS / sweep / JOBS / kind / f"{job}.done"


REPORTS = Path("reports")

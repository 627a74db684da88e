# SPDX-License-Identifier: MIT
"""The digests of a sweep's cells and tables, for the report and `tcpsweep verify`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tcpsweep.core.store import cell_files, digests
from tcpsweep.core.sweep import sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run

SHOWN = 16  # hexadecimal digits that people compare


class Shown(NamedTuple):
    """The digests for people: of the tables' cells, and of the tables' files."""

    cells: str
    tables: str


class Cells:
    """A digest of the simulations and the metrics of runs, in a sweep's order.

    Equal digests mean equal results on any machine.
    """

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def add(self, cell: str, simulation: str, metrics: str) -> None:
        """Add a run: its cell, and the digests of the simulation and the metrics."""
        self._digest.update(f"{cell} {simulation} {metrics}\n".encode())

    @property
    def digest(self) -> str:
        """The digest of all runs so far."""
        return self._digest.hexdigest()


def digest_of_cells(sweep: PlannedSweep, runs: Iterable[Run], root: Path = Path()) -> str:
    """The digest of `Cells`, from the digests stored with them.

    Raises
    ------
    cell_files.Damaged
    """
    cells = Cells()
    for run in runs:
        measured, parquet = root / sweep.measured(run), root / sweep.parquet(run.cell)
        cells.add(
            run.cell, cell_files.simulation(cell_files.sums(parquet)), cell_files.metrics(cell_files.sums(measured))
        )
    return cells.digest


def write(folder: Path, cells: str, added: Iterable[str]) -> None:
    """Write the digests of the tables in a sweep's folder, also of those that features ``added``.

    ``cells`` is the digest of their cells.
    """
    tables = sweep_tables.present_files(folder, sweep_tables.with_added(added))
    digests.write(folder, [*sweep_tables.BESIDE, *tables], made_of=cells)


def shown_digests(folder: Path) -> Shown | None:
    """The digests of the tables in a sweep's folder; None if the files differ from them."""
    try:
        sums = digests.read(folder)
    except digests.Differs:
        return None
    return Shown((digests.made_of(folder) or "")[:SHOWN], digests.joint_digest(sums, sums)[:SHOWN])

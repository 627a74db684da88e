# SPDX-License-Identifier: MIT
"""A sweep's cells without a result."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from tcpsweep.core.store import layout, removal
from tcpsweep.core.sweep import sweep_record
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run

LOG_LINES = 6


@dataclass(frozen=True)
class Failure:
    """A cell without a result; ``log`` has the last lines of its log, none if the cell was never started.

    If it had a result that was damaged later, ``damaged`` is true and the log names the damage.
    """

    cell: str
    combination: int
    run: int
    log: tuple[str, ...]
    damaged: bool = False


def failures(folder: Path | str) -> list[Failure]:
    """The cells without a result of the sweep in ``folder``, in the sweep's order."""
    sweep = sweep_record.read(folder)
    return failures_of(sweep, sweep.finished())


def failures_of(sweep: PlannedSweep, finished: Collection[Run]) -> list[Failure]:
    """The cells of a sweep without a result, in its order, given its finished runs."""
    finished = set(finished)
    by_cell: dict[str, Failure] = {}
    for cell, combination, run in sweep.cells if len(finished) < len(sweep.cells) else ():
        if (cell, combination, run) not in finished and cell not in by_cell:
            damage_log = last_lines(layout.DAMAGED / layout.damage_mark(cell, sweep.parser))
            log = damage_log or last_lines(layout.FAILED / cell / "log.txt")
            by_cell[cell] = Failure(cell, combination, run, log, bool(damage_log))
    return list(by_cell.values())


def forget(folder: Path | str) -> None:
    """Remove the remaining failure logs of a sweep whose cells all have results now.

    Usually a cell's log is removed when its result arrives. It remains if the folder was read-only at that time.
    """
    cells = {cell for cell, _, _ in sweep_record.read(folder).cells}
    for cell in cells.intersection(layout.names_in(layout.FAILED)):
        removal.remove(layout.FAILED / cell)


def last_lines(log: Path, lines: int = LOG_LINES) -> tuple[str, ...]:
    """The last lines of a log, with paths relative to the working folder; none if there is no log."""
    try:
        text = log.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    return tuple(text.replace(f"{Path.cwd()}/", "").splitlines()[-lines:])

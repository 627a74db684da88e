# SPDX-License-Identifier: MIT
"""Run simulations in real time concurrently. A simulation that lagged too far behind is repeated without others."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator, Sequence
from pathlib import Path

from tcpsweep.linux import virtual_time
from tcpsweep.store import layout, links
from tcpsweep.sweep import assignment
from tcpsweep.sweep.cost import REAL_TIME_CORES
from tcpsweep.sweep.job_plan import PlannedCell
from tcpsweep.words import field_names
from tcpsweep.words.mixes import Mix

TOO_LATE = 3  # a simulator's exit status if it lagged too far behind real time
ATTEMPTS = 3
REFUSED = "refused.txt"  # next to a cell's raw files: a line per earlier, refused simulation, with the reason
_ROUNDING = 1e-9
_PLACE = layout.RESULTS / ".real-time"


def groups(cells: Sequence[PlannedCell], cores: int) -> list[tuple[list[PlannedCell], int]]:
    """Divide a job's cells into groups that run one after the other; each with the number of cells to run at a time.

    Cells in real time come first. They mostly wait, so several may share a core: as many run at a time as the cores
    allow. Cells that allow the same number form a group. Groups with smaller numbers come first.
    """
    at_once: dict[int, list[PlannedCell]] = {}
    for cell in cells:
        if cell.share:
            count = max(1, int(REAL_TIME_CORES * cores / cell.share + _ROUNDING))
            at_once.setdefault(count, []).append(cell)
    others = [cell for cell in cells if not cell.share]
    return [(group, count) for count, group in sorted(at_once.items())] + ([(others, cores)] if others else [])


def is_asked_for(command: Sequence[str]) -> bool:
    """Whether a simulator's command asks for real time: for all flows, or through a flow's variant."""
    if virtual_time.is_asked_for(command):
        return False
    given = [argument.partition("=") for argument in command]
    named = [name for option, _, value in given if option.endswith("variant") for name in Mix.parse(value).turns]
    return f"--stack={assignment.OF_KERNEL}" in command or any(map(field_names.is_kernels, named))


def note_refusal(raw: Path, reason: str) -> None:
    """Note why a simulation was refused, next to the raw files of its cell, which is tried again."""
    with (raw / REFUSED).open("a", encoding="utf-8") as file:
        file.write(reason.replace("\n", " ") + "\n")


def refusals(raw: Path) -> list[str]:
    """The reasons why earlier simulations of a cell were refused, from the folder of its raw files."""
    path = raw / REFUSED
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []


@contextlib.contextmanager
def place_among_others(alone: bool) -> Iterator[None]:
    """Permission to simulate in real time in this ``results/``: together with others, or, if ``alone``, exclusively.

    It uses two locked files. All processes lock the first one for a moment. A process that wants to be alone holds it
    while it waits for the second, so that later processes cannot overtake it. The locks end with their process.
    """
    links.refuse(_PLACE)
    _PLACE.mkdir(parents=True, exist_ok=True)
    with (_PLACE / "entrance").open("w") as entrance, (_PLACE / "inside").open("w") as inside:
        fcntl.flock(entrance, fcntl.LOCK_EX)
        fcntl.flock(inside, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(entrance, fcntl.LOCK_UN)
        yield

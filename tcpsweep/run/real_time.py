# SPDX-License-Identifier: MIT
"""Simulations in real time beside each other, and one alone where that was too late for its results to count."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator, Sequence
from pathlib import Path

from tcpsweep.store import layout
from tcpsweep.sweep import assignment
from tcpsweep.sweep.cost import REAL_TIME_CORES
from tcpsweep.sweep.job_plan import PlannedCell
from tcpsweep.words import field_names
from tcpsweep.words.mixes import Mix

TOO_LATE = 3  # the status that a simulator ends with if it lagged too far behind real time
ATTEMPTS = 3
REFUSED = "refused.txt"  # beside a cell's raw files: why simulations before this one were refused, a line each
_ROUNDING = 1e-9
_PLACE = layout.RESULTS / ".real-time"


def groups(cells: Sequence[PlannedCell], cores: int) -> list[tuple[list[PlannedCell], int]]:
    """A job's cells in groups that are taken one after the other, and how many of each at a time.

    Those in real time come first. They wait most of the time, so that as many go beside each other as the cores have
    room for; those of which equally many have room are a group, first those of which the fewest have.
    """
    at_once: dict[int, list[PlannedCell]] = {}
    for cell in cells:
        if cell.share:
            count = max(1, int(REAL_TIME_CORES * cores / cell.share + _ROUNDING))
            at_once.setdefault(count, []).append(cell)
    others = [cell for cell in cells if not cell.share]
    return [(group, count) for count, group in sorted(at_once.items())] + ([(others, cores)] if others else [])


def is_asked_for(command: Sequence[str]) -> bool:
    """Whether a simulator's command asks for real time: for all flows, or by the variant of some."""
    given = [argument.partition("=") for argument in command]
    named = [name for option, _, value in given if option.endswith("variant") for name in Mix.parse(value).turns]
    return f"--stack={assignment.OF_KERNEL}" in command or any(map(field_names.is_kernels, named))


def note_refusal(raw: Path, reason: str) -> None:
    """Note, beside the raw files of a cell that is tried again, why it was refused."""
    with (raw / REFUSED).open("a", encoding="utf-8") as file:
        file.write(reason.replace("\n", " ") + "\n")


def refusals(raw: Path) -> list[str]:
    """Why simulations of a cell were refused, from its raw files."""
    path = raw / REFUSED
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []


@contextlib.contextmanager
def place_among_others(alone: bool) -> Iterator[None]:
    """The right to simulate in real time in this store: beside others, or, if ``alone``, with no other.

    Two locked files: whoever wants to be alone keeps the first, which all pass, while waiting for the second, so that
    those that come later do not go before it. The locks end with their process.
    """
    _PLACE.mkdir(parents=True, exist_ok=True)
    with (_PLACE / "entrance").open("w") as entrance, (_PLACE / "inside").open("w") as inside:
        fcntl.flock(entrance, fcntl.LOCK_EX)
        fcntl.flock(inside, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(entrance, fcntl.LOCK_UN)
        yield

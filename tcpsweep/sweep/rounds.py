# SPDX-License-Identifier: MIT
"""The rounds of a sweep that asks for more than its file lists: the runs and the points that are known to be needed.

After each round its tables are looked at, and ``rounds.json`` in the sweep's folder says how many runs the next round
brings each combination to, and which values its open axes have. Both follow from the results themselves. Where the file
is lost, or other things are asked for, the rounds begin again, find the runs of earlier ones finished, and come to the
same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from tcpsweep.store import state_files, whole_files
from tcpsweep.sweep.points import Point
from tcpsweep.sweep.precision import FIRST_RUNS

FILE = "rounds.json"


@dataclass(frozen=True)
class Rounds:
    """What is known after a round.

    Attributes
    ----------
    asked : str
        The identity of what was asked for: `sweep_record.Sweep.asked`.
    runs : dict
        The id of the first cell of each combination that was looked at, to the number of runs that it is to have.
    undecided : list of str
        Those of these ids whose last runs nobody has looked at yet.
    points : list of Point
        The values that open axes are to have; none before the first round, which begins with the sweep file's own.
    first : int or None
        How many runs combinations that nobody has looked at are to have; None for as many as in the first round.
    """

    asked: str
    runs: dict[str, int] = field(default_factory=dict)
    undecided: list[str] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    first: int | None = None

    def counts(self, first_cells: Sequence[str], first: int = FIRST_RUNS) -> list[int]:
        """The number of runs of each combination, by the id of its first cell, where these follow from rounds.

        Combinations that nobody looked at get `first`, or unless a round said how many, those given.
        """
        return [self.runs.get(cell, first if self.first is None else self.first) for cell in first_cells]

    def is_decided(self, first_cells: Sequence[str]) -> bool:
        """Whether these combinations have been looked at, and none of them may need more runs or points beside it."""
        return self.runs.keys() >= set(first_cells) and not set(first_cells).intersection(self.undecided)


def read(folder: Path, asked: str) -> Rounds:
    """What is known of a sweep's rounds; nothing if there were none, or if something else was asked for."""
    found = state_files.read(folder / FILE, Rounds)
    return found if found and found.asked == asked else Rounds(asked)


def write(
    folder: Path,
    asked: str,
    wanted: Mapping[str, int],
    had: Mapping[str, int],
    points: Sequence[Point] = (),
    first: int | None = None,
) -> None:
    """Write what is known after a round.

    Parameters
    ----------
    folder : Path
        The sweep's.
    asked : str
        The identity of what was asked for.
    wanted, had : dict
        The id of each combination's first cell to the number of runs that it is to have, and that it had.
    points : sequence of Point
        All that open axes are to have: those of the round that ended, and more if a round follows for them.
    first : int, optional
        How many runs combinations of new points are to have, unless as many as in the first round.
    """
    more = [cell for cell, runs in wanted.items() if runs > had[cell]]
    known = Rounds(asked, dict(wanted), more, list(points), first)
    whole_files.write_whole(folder / FILE, msgspec.json.encode(known).decode())

# SPDX-License-Identifier: MIT
"""The rounds of a sweep whose precision is asked for: how many runs each combination is to have by what is known.

After each round the means' intervals are looked at, and ``rounds.json`` in the sweep's folder says how many runs the
next round brings each combination to. Each number follows from the runs themselves. Where the file is lost, or other
things are asked for, the rounds begin again, find the runs of earlier ones finished, and come to the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from tcpsweep.store import state_files, whole_files
from tcpsweep.sweep.precision import FIRST_RUNS, Precision

FILE = "rounds.json"


@dataclass(frozen=True)
class Rounds:
    """What is known after a round.

    Attributes
    ----------
    precision : Precision
        What was asked for.
    runs : dict
        The id of each combination's first cell to the number of runs that it is to have.
    undecided : list of str
        Those of these ids whose last runs nobody has looked at yet.
    """

    precision: Precision
    runs: dict[str, int] = field(default_factory=dict)
    undecided: list[str] = field(default_factory=list)

    def counts(self, first_cells: Sequence[str]) -> list[int]:
        """The number of runs of each combination, by the id of its first cell."""
        return [self.runs.get(cell, FIRST_RUNS) for cell in first_cells]

    def is_decided(self, first_cells: Sequence[str]) -> bool:
        """Whether none of these combinations may need more runs."""
        return self.runs.keys() >= set(first_cells) and not set(first_cells).intersection(self.undecided)


def read(folder: Path, precision: Precision) -> Rounds:
    """What is known of a sweep's rounds; nothing if there were none, or if another precision was asked for."""
    found = state_files.read(folder / FILE, Rounds)
    return found if found and found.precision == precision else Rounds(precision)


def write(folder: Path, precision: Precision, wanted: Mapping[str, int], had: Mapping[str, int]) -> None:
    """Write what is known after a round.

    Parameters
    ----------
    folder : Path
        The sweep's.
    precision : Precision
    wanted, had : dict
        The id of each combination's first cell to the number of runs that it is to have, and that it had.
    """
    more = [cell for cell, runs in wanted.items() if runs > had[cell]]
    whole_files.write_whole(folder / FILE, msgspec.json.encode(Rounds(precision, dict(wanted), more)).decode())

# SPDX-License-Identifier: MIT
"""The rounds of a sweep that asks for more than its file lists: the runs and the points that are known to be needed.

After each round its tables are looked at, and ``rounds.json`` in the sweep's folder says how many runs the next round
brings each combination to, and which values its open axes have. Both follow from the results themselves. Where the file
is lost, or other things are asked for, the rounds begin again, find the runs of earlier ones finished, and come to the
same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from tcpsweep.store import state_files, whole_files
from tcpsweep.sweep.axis_range import AxisRange
from tcpsweep.sweep.matching import Combination, Value
from tcpsweep.sweep.sweep_parts import ShareOrValue

FILE = "rounds.json"
MOST_VALUES = 60  # of the axis in one network: a turn from end to end takes about twenty
FIRST_VALUES = 5  # of the axis, in each network, before any is looked at
FIRST_RUNS = 10  # before any interval is looked at: with fewer, spreads are found too small too often


@dataclass(frozen=True)
class Rounds:
    """What is known after a round."""

    asked: str  # the identity of what was asked for: `sweep_record.Sweep.asked`
    # The id of the first cell of each combination that was looked at, to the number of runs that it is to have
    runs: dict[str, int] = field(default_factory=dict)
    # Those of these ids whose last runs nobody has looked at yet
    undecided: list[str] = field(default_factory=list)
    # The values that open axes are to have; none before the first round, which begins with the sweep file's own
    points: list[Point] = field(default_factory=list)
    # How many runs combinations that nobody has looked at are to have; None for as many as in the first round
    first: int | None = None

    def counts(self, first_cells: Sequence[str], first: int) -> list[int]:
        """The number of runs of each combination, by the id of its first cell, where these follow from rounds.

        Combinations that nobody looked at get `first`, or unless a round said how many, those given.
        """
        return [self.runs.get(cell, first if self.first is None else self.first) for cell in first_cells]

    def is_decided(self, first_cells: Sequence[str]) -> bool:
        """Whether these combinations have been looked at, and none of them may need more runs or points beside it."""
        return self.runs.keys() >= set(first_cells) and not set(first_cells).intersection(self.undecided)


def read_rounds(folder: Path, asked: str) -> Rounds:
    """What is known of a sweep's rounds; nothing if there were none, or if something else was asked for."""
    found = state_files.read(folder / FILE, Rounds)
    return found if found and found.asked == asked else Rounds(asked)


def write_rounds(
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


Point: TypeAlias = dict[str, Any]
"""Values of open axes in their normal form, and those of other axes for which they are meant, by name."""


def points_agreeing(points: Iterable[Point], open_axes: Collection[str]) -> Callable[[Combination], list[Combination]]:
    """A function that takes a combination of the other axes and returns the values of the open axes that go with it.

    They are those of the points that have its values of all other axes that they name, in the points' order.
    """
    known: dict[tuple[str, ...], dict[Any, list[Combination]]] = defaultdict(lambda: defaultdict(list))
    for point in points:
        meant_for = tuple(sorted(name for name in point if name not in open_axes))
        own = {name: value for name, value in point.items() if name in open_axes and value is not None}
        known[meant_for][_values_of(point, meant_for)].append(own)

    def of(row: Combination) -> list[Combination]:
        return [own for names, by_values in known.items() for own in by_values.get(_values_of(row, names), ())]

    return of


def _values_of(row: Mapping[str, Value | None], names: Iterable[str]) -> tuple[Any, ...]:
    return tuple(tuple(value) if isinstance(value := row.get(name), list) else value for name in names)


@dataclass(frozen=True)
class Precision:
    """What is asked: a half-width by metric, and the most runs that a combination gets for it."""

    asked: dict[str, ShareOrValue]
    at_most: int


@dataclass(frozen=True)
class Refinement:
    """What is asked for."""

    range: AxisRange
    metric: str
    # Of whose difference the sign is looked for: the first's mean minus the second's
    variant: str
    reference: str
    # How near the edges of a turn are to be known: the share by which a value may be above the one before it; on an
    # axis from 0, the share of the range between the two
    to: float

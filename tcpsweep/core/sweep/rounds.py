# SPDX-License-Identifier: MIT
"""The rounds of a sweep whose runs or points follow from its results.

After each round, ``rounds.json`` in the sweep's folder gets the number of runs of each combination in the next round,
and the values of the open axes. Both follow only from the results. If the file is lost or edited, or the request
changes, the rounds start again, reuse the finished runs, and reach the same state.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from tcpsweep.core.store import state_files, whole_files
from tcpsweep.core.sweep.axis_range import AxisRange
from tcpsweep.core.sweep.matching import Combination, Value

FILE = "rounds.json"
FIRST_RUNS = 10  # before the first interval, because fewer runs underestimate the spread too often


@dataclass(frozen=True)
class Rounds:
    """The state after a round."""

    asked: str  # the identity of the request: `sweep_record.Sweep.asked`
    # The id of each examined combination's first cell, to its planned number of runs
    runs: dict[str, int] = field(default_factory=dict)
    # The ids among these whose last runs were not examined yet
    undecided: list[str] = field(default_factory=list)
    # The planned values of open axes; none before the first round, which has the sweep file's own
    points: list[Point] = field(default_factory=list)
    digest: str = ""  # of all others, because an edited number or point would lead to other rounds than the results do

    def with_digest(self) -> Rounds:
        """The state with its right digest."""
        plain = replace(self, digest="")
        return replace(plain, digest=hashlib.sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest())

    def counts(self, first_cells: Sequence[str], first: int) -> list[int]:
        """The number of runs of each combination, by the id of its first cell, in a sweep with rounds.

        Combinations not examined yet get the number ``first``.
        """
        return [self.runs.get(cell, first) for cell in first_cells]

    def is_decided(self, first_cells: Sequence[str]) -> bool:
        """Whether all these combinations were examined and need no more runs or points."""
        return self.runs.keys() >= set(first_cells) and not set(first_cells).intersection(self.undecided)


def read_rounds(folder: Path, asked: str, ranges: Mapping[str, AxisRange] | None = None) -> Rounds:
    """The state of a sweep's rounds; empty if there were none, the request was another one, or the file was edited.

    With ``ranges``, by open axis, points have values in them.
    """
    state = state_files.read(folder / FILE, Rounds)
    is_right = state and state.asked == asked and state == state.with_digest()
    if not state or not is_right:
        return Rounds(asked)
    values = [(axis_range, point.get(name)) for point in state.points for name, axis_range in (ranges or {}).items()]
    return state if all(axis_range.contains(value) for axis_range, value in values) else Rounds(asked)


def write_rounds(
    folder: Path,
    asked: str,
    wanted: Mapping[str, int],
    had: Mapping[str, int],
    points: Sequence[Point] = (),
) -> None:
    """Write the state after a round.

    Parameters
    ----------
    wanted, had : dict
        The id of each combination's first cell to its planned number of runs, and to the number that it had.
    points : sequence of Point
        All values of open axes: those of the finished round, and more if another round follows.
    """
    undecided = [cell for cell, runs in wanted.items() if runs > had[cell]]
    state = Rounds(asked, dict(wanted), undecided, list(points)).with_digest()
    whole_files.write_whole(folder / FILE, msgspec.json.encode(state).decode())


Point: TypeAlias = dict[str, Any]
"""Values of open axes in their normal form, and those of other axes for which they are meant, by name."""


def points_agreeing(points: Iterable[Point], open_axes: Collection[str]) -> Callable[[Combination], list[Point]]:
    """A function from a combination of the other axes to the matching values of the open axes.

    A point matches if it has the combination's value for each other axis that it names. The result is in the points'
    order.
    """
    values_by_axes: dict[tuple[str, ...], dict[Any, list[Point]]] = defaultdict(lambda: defaultdict(list))
    for point in points:
        axes_of_point = tuple(sorted(name for name in point if name not in open_axes))
        point_values = {name: value for name, value in point.items() if name in open_axes and value is not None}
        values_by_axes[axes_of_point][_values_of(point, axes_of_point)].append(point_values)

    def matching_values(row: Combination) -> list[Point]:
        return [
            values
            for names, by_values in values_by_axes.items()
            for values in by_values.get(_values_of(row, names), ())
        ]

    return matching_values


def _values_of(row: Mapping[str, Value | None], names: Iterable[str]) -> tuple[Any, ...]:
    return tuple(tuple(value) if isinstance(value := row.get(name), list) else value for name in names)


@dataclass(frozen=True)
class AskedRounds:
    """What questions ask of a sweep's rounds."""

    first_runs: int | None = None  # the runs of each combination in the first round; None for all
    runs: tuple[int, ...] = ()  # the run numbers that a combination may get; empty for those of the sweep file
    open_axes: dict[str, AxisRange] = field(default_factory=dict)  # the axes whose values each round chooses
    first_points: Callable[[], list[Point]] = list  # their values in the first round
    most_points: int = 1  # the largest number of points for a combination of the other axes

    def with_more(self, other: AskedRounds) -> AskedRounds:
        """What two questions ask together; only one of them has open axes."""
        asked = self if self.open_axes else other
        most_points = max(self.most_points, other.most_points)
        return replace(asked, first_runs=self.first_runs or other.first_runs, most_points=most_points)

# SPDX-License-Identifier: MIT
"""The record of a sweep's search for a network, which `search_key` reads from the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tcpsweep.core.sweep import axis_range
from tcpsweep.core.sweep.axis_range import AxisRange
from tcpsweep.core.sweep.contrast import Contrast
from tcpsweep.core.sweep.rounds import Point
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.words import metrics, units

KEY = "search"
GOALS = ("worst", "best")
LOOKING = 0.5  # the share of the cells for looking; the others check results
TRIES = 3  # the best-looking networks, which are always checked


Place: TypeAlias = tuple[str, ...]
"""What is equal for equal points, from `key`."""


@dataclass(frozen=True)
class Search:
    """A search: its goal, its ranges, and its number of cells."""

    goal: str  # "worst" or "best"
    contrast: Contrast  # the metric, or the difference of two variants
    over: dict[str, AxisRange]  # each open axis to its range
    cells: int  # the most cells that may run
    repetitions: int  # the fresh runs that check a network
    rows: int = 1  # the combinations of each network, from the other axes
    look: int = 1  # the runs of a look: a whole rotation of the mixes' variants
    # The value that the result must be beyond, in the metric's unit, or as a share if the contrast is one
    bound: float | None = None
    # The sweep file's data without the search, for the file that runs only the found network
    file: dict[str, Any] = field(default_factory=dict)

    @property
    def sign(self) -> int:
        """1 in a search for the largest value, −1 in a search for the smallest."""
        return sign_of(self.goal, self.contrast)

    @property
    def looks(self) -> int:
        """The largest number of networks that are looked at."""
        return int(self.cells * LOOKING) // self.look_cells

    @property
    def look_cells(self) -> int:
        """The cells for one look at a network."""
        return self.rows * self.look

    @property
    def check_cells(self) -> int:
        """The cells for checking a network."""
        return self.rows * self.repetitions

    def point(self, place: Sequence[float]) -> Point:
        """The nearest point to a position in the unit cube."""
        chosen = zip(self.over.items(), place, strict=True)
        return {name: axis_range.value_at(searched, share) for (name, searched), share in chosen}


def of(sweep: Sweep) -> Search | None:
    """A sweep's search; None without one."""
    return sweep.question(KEY, Search)


def key(point: Point) -> Place:
    """A key that is the same for equal points of a search."""
    return tuple(units.value_text(point[name]) for name in sorted(point))


def sign_of(goal: str, contrast: Contrast) -> int:
    """1 if a goal means the largest value, −1 if it means the smallest."""
    better = 1 if metrics.METRICS[contrast.metric].better == "higher" else -1
    return better if goal == "best" else -better

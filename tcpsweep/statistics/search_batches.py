# SPDX-License-Identifier: MIT
"""The networks that a search looks at, batch by batch. Each batch depends only on earlier values and a seed."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from tcpsweep.statistics import response_surface
from tcpsweep.sweep.rounds import Point
from tcpsweep.sweep.search import BATCH, Place, Search, key

if TYPE_CHECKING:  # NumPy is loaded where it is used
    import numpy as np
    import numpy.typing as npt


def first_batch(search: Search, seed: int) -> list[Point]:
    """The networks of the first round, spread over the ranges."""
    return _distinct(search, response_surface.spread(search.first, len(search.over), seed), ())


def next_batch(
    search: Search, seed: int, points: Sequence[Point], seen: Sequence[float | None], most: int | None = None
) -> list[Point]:
    """The networks to look at next; none if enough networks were looked at, or no others exist.

    ``points`` are the networks that were looked at, and ``seen`` their values, None where there is no value. ``most``
    limits the number of further networks. Default: all networks that the search looks at.
    """
    import numpy as np

    count = min(BATCH, search.looks - len(points), BATCH if most is None else most)
    if count <= 0:
        return []
    if not points:
        return first_batch(search, seed)

    def allowed(places: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.array(search.places([search.point(row) for row in places.tolist()]))

    values = np.array([math.nan if value is None else -search.sign * value for value in seen])
    found = response_surface.proposed(np.array(search.places(points)), values, count, seed, allowed)
    return _distinct(search, found, {key(point) for point in points})


def _distinct(search: Search, places: npt.NDArray[np.float64], known: Collection[Place]) -> list[Point]:
    found = {key(point): point for point in map(search.point, places.tolist())}
    return [point for place, point in found.items() if place not in known]

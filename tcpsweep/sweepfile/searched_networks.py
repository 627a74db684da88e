# SPDX-License-Identifier: MIT
"""Whether a network that a search would look at goes with the rest of its sweep file."""

from collections.abc import Mapping
from typing import Any

from tcpsweep.sweep.points import Point
from tcpsweep.sweepfile import grid


def is_sound(skeleton: Mapping[str, Any], point: Point) -> bool:
    """Whether nothing is wrong with any combination of a network.

    Parameters
    ----------
    skeleton : dict
        From `found_file.skeleton`.
    point : Point
        The value of each axis of the search.
    """
    data = {"sweep": "found", **skeleton, "fixed": {**skeleton.get("fixed", {}), **point}}
    _, problems = grid.expand(data)
    return not problems

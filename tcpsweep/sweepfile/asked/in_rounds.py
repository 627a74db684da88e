# SPDX-License-Identifier: MIT
"""Whether a sweep runs in rounds, why, and its first points.

After a round, the tables determine the next one: `precision` adds runs of some combinations, and `refine` and `search`
add points on open axes.
"""

from collections.abc import Iterable
from typing import Any

from tcpsweep.sweep import axes
from tcpsweep.sweep.matching import Value
from tcpsweep.sweep.rounds import MOST_VALUES, Point
from tcpsweep.sweepfile.asked import asked_precision, asked_refinement, asked_search
from tcpsweep.words import quantities

KEYS = (asked_precision.KEY, asked_refinement.KEY, asked_search.KEY)
_MORE = (asked_precision.AT_MOST,)  # keys that belong to the keys above
_RUNS = ("repetitions", "runs")  # they affect the choice of points on open axes


def is_asked(data: Any) -> bool:
    """Whether a sweep file's data request rounds; the data may have mistakes."""
    return isinstance(data, dict) and any(key in data for key in KEYS)


def asked(data: dict[str, Any]) -> dict[str, Any]:
    """Everything in a sweep file that concerns rounds. If it changes, the rounds start again."""
    more = _RUNS if asked_search.KEY in data or asked_refinement.KEY in data else ()
    return {key: data[key] for key in (*KEYS, *_MORE, *more) if key in data}


def open_axes(data: dict[str, Any]) -> list[str]:
    """The axes whose values each round chooses; none if they have problems."""
    if search := asked_search.search(data):
        return list(search.over)
    refinement = asked_refinement.refinement(data)
    return [refinement.range.axis] if refinement else []


def first_points(data: dict[str, Any]) -> list[Point]:
    """The first round's points; none if the open axes have problems."""
    if search := asked_search.search(data):
        return asked_search.first_points(data, search)
    refinement = asked_refinement.refinement(data)
    return asked_refinement.first_points(refinement) if refinement else []


def most_points(data: dict[str, Any]) -> int:
    """The largest number of points for a combination of the other axes; 1 without open axes."""
    if asked_search.KEY in data:
        return asked_search.most_points(data)
    return MOST_VALUES if asked_refinement.KEY in data else 1


def in_order(name: str, points: Iterable[Point]) -> list[Value]:
    """The distinct values of an open axis among points, in ascending order."""
    values = {quantities.value_text(point[name]): point[name] for point in points if name in point}
    _, places = axes.placed(list(values))
    return [values[text] for text in sorted(values, key=lambda text: places[text])]

# SPDX-License-Identifier: MIT
"""Whether a sweep goes in rounds, for what, and with which points it begins.

After a round, its tables say what the next one needs: more runs of some combinations for `precision`, and more points
on open axes for what names such axes instead of their values.
"""

from collections.abc import Iterable
from typing import Any

from tcpsweep.sweep import axes
from tcpsweep.sweep.matching import Value
from tcpsweep.sweep.rounds import MOST_VALUES, Point
from tcpsweep.sweepfile.asked import asked_precision, asked_refinement, asked_search
from tcpsweep.words import quantities

KEYS = (asked_precision.KEY, asked_refinement.KEY, asked_search.KEY)
_MORE = (asked_precision.AT_MOST,)  # what belongs to these keys
_RUNS = ("repetitions", "runs")  # by which points on open axes are chosen


def is_asked(data: Any) -> bool:
    """Whether a sweep file's data, with whatever mistakes, ask for rounds."""
    return isinstance(data, dict) and any(key in data for key in KEYS)


def asked(data: dict[str, Any]) -> dict[str, Any]:
    """All that a sweep file says of its rounds: where it changes, they begin anew."""
    more = _RUNS if asked_search.KEY in data or asked_refinement.KEY in data else ()
    return {key: data[key] for key in (*KEYS, *_MORE, *more) if key in data}


def open_axes(data: dict[str, Any]) -> list[str]:
    """The axes whose values are chosen from round to round; none if something is wrong with them."""
    if search := asked_search.search(data):
        return list(search.over)
    refinement = asked_refinement.refinement(data)
    return [refinement.range.axis] if refinement else []


def first_points(data: dict[str, Any]) -> list[Point]:
    """The points of the first round; none if something is wrong with the open axes."""
    if search := asked_search.search(data):
        return asked_search.first_points(data, search)
    refinement = asked_refinement.refinement(data)
    return asked_refinement.first_points(refinement) if refinement else []


def most_points(data: dict[str, Any]) -> int:
    """The most points that a combination of the other axes may get, 1 where no axis is open."""
    if asked_search.KEY in data:
        return asked_search.most_points(data)
    return MOST_VALUES if asked_refinement.KEY in data else 1


def in_order(name: str, points: Iterable[Point]) -> list[Value]:
    """The values of an open axis that points have, each once, the least first."""
    values = {quantities.value_text(point[name]): point[name] for point in points if name in point}
    _, places = axes.placed(list(values))
    return [values[text] for text in sorted(values, key=lambda text: places[text])]

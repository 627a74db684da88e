# SPDX-License-Identifier: MIT
"""Whether a sweep runs in rounds, why, and its first points.

After a round, the tables determine the next one: `precision` adds runs of some combinations, and `refine` and `search`
add points on open axes.
"""

from collections.abc import Iterable
from typing import Any

from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.matching import Value
from tcpsweep.core.sweep.rounds import MOST_VALUES, Point
from tcpsweep.core.words import units
from tcpsweep.features.precision import precision_key
from tcpsweep.features.refine import refine_key
from tcpsweep.features.search import search_key

KEYS = (precision_key.KEY, refine_key.KEY, search_key.KEY)
_LIMIT_KEYS = (precision_key.AT_MOST,)  # keys that belong to the keys above
_RUN_KEYS = ("repetitions", "runs")  # they affect the choice of points on open axes


def is_asked(data: Any) -> bool:
    """Whether a sweep file's data request rounds; the data may have mistakes."""
    return isinstance(data, dict) and any(key in data for key in KEYS)


def asked(data: dict[str, Any]) -> dict[str, Any]:
    """Everything in a sweep file that concerns rounds. If it changes, the rounds start again."""
    run_keys = _RUN_KEYS if search_key.KEY in data or refine_key.KEY in data else ()
    return {key: data[key] for key in (*KEYS, *_LIMIT_KEYS, *run_keys) if key in data}


def open_axes(data: dict[str, Any]) -> list[str]:
    """The axes whose values each round chooses; none if they have problems."""
    if search := search_key.search(data):
        return list(search.over)
    refinement = refine_key.refinement(data)
    return [refinement.range.axis] if refinement else []


def first_points(data: dict[str, Any]) -> list[Point]:
    """The first round's points; none if the open axes have problems."""
    if search := search_key.search(data):
        return search_key.first_points(data, search)
    refinement = refine_key.refinement(data)
    return refine_key.first_points(refinement) if refinement else []


def most_points(data: dict[str, Any]) -> int:
    """The largest number of points for a combination of the other axes; 1 without open axes."""
    if search_key.KEY in data:
        return search_key.most_points(data)
    return MOST_VALUES if refine_key.KEY in data else 1


def in_order(name: str, points: Iterable[Point]) -> list[Value]:
    """The distinct values of an open axis among points, in ascending order."""
    value_by_text = {units.value_text(point[name]): point[name] for point in points if name in point}
    _, position_by_text = axes.placed(list(value_by_text))
    return [value_by_text[text] for text in sorted(value_by_text, key=lambda text: position_by_text[text])]

# SPDX-License-Identifier: MIT
"""Points: values of a sweep's open axes, which are not listed in its file but chosen from round to round.

A point names open axes, and others where it is meant for some of their values only, None for combinations without one.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeAlias

from tcpsweep.sweep.matching import Combination, Value

Point: TypeAlias = dict[str, Any]
"""Values of open axes in their normal form, and those of other axes for which they are meant, by name."""


def agreeing(points: Iterable[Point], open_axes: Collection[str]) -> Callable[[Combination], list[Combination]]:
    """What points give a combination of the other axes.

    Parameters
    ----------
    points : iterable of Point
    open_axes : collection of str

    Returns
    -------
    function
        Takes a combination and returns the values of the open axes that go with it, in the points' order: those of the
        points that have its values of all other axes that they name.
    """
    known: dict[tuple[str, ...], dict[Any, list[Combination]]] = defaultdict(lambda: defaultdict(list))
    for point in points:
        meant_for = tuple(sorted(name for name in point if name not in open_axes))
        own = {name: value for name, value in point.items() if name in open_axes and value is not None}
        known[meant_for][_values(point, meant_for)].append(own)

    def of(row: Combination) -> list[Combination]:
        return [own for names, by_values in known.items() for own in by_values.get(_values(row, names), ())]

    return of


def _values(row: Mapping[str, Value | None], names: Iterable[str]) -> tuple[Any, ...]:
    return tuple(tuple(value) if isinstance(value := row.get(name), list) else value for name in names)

# SPDX-License-Identifier: MIT
"""What a search does next, by what is known: look at more networks, check the best one, make it simpler, or end.

All of it is a function of the results and the seed, so that a search that was killed goes on with the same networks.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from tcpsweep.statistics import search_batches
from tcpsweep.sweep import axis_range
from tcpsweep.sweep.matching import Value
from tcpsweep.sweep.rounds import Point
from tcpsweep.sweep.search import TRIES, Place, Search, key
from tcpsweep.sweep.sweep_parts import ShareOrValue

NOTHING = ShareOrValue()
ROUND_DIGITS = 1  # of a value that is called round


Ends: TypeAlias = tuple[float, float | None, float | None]
"""A mean, and the ends of its interval."""


@dataclass(frozen=True)
class Checked:
    """What fresh runs of a network say.

    Attributes
    ----------
    mean, low, high : float or None
        The mean with its interval; no mean if a run has no value, as that of the others would be no fair one.
    runs : int
        Different ones.
    own, against : (float, float or None, float or None), or None
        Of a difference, the mean of each variant with its own interval.
    """

    mean: float | None
    low: float | None = None
    high: float | None = None
    runs: int = 0
    own: Ends | None = None
    against: Ends | None = None


@dataclass(frozen=True)
class Step:
    """What is known of a search after a round, and what it needs next.

    Attributes
    ----------
    wanted : list of Point
        The networks that the next round is to have beside those that there are, or more runs of; none at the end.
    is_check : bool
        Whether they are to be checked with fresh runs, and not only looked at.
    reference : float or None
        The median of the first networks.
    bound : float or None
        The value beyond which a network shows what was found.
    tried : list of Point
        The networks that were checked as the best ones, in order.
    found : Point or None
        The one of them that holds.
    trials : list of (str, Point, bool)
        What was tried to make it simpler: the axis, the network, and whether it still shows it.
    results : dict
        What fresh runs say of the networks that were tried, and of the simpler ones.
    is_cut : bool
        Whether cells were lacking to check or to simplify further.
    """

    wanted: list[Point] = field(default_factory=list)
    is_check: bool = False
    reference: float | None = None
    bound: float | None = None
    tried: list[Point] = field(default_factory=list)
    found: Point | None = None
    trials: list[tuple[str, Point, bool]] = field(default_factory=list)
    simplest: Point | None = None
    results: dict[Place, Checked] = field(default_factory=dict)
    is_cut: bool = False


def following(
    search: Search,
    seed: int,
    looked: Mapping[Place, float | None],
    told: Callable[[Place, Place], Checked | None],
    networks: Sequence[Point],
    checks: int,
    least: ShareOrValue = NOTHING,
) -> Step:
    """What follows from what is known.

    Parameters
    ----------
    seed : int
        The sweep's.
    looked : dict
        Each network that was looked at, by `key` and in order, to what was seen; None where there is no value.
    told : function
        What fresh runs of a network say of what was seen in another: takes both, None if there are no such runs.
    networks : list of Point
        All of these networks.
    checks : int
        How many of them have fresh runs.
    least : ShareOrValue
        What a find must differ by from the median of the first networks, or from no difference.
    """
    by_key = {key(point): point for point in networks}
    values = {place: search.sign * value for place, value in looked.items() if value is not None}
    if more := search_batches.next_batch(search, seed, [by_key[place] for place in looked], [*looked.values()]):
        return Step(more)
    if not values:
        return Step()
    begun = [values[place] for place in list(looked)[: search.first] if place in values]
    reference = statistics.median(begun or values.values())
    best = ranked(search, looked)
    bound = (
        search.sign * search.bound if search.bound is not None else _bound(search, reference, values[best[0]], least)
    )
    known = Step(reference=search.sign * reference, bound=search.sign * bound)
    results: dict[Place, Checked] = {}

    def holds(place: Place, like: Place) -> bool | None:
        found = told(place, like)
        if found is None:
            return None
        results[place] = found
        if found.mean is None:
            return False
        end = min(search.sign * end for end in (found.mean, found.low, found.high) if end is not None)
        return end > bound or (end == bound and search.bound is not None)

    left = search.cells - len(looked) * search.rows - checks * search.check_cells
    has_cells = left >= search.check_cells
    tried: list[Point] = []
    for place in best[:TRIES]:
        point, shows = by_key[place], holds(place, place)
        if shows is None:
            so_far = replace(known, tried=tried, results=results)
            return replace(so_far, wanted=[point] if has_cells else [], is_check=True, is_cut=not has_cells)
        tried.append(point)
        if shows:
            break
    else:
        return replace(known, tried=tried, results=results)
    found, current = point, point
    trials: list[tuple[str, Point, bool]] = []
    for name in search.over:
        for value in _simpler(search, name, found[name]):
            trial = current | {name: value}
            if key(trial) == key(current):
                break
            shows = holds(key(trial), key(found))
            if shows is None:
                so_far = replace(known, tried=tried, found=found, trials=trials, simplest=current, results=results)
                return replace(so_far, wanted=[trial] if has_cells else [], is_check=True, is_cut=not has_cells)
            trials.append((name, trial, shows))
            if shows:
                current = trial
                break
    return replace(known, tried=tried, found=found, trials=trials, simplest=current, results=results)


def _bound(search: Search, reference: float, best: float, least: ShareOrValue) -> float:
    """Halfway from the median to the best, but no nearer than the smallest effect to what says nothing."""
    halfway = (reference + best) / 2
    if search.contrast.against is None:
        return max(halfway, reference + max(least.share * abs(reference), least.absolute))
    return max(halfway, least.share if search.contrast.is_share else least.absolute)


def ranked(search: Search, looked: Mapping[Place, float | None]) -> list[Place]:
    """The networks that were looked at and have a value, the best for the search first."""
    values = {place: search.sign * value for place, value in looked.items() if value is not None}
    return sorted(values, key=lambda place: -values[place])  # of equals the first


def _simpler(search: Search, name: str, value: Value) -> Iterator[Value]:
    """Simpler values of an axis than ``value``, the simplest first: the parameter's default, and a round one."""
    if name in search.usual:
        yield search.usual[name]
    each = search.over[name]
    yield axis_range.rounded_value(each, each.number(value), ROUND_DIGITS)

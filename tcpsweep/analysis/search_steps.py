# SPDX-License-Identifier: MIT
"""What a search does next, by what is known: look at more networks, check the best one, make it simpler, or end.

All of it is a function of the results and the seed, so that a search that was killed goes on with the same networks.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tcpsweep.statistics import search_batches
from tcpsweep.sweep import search_scale
from tcpsweep.sweep.matching import Value
from tcpsweep.sweep.points import Point
from tcpsweep.sweep.search import TRIES, Place, Search, key

ROUND_DIGITS = 1  # of a value that is called round


@dataclass(frozen=True)
class Checked:
    """What fresh runs of a network say: the mean with its interval, None where there is none, and how many they are."""

    mean: float | None
    low: float | None = None
    high: float | None = None
    runs: int = 0


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
    simplest : Point or None
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
    is_cut: bool = False


def following(
    search: Search,
    seed: int,
    looked: Mapping[Place, float | None],
    checked: Mapping[Place, Checked],
    networks: Sequence[Point],
) -> Step:
    """What follows from what is known.

    Parameters
    ----------
    search : Search
    seed : int
        The sweep's.
    looked : dict
        Each network that was looked at, by `key` and in order, to what was seen; None where there is no value.
    checked : dict
        Each network that was checked to what fresh runs say.
    networks : list of Point
        All of these networks.
    """
    by_key = {key(point): point for point in networks}
    values = {place: search.sign * value for place, value in looked.items() if value is not None}
    if more := search_batches.following(search, seed, [by_key[place] for place in looked], [*looked.values()]):
        return Step(more)
    if not values:
        return Step()
    begun = [values[place] for place in list(looked)[: search.first] if place in values]
    reference = statistics.median(begun or values.values())
    best = ranked(search, looked)
    bound = (reference + values[best[0]]) / 2 if search.bound is None else search.sign * search.bound
    known = Step(reference=search.sign * reference, bound=search.sign * bound)

    def holds(place: Place) -> bool:
        found = checked[place]
        if found.mean is None:
            return False
        least = min(search.sign * end for end in (found.mean, found.low, found.high) if end is not None)
        return least > bound or (least == bound and search.bound is not None)

    left = search.cells - len(looked) * search.rows - len(checked) * search.check_cells
    has_cells = left >= search.check_cells
    tried: list[Point] = []
    for place in best[:TRIES]:
        point = by_key[place]
        if place not in checked:
            wanted = [point] if has_cells else []
            return _with(known, wanted=wanted, is_check=True, tried=tried, is_cut=not has_cells)
        tried.append(point)
        if holds(place):
            break
    else:
        return _with(known, tried=tried)
    found, current = point, point
    trials: list[tuple[str, Point, bool]] = []
    for name in search.over:
        for value in _simpler(search, name, found[name]):
            trial = current | {name: value}
            if key(trial) == key(current):
                break
            if key(trial) not in checked:
                so_far = _with(known, tried=tried, found=found, trials=trials, simplest=current)
                return _with(so_far, wanted=[trial] if has_cells else [], is_check=True, is_cut=not has_cells)
            shows = holds(key(trial))
            trials.append((name, trial, shows))
            if shows:
                current = trial
                break
    return _with(known, tried=tried, found=found, trials=trials, simplest=current)


def ranked(search: Search, looked: Mapping[Place, float | None]) -> list[Place]:
    """The networks that were looked at and have a value, the best for the search first."""
    values = {place: search.sign * value for place, value in looked.items() if value is not None}
    return sorted(values, key=lambda place: -values[place])  # of equals the first


def _with(step: Step, **changes: object) -> Step:
    return Step(**{**step.__dict__, **changes})


def _simpler(search: Search, name: str, value: Value) -> Iterator[Value]:
    """Simpler values of an axis than ``value``, the simplest first: the parameter's default, and a round one."""
    if name in search.usual:
        yield search.usual[name]
    each = search.over[name]
    yield search_scale.rounded(each, each.number(value), ROUND_DIGITS)

# SPDX-License-Identifier: MIT
"""What a search does next, by what is known: look at more networks, check the best one, make it simpler, or end.

All of it is a function of the results and the seed, so that a search that was killed goes on with the same networks.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    looks : int
        How many looks new networks are to have.
    bound : float or None
        The value that a simpler network has to be beyond: the given one, or halfway from the median of the first
        networks to the mean of the fresh runs of what was found.
    tried : list of Point
        The networks that were checked, in the order of their looks.
    found : Point or None
        The one of them that is confirmed and whose interval is farthest from nothing.
    trials : list of (str, Point, bool)
        What was tried to make it simpler: the axis, the network, and whether it still shows it.
    simplest : Point or None
        The simplest network that shows it.
    results : dict
        What fresh runs say of the networks that were tried, and of the simpler ones.
    shown : set
        The places of the networks tried whose interval is beyond the given bound, or is confirmed where none is given.
    is_cut : bool
        Whether cells were lacking to check or to simplify further.
    """

    wanted: list[Point] = field(default_factory=list)
    is_check: bool = False
    looks: int = 1
    bound: float | None = None
    tried: list[Point] = field(default_factory=list)
    found: Point | None = None
    trials: list[tuple[str, Point, bool]] = field(default_factory=list)
    simplest: Point | None = None
    results: dict[Place, Checked] = field(default_factory=dict)
    shown: set[Place] = field(default_factory=set)
    is_cut: bool = False

    def is_shown(self, point: Point) -> bool:
        """Whether a network that was tried shows what is looked for."""
        return key(point) in self.shown


@dataclass(frozen=True)
class Begun:
    """How the looks go on.

    Attributes
    ----------
    pilots : list of Point
        The first networks that have had one look, and are to have two.
    looks : int
        How many looks the others are to have, from `looks_needed`.
    spent : int
        How many cells have looked.
    """

    pilots: list[Point]
    looks: int = 1
    spent: int = 0


def looks_needed(
    search: Search, pilots: Iterable[tuple[float | None, float | None]], first: Sequence[float | None]
) -> int:
    """How many looks at a network make one value, so that noise hides no more than networks differ.

    ``pilots`` have what two looks at each of some networks showed, and ``first`` what was seen of the first networks.
    """
    halves = [(one - other) ** 2 / 2 for one, other in pilots if one is not None and other is not None]
    values = [value for value in first if value is not None]
    if not halves or len(values) < 2 or search.most_looks == 1:
        return 1
    noise = statistics.fmean(halves)
    between = max(statistics.variance(values) - noise, 0.0)
    if noise <= between:
        return 1
    return search.most_looks if between == 0 else min(search.most_looks, math.ceil(noise / between))


def following(
    search: Search,
    seed: int,
    looked: Mapping[Place, float | None],
    told: Callable[[Place, Place], Checked | None],
    networks: Sequence[Point],
    spent: int,
    begun: Begun,
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
    spent : int
        How many cells have run.
    begun : Begun
        How the looks go on.
    least : ShareOrValue
        What a find must differ by from the median of the first networks, or from no difference.
    """
    by_key = {key(point): point for point in networks}
    values = {place: search.sign * value for place, value in looked.items() if value is not None}
    if begun.pilots:
        return Step(begun.pilots)
    most = (search.looking_cells - begun.spent) // (search.look_cells * begun.looks)
    seen = [by_key[place] for place in looked]
    if more := search_batches.next_batch(search, seed, seen, [*looked.values()], most):
        return Step(more, looks=begun.looks)
    if not values:
        return Step()
    first = [values[place] for place in list(looked)[: search.first] if place in values]
    judge = _Judge(search, told, values, statistics.median(first or values.values()), least)
    left = (search.cells - spent) // search.check_cells
    tried, more_tries = _tries(search, judge, ranked(search, looked), begun.spent)
    found = judge.best(tried)
    known = Step(
        bound=search.sign * judge.bound(found),
        tried=[by_key[place] for place in tried],
        found=None if found is None else by_key[found],
        simplest=None if found is None else by_key[found],
        results=judge.results,
        shown=set(filter(judge.shows, tried)),
    )
    if more_tries and left:
        return replace(known, wanted=[by_key[place] for place in more_tries[:left]], is_check=True)
    if found is None or not judge.shows(found):
        return replace(known, is_cut=bool(more_tries))
    return _simplified(search, judge, known, found, left)


def _tries(search: Search, judge: _Judge, candidates: Sequence[Place], spent: int) -> tuple[list[Place], list[Place]]:
    """Which networks were checked, best look first, and which are to be checked before anything else.

    `TRIES` of them in any case, and more for which there are cells beside one simpler network for each axis. While none
    shows what is looked for, a few more at a time. Those that look like nothing are left out.
    """
    count = max(TRIES, (search.cells - spent) // search.check_cells - len(search.over))
    promising = [place for place in candidates if judge.promises(place)]
    candidates = [*promising, *(place for place in candidates if place not in promising)][: max(TRIES, len(promising))]
    tried: list[Place] = []
    for begin, end in [(0, count), *((at, at + TRIES) for at in range(count, len(candidates), TRIES))]:
        some = candidates[begin:end]
        known = [place for place in some if judge.asked(place, place) is not None]
        tried += known
        if len(known) < len(some):
            return tried, [place for place in some if place not in known]
        if any(map(judge.shows, tried)):
            break
    return tried, []


def _simplified(search: Search, judge: _Judge, known: Step, found: Place, left: int) -> Step:
    """What follows once a network is found: it is made simpler, axis by axis."""
    assert known.found
    current = known.found
    trials: list[tuple[str, Point, bool]] = []
    for name in search.over:
        for value in _simpler(search, name, known.found[name]):
            trial = current | {name: value}
            if key(trial) == key(current):
                break
            if judge.asked(key(trial), found) is None:
                so_far = replace(known, trials=trials, simplest=current)
                return replace(so_far, wanted=[trial] if left else [], is_check=True, is_cut=not left)
            still = judge.still_shows(key(trial), found)
            trials.append((name, trial, still))
            if still:
                current = trial
                break
    return replace(known, trials=trials, simplest=current)


class _Judge:
    """What fresh runs show of networks; all values are larger where they are better for the search."""

    def __init__(
        self,
        search: Search,
        told: Callable[[Place, Place], Checked | None],
        looked: Mapping[Place, float],
        reference: float,
        least: ShareOrValue,
    ) -> None:
        self.search, self.told, self.looked, self.reference = search, told, looked, reference
        self.results: dict[Place, Checked] = {}
        if search.contrast.against is None:
            nothing = reference + max(least.share * abs(reference), least.absolute)
        else:
            nothing = least.share if search.contrast.is_share else least.absolute
        self.given = None if search.bound is None else search.sign * search.bound
        self.nothing = nothing if self.given is None else min(nothing, self.given)

    def asked(self, place: Place, like: Place) -> Checked | None:
        """What fresh runs of a network say of what was seen in another; None if there are no such runs."""
        found = self.told(place, like)
        if found is not None:
            self.results[place] = found
        return found

    def promises(self, place: Place) -> bool:
        """Whether a network looked like more than nothing."""
        return self.looked[place] > self.nothing

    def end(self, place: Place) -> float:
        """The end of a network's interval that is nearest to nothing."""
        found = self.results[place]
        if found.mean is None:
            return -math.inf
        return min(self.search.sign * end for end in (found.mean, found.low, found.high) if end is not None)

    def is_confirmed(self, place: Place) -> bool:
        """Whether all of a network's interval is beyond nothing."""
        return self.end(place) > self.nothing or self.end(place) == self.given

    def shows(self, place: Place) -> bool:
        """Whether a network shows what is looked for: all of its interval is beyond the given bound, or nothing."""
        return self.is_confirmed(place) and (self.given is None or self.end(place) >= self.given)

    def best(self, places: Iterable[Place]) -> Place | None:
        """The confirmed network whose interval is farthest from nothing; None where none is confirmed."""
        return max(filter(self.is_confirmed, places), key=self.end, default=None)

    def bound(self, found: Place | None) -> float:
        """What a simpler network has to be beyond: the given bound, or halfway to what fresh runs of the find say."""
        if self.given is not None:
            return self.given
        mean = None if found is None else self.results[found].mean
        return self.nothing if mean is None else max(self.nothing, (self.reference + self.search.sign * mean) / 2)

    def still_shows(self, place: Place, found: Place) -> bool:
        """Whether a simpler network shows what was found."""
        mean = self.results[place].mean
        far = mean is not None and (self.given is not None or self.search.sign * mean > self.bound(found))
        return self.shows(place) and far


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

# SPDX-License-Identifier: MIT
"""The next step of a search: look at more networks, check the best ones, simplify the find, or end.

The step depends only on the results and the seed, so that an interrupted search continues with the same networks.
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
    """The result of a network's fresh runs.

    Attributes
    ----------
    mean, low, high : float or None
        The mean with its interval. There is no mean if a run has no value, because the others would be biased.
    runs : int
        The number of distinct runs.
    own, against : (float, float or None, float or None), or None
        For a difference, the mean of each variant with its own interval.
    """

    mean: float | None
    low: float | None = None
    high: float | None = None
    runs: int = 0
    own: Ends | None = None
    against: Ends | None = None


@dataclass(frozen=True)
class Step:
    """The state of a search after a round, and the networks that it needs next.

    Attributes
    ----------
    wanted : list of Point
        The networks that the next round adds, or runs more often; none at the end.
    is_check : bool
        Whether the next round checks these networks with fresh runs, instead of only looking at them.
    looks : int
        The number of looks for each new network.
    bound : float or None
        The value that a simpler network must exceed: the given one, or halfway from the median of the first networks
        to the mean of the find's fresh runs.
    tried : list of Point
        The networks that were checked, in the order of their looks.
    found : Point or None
        The confirmed network whose interval is farthest from no effect.
    trials : list of (str, Point, bool)
        The attempts to simplify the find: the axis, the network, and whether this network still shows the effect.
    simplest : Point or None
        The simplest network that shows the effect.
    results : dict
        The results of fresh runs, for the networks that were tried and for the simpler ones.
    shown : set
        The places of the tried networks whose interval is beyond the given bound. Without a bound, the places of the
        confirmed networks.
    is_cut : bool
        Whether the search had too few cells left to check or simplify further.
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
        """Whether a tried network shows the effect that the search looks for."""
        return key(point) in self.shown


@dataclass(frozen=True)
class Begun:
    """The progress of the looks.

    Attributes
    ----------
    pilots : list of Point
        The first networks that have had one look and need a second one.
    looks : int
        The number of looks for each other network, from `looks_needed`.
    spent : int
        The number of cells that the looks have used.
    """

    pilots: list[Point]
    looks: int = 1
    spent: int = 0


def looks_needed(
    search: Search, pilots: Iterable[tuple[float | None, float | None]], first: Sequence[float | None]
) -> int:
    """The number of looks to average per network, so that noise is no larger than the differences between networks.

    ``pilots`` has the values of two looks at each of some networks, and ``first`` the values of the first networks.
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
    """The next step, from the results so far.

    Parameters
    ----------
    seed : int
        The sweep's seed.
    looked : dict
        The value seen in each network that was looked at, by `key` and in order; None where there is no value.
    told : function
        Takes two networks. It returns the result of the first one's fresh runs for the effect that was seen in the
        second one, or None if there are no such runs.
    networks : list of Point
        All networks that were looked at.
    spent : int
        The number of cells that have run.
    begun : Begun
        The progress of the looks.
    least : ShareOrValue
        The least difference of a find from the median of the first networks, or from no difference.
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
    """The networks that were checked, best look first, and the networks to check before anything else.

    At least `TRIES` networks are checked. More are checked if the cells also suffice for one simpler network per axis.
    While no network shows the effect, `TRIES` more follow at a time. Networks whose look showed no effect are omitted.
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
    """The next step after a find: simplify it, axis by axis."""
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
    """Judges networks by their fresh runs. A larger value is always better for the search."""

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
            nothing = reference + least.at(reference)
        else:
            nothing = least.share if search.contrast.is_share else least.absolute
        self.given = None if search.bound is None else search.sign * search.bound
        self.nothing = nothing if self.given is None else min(nothing, self.given)

    def asked(self, place: Place, like: Place) -> Checked | None:
        """The result of a network's fresh runs for the effect seen in another; None if there are no such runs."""
        found = self.told(place, like)
        if found is not None:
            self.results[place] = found
        return found

    def promises(self, place: Place) -> bool:
        """Whether a network's look showed an effect."""
        return self.looked[place] > self.nothing

    def end(self, place: Place) -> float:
        """The end of a network's interval that is nearest to no effect."""
        found = self.results[place]
        if found.mean is None:
            return -math.inf
        return min(self.search.sign * end for end in (found.mean, found.low, found.high) if end is not None)

    def is_confirmed(self, place: Place) -> bool:
        """Whether a network's whole interval shows an effect."""
        return self.end(place) > self.nothing or self.end(place) == self.given

    def shows(self, place: Place) -> bool:
        """Whether a network's whole interval is beyond the given bound or, without a bound, shows an effect."""
        return self.is_confirmed(place) and (self.given is None or self.end(place) >= self.given)

    def best(self, places: Iterable[Place]) -> Place | None:
        """The confirmed network whose interval is farthest from no effect; None if no network is confirmed."""
        return max(filter(self.is_confirmed, places), key=self.end, default=None)

    def bound(self, found: Place | None) -> float:
        """The value that a simpler network must exceed: the given bound, or halfway to the mean of the find."""
        if self.given is not None:
            return self.given
        mean = None if found is None else self.results[found].mean
        return self.nothing if mean is None else max(self.nothing, (self.reference + self.search.sign * mean) / 2)

    def still_shows(self, place: Place, found: Place) -> bool:
        """Whether a simpler network still shows the effect of the find."""
        mean = self.results[place].mean
        far = mean is not None and (self.given is not None or self.search.sign * mean > self.bound(found))
        return self.shows(place) and far


def ranked(search: Search, looked: Mapping[Place, float | None]) -> list[Place]:
    """The networks that were looked at and have a value, the best for the search first."""
    values = {place: search.sign * value for place, value in looked.items() if value is not None}
    return sorted(values, key=lambda place: -values[place])  # of equals the first


def _simpler(search: Search, name: str, value: Value) -> Iterator[Value]:
    """Simpler values of an axis than ``value``, the simplest first: the parameter's default, and a rounded value."""
    if name in search.usual:
        yield search.usual[name]
    each = search.over[name]
    yield axis_range.rounded_value(each, each.number(value), ROUND_DIGITS)

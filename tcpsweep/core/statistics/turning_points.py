# SPDX-License-Identifier: MIT
"""The crossovers of a difference along an axis, from the values that were looked at, and the next values to look at.

A value is *low*, *high* or undecided: the difference's interval is below 0, above 0, or contains 0. A crossover is
between two neighbours of opposite signs, or between opposite signs with undecided values in between. With undecided
values it has two edges. One edge is from the last value of the first sign to the first undecided one. The other edge is
from the last undecided value to the first value of the other sign. Both edges are halved until they are as narrow as
requested. The undecided values between the edges stay as they are, because more values there would not decide the sign.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tcpsweep.core.sweep.axis_range import AxisRange

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Looked:
    """A value that was looked at.

    Attributes
    ----------
    at : float
        The value on the axis.
    difference : float or None
        The mean difference at this value; None if no run has one.
    sign : int
        The sign of its interval, 0 where it is undecided.
    half_width : float
        Half the width of its interval.
    """

    at: float
    difference: float | None
    sign: int
    half_width: float = 0.0


@dataclass(frozen=True)
class Turn:
    """A change of sign.

    Attributes
    ----------
    low, high : float
        The last value with the sign before the crossover, and the first value with the sign after it.
    estimate : float
        The estimated value at which the mean difference is 0.
    before, after : int
        The signs.
    is_narrow : bool
        Whether the edges are as narrow as requested.
    """

    low: float
    high: float
    estimate: float
    before: int
    after: int
    is_narrow: bool


def turns(looked: Sequence[Looked], range_: AxisRange, to: float) -> list[Turn]:
    """The changes of sign among values, judged only by intervals.

    Parameters
    ----------
    looked : sequence of Looked
        The values in ascending order.
    to : float
        The requested width of the edges, as in `refine_record.Refinement`.
    """
    changes = []
    for crossover in _crossovers(looked):
        narrow = all(is_narrow(low.at, high.at, range_, to) for low, high in _edges(crossover))
        first, last = crossover[0], crossover[-1]
        changes.append(Turn(first.at, last.at, _crossing(crossover, range_), first.sign, last.sign, narrow))
    return changes


def following(looked: Sequence[Looked], range_: AxisRange, to: float) -> list[float]:
    """The values to look at next, in ascending order; none if all crossovers are as narrow as requested."""
    edges = [edge for crossover in _crossovers(looked) for edge in _edges(crossover)]
    wide = [(low.at, high.at) for low, high in edges if not is_narrow(low.at, high.at, range_, to)]
    return sorted({middle for edge in wide if (middle := range_.middle(*edge)) is not None})


def is_narrow(low: float, high: float, range_: AxisRange, to: float) -> bool:
    """Whether two values are as close as requested, or have no value between them."""
    if range_.middle(low, high) is None:
        return True
    return range_.is_near(low, high / (1 + _ROUNDING), to)


def _crossovers(looked: Sequence[Looked]) -> Iterator[Sequence[Looked]]:
    """The values of each crossover: one value of a sign, undecided values, and one value of the opposite sign."""
    decided = [number for number, value in enumerate(looked) if value.sign]
    for first, last in pairwise(decided):
        if looked[first].sign != looked[last].sign:
            yield looked[first : last + 1]


def _edges(part: Sequence[Looked]) -> list[tuple[Looked, Looked]]:
    return [(part[0], part[1])] if len(part) == 2 else [(part[0], part[1]), (part[-2], part[-1])]


def _crossing(part: Sequence[Looked], range_: AxisRange) -> float:
    """The point where the mean difference is 0, by linear interpolation over the axis or its logarithm.

    If there are several such points, it is the one that the values' signs contradict least. Each contradicting value
    counts by its distance from 0 in half-widths.
    """
    before = part[0].sign
    signed = [(value.at, value.difference * before, value.half_width) for value in part if value.difference is not None]

    def contradiction(place: int) -> float:
        wrong = [(mean, half) for _, mean, half in signed[: place + 1] if mean < 0]
        wrong += [(mean, half) for _, mean, half in signed[place + 1 :] if mean > 0]
        return sum(abs(mean) / half for mean, half in wrong if half)

    zero_places = [n for n, (low, high) in enumerate(pairwise(signed)) if low[1] > 0 >= high[1]]
    place = min(zero_places, key=contradiction)
    (low, above, _), (high, below, _) = signed[place], signed[place + 1]
    share = above / (above - below)
    if low > 0 and (range_.is_geometric or range_.has_zero):
        return float(low * (high / low) ** share)
    return low + share * (high - low)

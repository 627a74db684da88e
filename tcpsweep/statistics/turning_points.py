# SPDX-License-Identifier: MIT
"""Where a difference changes its sign along an axis, from the values that were looked at, and which to look at next.

A value is *low*, *high* or undecided: the difference's interval lies below 0, above it, or has 0 in it. A turn lies
between two neighbours of opposite signs, or of opposite signs with undecided values between them: then it has two
edges, from the last value of the one sign to the first undecided one, and from the last undecided one to the first
value of the other sign. Both are halved until they are as narrow as asked. The undecided values between the edges stay
as they are: there the runs do not tell, and more values would not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tcpsweep.sweep.axis_range import AxisRange

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Looked:
    """A value that was looked at.

    Attributes
    ----------
    at : float
        Its number.
    difference : float or None
        The mean difference there; None where no run tells.
    sign : int
        That of its interval, 0 where it is undecided.
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
        The last value of the sign before it, and the first of the sign behind it.
    estimate : float
        Where the mean difference is 0 in between, as far as the values tell.
    before, after : int
        The signs.
    is_narrow : bool
        Whether its edges are as narrow as asked.
    """

    low: float
    high: float
    estimate: float
    before: int
    after: int
    is_narrow: bool


def turns(looked: Sequence[Looked], range_: AxisRange, to: float) -> list[Turn]:
    """The changes of sign among values, by intervals alone.

    Parameters
    ----------
    looked : sequence of Looked
        The least first.
    to : float
        How narrow edges are asked to be, as `refinement.Refinement` has it.
    """
    found = []
    for part in _parts(looked):
        narrow = all(is_narrow(low.at, high.at, range_, to) for low, high in _edges(part))
        first, last = part[0], part[-1]
        found.append(Turn(first.at, last.at, _crossing(part, range_), first.sign, last.sign, narrow))
    return found


def following(looked: Sequence[Looked], range_: AxisRange, to: float) -> list[float]:
    """The values to look at next, the least first; none where all turns are as narrow as asked."""
    edges = [edge for part in _parts(looked) for edge in _edges(part)]
    wide = [(low.at, high.at) for low, high in edges if not is_narrow(low.at, high.at, range_, to)]
    return sorted({found for edge in wide if (found := range_.middle(*edge)) is not None})


def is_narrow(low: float, high: float, range_: AxisRange, to: float) -> bool:
    """Whether two values are as near each other as asked, or have no value between them."""
    if range_.middle(low, high) is None:
        return True
    return range_.is_near(low, high / (1 + _ROUNDING), to)


def _parts(looked: Sequence[Looked]) -> Iterator[Sequence[Looked]]:
    """The values of each turn: one of a sign, undecided ones, and one of the opposite sign."""
    decided = [number for number, each in enumerate(looked) if each.sign]
    for first, last in pairwise(decided):
        if looked[first].sign != looked[last].sign:
            yield looked[first : last + 1]


def _edges(part: Sequence[Looked]) -> list[tuple[Looked, Looked]]:
    return [(part[0], part[1])] if len(part) == 2 else [(part[0], part[1]), (part[-2], part[-1])]


def _crossing(part: Sequence[Looked], range_: AxisRange) -> float:
    """Where the mean difference is 0, on straight lines between its values over the axis or its logarithm.

    Where it is several times, at the one that the fewest values contradict by their sign, each counted by how many of
    its half-widths it is away from 0.
    """
    before = part[0].sign
    known = [(each.at, each.difference * before, each.half_width) for each in part if each.difference is not None]

    def contradicted(place: int) -> float:
        wrong = [(mean, half) for _, mean, half in known[: place + 1] if mean < 0]
        wrong += [(mean, half) for _, mean, half in known[place + 1 :] if mean > 0]
        return sum(abs(mean) / half for mean, half in wrong if half)

    turning = [n for n, (low, high) in enumerate(pairwise(known)) if low[1] > 0 >= high[1]]
    place = min(turning, key=contradicted)
    (low, above, _), (high, below, _) = known[place], known[place + 1]
    share = above / (above - below)
    if low > 0 and (range_.is_geometric or range_.has_zero):
        return float(low * (high / low) ** share)
    return low + share * (high - low)

# SPDX-License-Identifier: MIT
"""One trace of one flow as arrays, and reduced to what a figure can show; `trace_reduction` does so for frames.

Each query of polars takes longer than what is done here with a short trace. Times and values are divided as polars
does it, by multiplying with a reciprocal, so that both give the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[np.float64]


class Trace(NamedTuple):
    """The times in s, in order, and the values, which are no NaN."""

    time_s: Numbers
    value: Numbers


def held(trace: Trace, to_s: float) -> Trace:
    """A trace of values that hold until the next, from 0 s on: its value at 0 s, all later ones, and the last again.

    It ends at ``to_s``, and has no values if there are none by then.
    """
    first, last = np.searchsorted(trace.time_s, [0.0, to_s], side="right").tolist()
    if not last:
        return Trace(trace.time_s[:0], trace.value[:0])
    begin = max(first - 1, 0)
    times = np.concatenate((trace.time_s[begin:last], [to_s]))
    if first:
        times[0] = 0
    return Trace(times, np.concatenate((trace.value[begin:last], trace.value[last - 1 : last])))


def rates(counter: Trace, bounds: Sequence[float]) -> Numbers:
    """How fast a count of bytes grew from each time to the next in Mbit/s; the last time has the rate up to it.

    ``bounds`` are the times in s, in order, two or more.
    """
    rows = np.searchsorted(counter.time_s, bounds, side="right")
    counted = np.concatenate(([0.0], counter.value))[rows]
    found = np.diff(counted) * 8e-6 / np.diff(bounds)
    return np.concatenate((found, found[-1:]))


def worst(states: Trace, to_s: float, spans: int) -> list[tuple[int, float, float]]:
    """When a flow was not in the state 0, open: the worst state in each of equally long spans of time from 0 s.

    ``states`` is from `held`, its values are ns-3's TcpCongState_t, where a higher state is worse. Each row has the
    worst state, and the times in s between which it is.
    """
    width = to_s / spans
    span = _spans(states.time_s, width, spans)
    firsts = _firsts(span)
    seen = span[firsts]
    lasts = np.append(firsts[1:], len(span)) - 1
    # What a span begins with is what the last one that saw a change ended with.
    before = np.searchsorted(seen, np.arange(spans), side="left")
    value = np.concatenate(([0.0], states.value[lasts]))[before]
    value[seen] = np.maximum(value[seen], np.maximum.reduceat(states.value, firsts))
    runs = _firsts(value)
    ends = np.append(runs[1:], spans)
    rows = zip(value[runs].tolist(), (runs * width).tolist(), (ends * width).tolist(), strict=True)
    return [(int(state), begin, end) for state, begin, end in rows if state > 0]


def above(trace: Trace, top: float) -> list[tuple[float, float, float]]:
    """The stretches in which a trace from `held` is at or above a value.

    Each has the times in s between which it is, and the largest value then; stretches of no time are left out.
    """
    is_above = trace.value >= top
    if not is_above.any():
        return []
    lasts = is_above[:-1] & (trace.time_s[1:] > trace.time_s[:-1])
    places = np.flatnonzero(lasts)
    firsts = _firsts(np.cumsum(np.append(False, is_above[1:] != is_above[:-1]))[places])
    ends = np.append(firsts[1:], len(places))[: len(firsts)] - 1
    most = np.maximum.reduceat(trace.value[places], firsts) if len(places) else trace.value[:0]
    begin_s, end_s = trace.time_s[places[firsts]], trace.time_s[places[ends] + 1]
    return list(zip(begin_s.tolist(), end_s.tolist(), most.tolist(), strict=True))


def thin(trace: Trace, to_s: float, spans: int) -> Trace:
    """Keep a trace's extremes in each of equally long spans of time from 0 s, and its ends.

    A line through what is kept has, in every span, the same lowest and highest value as the whole trace, and across
    spans without values the one that holds there. Kept are the first and the last, and per span the first of the
    lowest, the first of the highest, and the last if the next span has none: at most ``2 * spans + 2``.
    """
    count = len(trace.value)
    span = _spans(trace.time_s, to_s / spans, spans)
    firsts = _firsts(span)
    lengths = np.diff(firsts, append=count)
    is_kept = np.zeros(count, bool)
    is_kept[[0, -1]] = True
    is_kept[np.flatnonzero(np.diff(span) > 1)] = True
    for extreme in (np.minimum, np.maximum):
        is_extreme = trace.value == np.repeat(extreme.reduceat(trace.value, firsts), lengths)
        places = np.flatnonzero(is_extreme)
        is_kept[places[np.searchsorted(places, firsts)]] = True
    return Trace(trace.time_s[is_kept], trace.value[is_kept])


def _spans(time_s: Numbers, width: float, spans: int) -> npt.NDArray[np.int64]:
    """The number of the span that each time lies in."""
    return np.clip(np.floor(time_s * (1 / width)), 0, spans - 1).astype(np.int64)


def _firsts(numbers: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
    """Where each run of equal numbers begins."""
    changes: npt.NDArray[np.int64] = np.flatnonzero(numbers[1:] != numbers[:-1]) + 1
    return np.concatenate((np.zeros(min(1, len(numbers)), np.int64), changes))

# SPDX-License-Identifier: MIT
"""A trace reduced to a figure's detail: the values in a part of the time, rates, worst states, fewer points.

A `Trace` is two arrays: a short trace is processed faster so than by a query of polars.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt
import polars as pl

STATES = {1: "disorder", 2: "CWR", 3: "recovery", 4: "loss"}  # ns-3's TcpCongState_t without 0, open
# A window of this size limits nothing: ns-3's BBR sets cwnd to 2³² − 1 for a moment when it has no estimate yet.
NO_WINDOW_BYTES = 2.0**31
WINDOW_ROOM = 1.08  # where an axis of windows ends, as a multiple of the largest cwnd

_Numbers: TypeAlias = npt.NDArray[np.float64]


def window_top(cwnd: pl.Series) -> float | None:
    """Where an axis of windows ends: above the largest cwnd, but not always above ssthresh. None without a cwnd."""
    largest = cast("float | None", cwnd.max())
    return None if largest is None else largest * WINDOW_ROOM


class Trace(NamedTuple):
    """The times in s, in order, and the values, which are no NaN."""

    time_s: _Numbers
    value: _Numbers


def held(trace: Trace, from_s: float, to_s: float) -> Trace:
    """A trace of values that hold until the next, over a part of the time.

    Has the value that holds at ``from_s``, if there is one, all later values, and the last of them again at ``to_s``.
    """
    first, last = np.searchsorted(trace.time_s, [from_s, to_s], side="right").tolist()
    if not last:
        return Trace(trace.time_s[:0], trace.value[:0])
    begin = max(first - 1, 0)
    times = np.concatenate((trace.time_s[begin:last], [to_s]))
    if first:
        times[0] = from_s
    return Trace(times, np.concatenate((trace.value[begin:last], trace.value[last - 1 : last])))


def rates(counter: Trace, bounds: Sequence[float]) -> _Numbers:
    """The growth of a count of bytes from each time to the next, in Mbit/s; the last time has the rate up to it.

    ``bounds`` are the times in s, in order, two or more.
    """
    row_counts = np.searchsorted(counter.time_s, bounds, side="right")
    counted = np.concatenate(([0.0], counter.value))[row_counts]
    rates_mbps = np.diff(counted) * 8e-6 / np.diff(bounds)
    return np.concatenate((rates_mbps, rates_mbps[-1:]))


def worst(states: Trace, from_s: float, to_s: float, spans: int) -> list[tuple[int, float, float]]:
    """When a flow was not in the state 0, open: the worst state in each of equally long spans of time.

    ``states`` is from `held`, its values are ns-3's TcpCongState_t, where a higher state is worse. Each row has
    the worst state, and the times in s between which it is.
    """
    if not len(states.value):
        return []
    width = (to_s - from_s) / spans
    span_of_value = _span_numbers(states.time_s - from_s, width, spans)
    first_of_span = _run_starts(span_of_value)
    spans_with_values = span_of_value[first_of_span]
    last_of_span = np.append(first_of_span[1:], len(span_of_value)) - 1
    # A span begins with the last value of the latest earlier span that has a change.
    earlier_spans = np.searchsorted(spans_with_values, np.arange(spans), side="left")
    worst_of_span = np.concatenate(([0.0], states.value[last_of_span]))[earlier_spans]
    worst_of_span[spans_with_values] = np.maximum(
        worst_of_span[spans_with_values], np.maximum.reduceat(states.value, first_of_span)
    )
    run_starts = _run_starts(worst_of_span)
    run_ends = np.append(run_starts[1:], spans)
    begin_s, end_s = from_s + run_starts * width, from_s + run_ends * width
    rows = zip(worst_of_span[run_starts].tolist(), begin_s.tolist(), end_s.tolist(), strict=True)
    return [(int(state), begin, end) for state, begin, end in rows if state > 0]


def above(trace: Trace, top: float) -> list[tuple[float, float, float]]:
    """The stretches in which a trace from `held` is at or above a value.

    Each has the times in s between which it is, and the largest value then; stretches of no time are left out.
    """
    is_above = trace.value >= top
    if not is_above.any():
        return []
    is_lasting = is_above[:-1] & (trace.time_s[1:] > trace.time_s[:-1])
    lasting = np.flatnonzero(is_lasting)
    run_starts = _run_starts(np.cumsum(np.append(False, is_above[1:] != is_above[:-1]))[lasting])
    run_ends = np.append(run_starts[1:], len(lasting))[: len(run_starts)] - 1
    largest = np.maximum.reduceat(trace.value[lasting], run_starts) if len(lasting) else trace.value[:0]
    begin_s, end_s = trace.time_s[lasting[run_starts]], trace.time_s[lasting[run_ends] + 1]
    return list(zip(begin_s.tolist(), end_s.tolist(), largest.tolist(), strict=True))


def thin(trace: Trace, from_s: float, to_s: float, spans: int) -> Trace:
    """Keep a trace's extremes in each of equally long spans of the time, and its ends; see `_is_kept`."""
    if not len(trace.value):
        return trace
    kept = _is_kept(trace, from_s, to_s, spans)
    return Trace(trace.time_s[kept], trace.value[kept])


def _is_kept(trace: Trace, from_s: float, to_s: float, spans: int) -> npt.NDArray[np.bool_]:
    """Which values of a trace with values are its ends, or extremes in one of equally long spans of time.

    A line through the kept values has, in every span, the same lowest and highest value as the whole trace. Across
    spans without values it has the value that holds there. On a screen with no more columns than spans it looks the
    same. It keeps the first and the last value of the trace. In each span, it keeps the first lowest and the first
    highest value, and the last value if the next span has none. These are at most ``2 * spans + 2`` values.
    """
    count = len(trace.value)
    span_of_value = _span_numbers(trace.time_s - from_s, (to_s - from_s) / spans, spans)
    first_of_span = _run_starts(span_of_value)
    lengths = np.diff(first_of_span, append=count)
    is_kept = np.zeros(count, bool)
    is_kept[[0, -1]] = True
    is_kept[np.flatnonzero(np.diff(span_of_value) > 1)] = True
    for extreme in (np.minimum, np.maximum):
        is_extreme = trace.value == np.repeat(extreme.reduceat(trace.value, first_of_span), lengths)
        extremes = np.flatnonzero(is_extreme)
        is_kept[extremes[np.searchsorted(extremes, first_of_span)]] = True
    return is_kept


def _span_numbers(time_s: _Numbers, width: float, spans: int) -> npt.NDArray[np.int64]:
    """The number of each time's span."""
    return np.clip(np.floor(time_s * (1 / width)), 0, spans - 1).astype(np.int64)


def _run_starts(numbers: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
    """Where each run of equal numbers begins."""
    changes: npt.NDArray[np.int64] = np.flatnonzero(numbers[1:] != numbers[:-1]) + 1
    return np.concatenate((np.zeros(min(1, len(numbers)), np.int64), changes))

# SPDX-License-Identifier: MIT
"""Traces reduced to a figure's detail: the values in a part of the time, rates, worst states, fewer points."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import polars as pl

from tcpsweep.figures import trace_arrays
from tcpsweep.figures.trace_arrays import Trace

STATES = {1: "disorder", 2: "CWR", 3: "recovery", 4: "loss"}  # ns-3's TcpCongState_t without 0, open
# A window of this size limits nothing: ns-3's BBR sets cwnd to 2³² − 1 for a moment when it has no estimate yet.
NO_WINDOW_BYTES = 2.0**31
WINDOW_ROOM = 1.08  # where an axis of windows ends, as a multiple of the largest cwnd


def limits() -> pl.Expr:
    """Whether a row of ``metric`` and ``value`` is anything but an unlimited window."""
    return (pl.col("metric") != "cwnd_bytes") | (pl.col("value") < NO_WINDOW_BYTES)


def window_top(cwnd: pl.Series) -> float | None:
    """Where an axis of windows ends: above the largest cwnd, but not always above ssthresh. None without a cwnd."""
    largest = cast("float | None", cwnd.max())
    return None if largest is None else largest * WINDOW_ROOM


def is_cut(ssthresh: pl.Series, top: float | None) -> bool:
    """Whether an ssthresh lies beyond an axis that ends at ``top``."""
    return top is not None and bool((ssthresh > top).any())


def round_trips(traces: pl.DataFrame, name: str = "metric", flow: str = "flow") -> pl.DataFrame:
    """Traces without the smoothed round-trip times of flows that have samples of them.

    Linux reports no samples, nor do ns-3's versions before 3.43. ``name`` and ``flow`` are the columns that have a
    trace's name and the flow.
    """
    with_samples = traces.filter(pl.col(name) == "rtt_s")[flow].unique().to_list()
    return traces.filter((pl.col(name) != "srtt_s") | ~pl.col(flow).is_in(with_samples))


def held(traces: pl.DataFrame, by: list[str], from_s: float, to_s: float) -> pl.DataFrame:
    """Traces of values that hold until the next, over a part of the time; `trace_arrays.held` does this for one.

    ``traces`` has ``time_s``, ``value`` and the columns ``by``, which identify a trace. Each trace is in order of
    time, without nulls. Returns these columns, sorted by the columns ``by``.
    """
    found = _of_each(traces, by, lambda own: pl.DataFrame(trace_arrays.held(own, from_s, to_s)._asdict()))
    return found.sort(by, maintain_order=True)


def rates(counters: pl.DataFrame, by: list[str], bounds: list[float]) -> pl.DataFrame:
    """The growth of counts of bytes, traces as for `held`, from each time in s to the next, in Mbit/s.

    Returns the columns of ``by``, ``time_s`` (each of ``bounds``, which are in order), and ``value``, the rate from
    then on; the last time has the rate up to it.
    """
    times = pl.DataFrame({"time_s": bounds}, schema={"time_s": pl.Float64})
    return _of_each(counters, by, lambda own: times.with_columns(value=trace_arrays.rates(own, bounds)))


def worst(states: pl.DataFrame, by: list[str], from_s: float, to_s: float, spans: int) -> pl.DataFrame:
    """When flows were not in the state 0, open: the worst state in each of equally long spans of time.

    ``states`` are traces as for `held`, their values are ns-3's TcpCongState_t, where a higher state is worse. Returns
    the columns of ``by``, ``value``, and ``time_s`` and ``until_s``, between which it is the worst.
    """
    schema = {"value": pl.Float64, "time_s": pl.Float64, "until_s": pl.Float64}

    def found(own: Trace) -> pl.DataFrame:
        changes = trace_arrays.held(own, from_s, to_s)
        return pl.DataFrame(trace_arrays.worst(changes, from_s, to_s, spans), schema=schema, orient="row")

    return _of_each(states, by, found).sort(by, maintain_order=True)


def thin(traces: pl.DataFrame, by: list[str], from_s: float, to_s: float, spans: int) -> pl.DataFrame:
    """The rows of traces as for `held` that `trace_arrays.is_kept` says, in their order."""
    rows = [
        own["row"].filter(trace_arrays.is_kept(_arrays(own), from_s, to_s, spans))
        for own in traces.with_row_index("row").partition_by(by)
        if own.height
    ]
    return traces[pl.concat(rows).sort()] if rows else traces


def _of_each(traces: pl.DataFrame, by: list[str], found: Callable[[Trace], pl.DataFrame]) -> pl.DataFrame:
    """The columns ``by`` with the result of ``found`` for each trace."""
    parts = [traces.clear(), *traces.partition_by(by, maintain_order=True)]
    return pl.concat(own.select(by).head(1).join(found(_arrays(own)), how="cross") for own in parts)


def _arrays(trace: pl.DataFrame) -> Trace:
    return Trace(trace["time_s"].to_numpy(), trace["value"].to_numpy())

# SPDX-License-Identifier: MIT
"""Traces reduced to what a figure can show: the values in a part of the time, rates, worst states, fewer points."""

from __future__ import annotations

import polars as pl

STATES = {1: "disorder", 2: "CWR", 3: "recovery", 4: "loss"}  # ns-3's TcpCongState_t without 0, open
# A window of so many bytes limits nothing: ns-3's BBR sets cwnd to 2³² − 1 for a moment when it has no estimate yet.
NO_WINDOW_BYTES = 2.0**31
WINDOW_ROOM = 1.08  # where an axis of windows ends, as a multiple of the largest cwnd


def limits() -> pl.Expr:
    """Whether a row of ``metric`` and ``value`` is no window without a limit."""
    return (pl.col("metric") != "cwnd_bytes") | (pl.col("value") < NO_WINDOW_BYTES)


def round_trips(traces: pl.DataFrame, name: str = "metric", flow: str = "flow") -> pl.DataFrame:
    """Traces without the smoothed round-trip times of flows that have samples of them.

    Linux tells no samples, nor do ns-3's versions before 3.43. ``name`` and ``flow`` are the columns that have a
    trace's name and the flow.
    """
    with_samples = traces.filter(pl.col(name) == "rtt_s")[flow].unique().to_list()
    return traces.filter((pl.col(name) != "srtt_s") | ~pl.col(flow).is_in(with_samples))


def held(trace: pl.DataFrame, by: list[str], from_s: float, to_s: float) -> pl.DataFrame:
    """A trace of values that hold until the next, over a part of the time.

    ``trace`` has ``time_s``, ``value`` and the columns of ``by``, which tell traces apart and for each of which it is
    in order of time; no nulls. Returns its columns, each trace's rows together: the value that holds at ``from_s``, if
    there is one, all later values, and the last of them again at ``to_s``.
    """
    time_s = pl.col("time_s")
    begin = trace.filter(time_s <= from_s).group_by(by, maintain_order=True).last()
    within = trace.filter((time_s > from_s) & (time_s <= to_s))
    kept = pl.concat([begin.with_columns(time_s=pl.lit(float(from_s))).select(trace.columns), within])
    end = kept.group_by(by, maintain_order=True).last().with_columns(time_s=pl.lit(float(to_s)))
    return pl.concat([kept, end.select(trace.columns)]).sort(*by, "time_s", maintain_order=True)


def rates(counter: pl.DataFrame, by: list[str], bounds: list[float]) -> pl.DataFrame:
    """How fast a count of bytes, a trace as for `held`, grew from each time in s to the next, in Mbit/s.

    Returns the columns of ``by``, ``time_s`` (each of ``bounds``, which are in order), and ``value``, the rate from
    then on; the last time has the rate up to it.
    """
    times, parts = pl.DataFrame({"time_s": bounds}, schema={"time_s": pl.Float64}), []
    width = pl.col("time_s").diff()
    for own in counter.partition_by(by, maintain_order=True):
        counted = times.join_asof(own.select("time_s", "value"), on="time_s")
        grown = counted.with_columns(
            value=(pl.col("value").fill_null(0).diff() * 8e-6 / width).shift(-1).forward_fill()
        )
        parts.append(own.select(by).head(1).join(grown, how="cross"))
    return pl.concat(parts) if parts else counter.select(*by, "time_s", "value").clear()


def worst(states: pl.DataFrame, by: list[str], from_s: float, to_s: float, spans: int) -> pl.DataFrame:
    """When flows were not in the state 0, open: the worst state in each of equally long spans of time.

    ``states`` is a trace as for `held`, its values are ns-3's TcpCongState_t, where a higher state is worse. Returns
    the columns of ``by``, ``value``, and ``time_s`` and ``until_s``, between which it is the worst.
    """
    width, span, value = (to_s - from_s) / spans, pl.col("span"), pl.col("value")
    number = ((pl.col("time_s") - from_s) / width).floor().clip(0, spans - 1).cast(pl.Int64)
    parts = []
    for own in held(states, by, from_s, to_s).partition_by(by, maintain_order=True):
        seen = own.select("value", span=number).group_by("span").agg(value.max(), last=value.last())
        found = (
            pl.DataFrame({"span": range(spans)})
            .join(seen, on="span", how="left", maintain_order="left")
            .with_columns(held=pl.col("last").fill_null(strategy="forward").shift(1).fill_null(0))
            .with_columns(value=pl.max_horizontal(value, "held"))
            .with_columns(run=value.rle_id())
            .group_by("run", maintain_order=True)
            .agg(value.first(), time_s=from_s + span.min() * width, until_s=from_s + (span.max() + 1) * width)
            .filter(value > 0)
        )
        parts.append(own.select(by).head(1).join(found.drop("run"), how="cross"))
    return pl.concat(parts) if parts else states.select(*by, "value", "time_s", until_s="time_s").clear()


def thin(trace: pl.DataFrame, by: list[str], from_s: float, to_s: float, spans: int) -> pl.DataFrame:
    """Keep each trace's extremes in each of equally long spans of time; ``trace`` is as for `held`.

    A line through what is kept has, in every span, the same lowest and highest value as the whole trace, and across
    spans without values the one that holds there. On a screen with no more columns than spans it looks the same. Kept
    are rows in their order: each trace's first and last, and per span the first of its lowest, the first of its
    highest, and the last if the next span has none; at most ``2 * spans + 2`` per trace.
    """
    width = (to_s - from_s) / spans
    span = ((pl.col("time_s") - from_s) / width).floor().clip(0, spans - 1).cast(pl.Int32)
    row, value = pl.col("row"), pl.col("value")
    numbered = trace.with_row_index("row").with_columns(span=span)
    extremes = numbered.group_by(*by, "span").agg(low=row.get(value.arg_min()), high=row.get(value.arg_max()))
    ends = numbered.group_by(by).agg(first=row.first(), last=row.last())
    left = numbered.filter(pl.col("span").shift(-1).over(by) > pl.col("span") + 1)
    kept = pl.concat([extremes["low"], extremes["high"], ends["first"], ends["last"], left["row"]]).unique().sort()
    return trace[kept]

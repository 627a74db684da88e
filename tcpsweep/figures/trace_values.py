# SPDX-License-Identifier: MIT
"""Traces over a part of the time: the values that hold in it, the rates of what is counted, the worst states."""

import polars as pl

STATES = {1: "disorder", 2: "CWR", 3: "recovery", 4: "loss"}  # ns-3's TcpCongState_t, but 0, open


def held(trace, by, from_s, to_s):
    """A trace of values that hold until the next, over a part of the time.

    Parameters
    ----------
    trace : DataFrame
        ``time_s``, ``value`` and the columns of ``by``, in order of time; no nulls.
    by : list of str
        The columns that tell traces apart.
    from_s, to_s : float

    Returns
    -------
    DataFrame
        As ``trace``, each trace's rows together: the value that holds at ``from_s``, where there is one, those after
        it, and at ``to_s`` the last of them.
    """
    time_s = pl.col("time_s")
    begin = trace.filter(time_s <= from_s).group_by(by, maintain_order=True).last()
    within = trace.filter((time_s > from_s) & (time_s <= to_s))
    kept = pl.concat([begin.with_columns(time_s=pl.lit(float(from_s))).select(trace.columns), within])
    end = kept.group_by(by, maintain_order=True).last().with_columns(time_s=pl.lit(float(to_s)))
    return pl.concat([kept, end.select(trace.columns)]).sort(*by, "time_s", maintain_order=True)


def rates(counter, by, bounds):
    """How fast a count grew from each time to the next.

    Parameters
    ----------
    counter : DataFrame
        As `held` takes it: ``value`` bytes so far.
    by : list of str
    bounds : list of float
        The times, in order.

    Returns
    -------
    DataFrame
        The columns of ``by``, ``time_s``, each of ``bounds``, and ``value``, the rate from then on in Mbit/s; at the
        last, the one up to it.
    """
    times, parts = pl.DataFrame({"time_s": bounds}, schema={"time_s": pl.Float64}), []
    width = pl.col("time_s").diff()
    for _, own in counter.partition_by(by, as_dict=True, maintain_order=True).items():
        counted = times.join_asof(own.select("time_s", "value"), on="time_s")
        grown = counted.with_columns(
            value=(pl.col("value").fill_null(0).diff() * 8e-6 / width).shift(-1).forward_fill()
        )
        parts.append(own.select(by).head(1).join(grown, how="cross"))
    return pl.concat(parts) if parts else counter.select(*by, "time_s", "value").clear()


def worst(states, by, from_s, to_s, spans):
    """When flows were not in the state 0, open: of each of equally long spans of time, the worst state in it.

    Parameters
    ----------
    states : DataFrame
        As `held` takes it: ``value`` ns-3's TcpCongState_t, of which a higher one is worse.
    by : list of str
    from_s, to_s : float
    spans : int

    Returns
    -------
    DataFrame
        The columns of ``by``, ``value``, and ``time_s`` and ``until_s``, between which it is the worst.
    """
    width, span, value = (to_s - from_s) / spans, pl.col("span"), pl.col("value")
    number = ((pl.col("time_s") - from_s) / width).floor().clip(0, spans - 1).cast(pl.Int64)
    parts = []
    for _, own in held(states, by, from_s, to_s).partition_by(by, as_dict=True, maintain_order=True).items():
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

# SPDX-License-Identifier: MIT
"""Fewer points of a trace than a screen can tell apart from all of them."""

import polars as pl

SPANS = 1000


def thin(trace, by, begin_s, end_s, spans=SPANS):
    """Keep of each trace its extremes in each of equally long spans of time.

    A line through what is kept has, in every span, the same lowest and highest value as the whole trace, so that on a
    screen with no more columns than spans it looks the same.

    Parameters
    ----------
    trace : DataFrame
        ``time_s``, ``value`` and the columns of ``by``, in order of time; no nulls.
    by : list of str
        The columns that tell traces apart.
    begin_s, end_s : float
        The time that the spans divide.
    spans : int

    Returns
    -------
    DataFrame
        Rows of ``trace`` in its order: each trace's first and last, and per span the first of its lowest and the first
        of its highest; at most ``2 * spans + 2`` per trace.
    """
    width = (end_s - begin_s) / spans
    span = ((pl.col("time_s") - begin_s) / width).floor().clip(0, spans - 1)
    row, value = pl.col("row"), pl.col("value")
    numbered = trace.with_row_index("row").with_columns(span=span)
    extremes = numbered.group_by(*by, "span").agg(low=row.get(value.arg_min()), high=row.get(value.arg_max()))
    ends = numbered.group_by(by).agg(first=row.first(), last=row.last())
    kept = pl.concat([extremes["low"], extremes["high"], ends["first"], ends["last"]]).unique().sort()
    return trace[kept]

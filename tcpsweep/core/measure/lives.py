# SPDX-License-Identifier: MIT
"""Each flow's part of the time that counts, and how long a trace held each value within it.

The functions take frames with the tables of one cell or of many cells.
"""

from collections.abc import Sequence
from typing import TypeVar

import polars as pl

from tcpsweep.core.sweep.span import Span
from tcpsweep.core.words.thresholds import WARMUP_SHARE

Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)


def flow_warmup_s(span: Span) -> float | None:
    """How long after its start a flow begins to count at the earliest; None if `ends` is to derive it."""
    # By the search, all forward flows have settled where the time that counts begins.
    return 0.0 if span.flow_warmup_s is None and span.from_s is None else span.flow_warmup_s


def ends(from_s: pl.Expr, to_s: pl.Expr, flow_warmup_s: pl.Expr) -> list[pl.Expr]:
    """When each flow begins and ceases to count, ``from_s`` and ``to_s``, over the table `flows`.

    ``from_s`` and ``to_s`` are the time that counts. ``flow_warmup_s`` is the least time from a flow's start until it
    counts. If it is null, a flow of unlimited length counts after the share `WARMUP_SHARE` of the warm-up or, if
    shorter, of the flow's time.
    """
    # The limit is not the time when the flow ended, because that is a result of the simulation.
    present_s = pl.min_horizontal(to_s, "stop_s") - pl.col("start_s")
    # A limited flow counts from its start, because its start is a part of its completion time.
    own_s = pl.when(pl.col("bytes").is_null()).then(WARMUP_SHARE * pl.min_horizontal(from_s, present_s)).otherwise(0.0)
    return [
        pl.max_horizontal(from_s, pl.col("start_s") + pl.coalesce(flow_warmup_s, own_s)).alias("from_s"),
        pl.min_horizontal(to_s, "finish_s", "stop_s").alias("to_s"),
    ]


def held(rows: Frame, lives: Frame, flow: Sequence[str] = ("flow",)) -> Frame:
    """How long a trace held each value within its flow's life.

    Parameters
    ----------
    rows : DataFrame or LazyFrame
        A trace's ``time_s`` and ``value``, and what names the flow, in order of time for each flow.
    lives : DataFrame or LazyFrame
        What names the flow, and its ``from_s`` and ``to_s``.
    flow : list of str
        The columns that name a flow.

    Returns
    -------
    DataFrame or LazyFrame
        The columns of both but for ``time_s``, ``from_s`` and ``to_s``, and ``since_s`` and ``held_s``: from when on,
        and for how long. A value lasts until the next, or until the flow's life ends.
    """
    since_s = pl.max_horizontal("time_s", "from_s")
    return (
        rows.with_columns(until_s=pl.col("time_s").shift(-1).over(flow))
        .join(lives, on=list(flow), maintain_order="left")
        .with_columns(since_s=since_s, held_s=pl.min_horizontal("until_s", "to_s") - since_s)
        .drop("time_s", "until_s", "from_s", "to_s")
        .filter(pl.col("held_s") > 0)
    )

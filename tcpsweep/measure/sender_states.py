# SPDX-License-Identifier: MIT
"""The flows' congestion states, how often they were entered, and the limits besides the congestion window."""

import polars as pl

from tcpsweep.measure import steadiness
from tcpsweep.measure.cell import LIFE_S, Cell

_OPEN, _DISORDER, _CWR, _RECOVERY, _LOSS = range(5)
_STATES = {"open": _OPEN, "disorder": _DISORDER, "CWR": _CWR, "recovery": _RECOVERY, "loss": _LOSS}
_LIMITS = ("receiver_limited", "application_limited")


def limits(cell: Cell, lives: pl.DataFrame) -> pl.DataFrame:
    """Shares of time in which something other than the congestion window limited the sender."""
    found = {f"{limit}_share": cell.gain(f"{limit}_s") for limit in _LIMITS if f"{limit}_s" in cell.traces}
    return lives.with_columns(**found).select("flow", pl.col(list(found)) / LIFE_S)


def states(cell: Cell, lives: pl.DataFrame) -> pl.DataFrame | None:
    """Shares of time in each congestion state, how often these were entered, and whether the flow is steady."""
    if "congestion_state" not in cell.traces:
        return None
    held, value = cell.held("congestion_state"), pl.col("value")
    shares = held.group_by("flow").agg(
        **{
            f"{name}_share": pl.col("held_s").filter(value == state).sum() / pl.col("held_s").sum()
            for name, state in _STATES.items()
        }
    )
    entered = cell.traces["congestion_state"].with_columns(before=value.shift(1, fill_value=float(_OPEN)).over("flow"))
    lowered = value >= _CWR
    counts = (
        cell.within(entered)
        .group_by("flow")
        .agg(
            cwnd_reductions=lowered.sum(),
            fast_recoveries=(value == _RECOVERY).sum(),
            congestion_epochs=(lowered & (pl.col("before") < _CWR)).sum(),
        )
    )
    names = ["cwnd_reductions", "fast_recoveries", "congestion_epochs"]
    return (
        lives.join(shares, on="flow", how="left")
        .join(counts, on="flow", how="left")
        .with_columns(pl.col(names).fill_null(0))
        .join(steadiness.level(cell), on="flow", how="left")
        .select(
            "flow",
            *shares.columns[1:],
            *names,
            steady=(steadiness.is_steady() & (cell.warmup != "missed")).cast(pl.Int8),
        )
    )

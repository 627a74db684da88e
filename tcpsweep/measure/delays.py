# SPDX-License-Identifier: MIT
"""The flows' one-way delays and round-trip times."""

import polars as pl

from tcpsweep.measure.cell import Cell
from tcpsweep.measure.percentiles import PERCENTILES, spread, weighted_mean, weighted_quantile


def one_way_delays(cell: Cell) -> pl.LazyFrame | None:
    """One-way delays of the packets that arrived."""
    if "owd_s" not in cell.traces:
        return None
    return cell.within(cell.traces["owd_s"].lazy()).group_by("flow").agg(spread(pl.col("value"), "owd"))


def round_trips(cell: Cell) -> pl.LazyFrame | None:
    """Round-trip times, each weighted by how long it was the latest, as ns-3 traces changes only."""
    if "rtt_s" not in cell.traces:
        return None
    value, weight = pl.col("value"), pl.col("held_s")
    ranks = {f"rtt_{rank}_s": weighted_quantile(value, weight, share) for rank, share in PERCENTILES.items()}
    return cell.held("rtt_s").group_by("flow").agg(rtt_mean_s=weighted_mean(value, weight), **ranks)

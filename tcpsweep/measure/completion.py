# SPDX-License-Identifier: MIT
"""How long flows of limited length take, those included that had not ended when they were last seen.

All counts over the whole simulation, whatever its warm-up, as the beginning is a part of what such a flow does.
"""

import polars as pl

from tcpsweep.measure.cell import Cell
from tcpsweep.measure.percentiles import PERCENTILES
from tcpsweep.statistics import survival


def _limited(cell: Cell) -> pl.DataFrame:
    """The limited flows that were there: the columns of `flows`, and ``watched_s``, from start to stop or the end."""
    watched_s = pl.min_horizontal(pl.lit(cell.to_s), "stop_s") - pl.col("start_s")
    return cell.flows.with_columns(watched_s=watched_s).filter(pl.col("bytes").is_not_null(), pl.col("watched_s") > 0)


def per_flow(cell: Cell, lives: pl.DataFrame) -> pl.DataFrame:
    """Each limited flow's completion time, null where it did not end, and whether it ended, 1 or 0."""
    finish_s = pl.col("finish_s")
    return _limited(cell).select(
        "flow", completion_s=finish_s - pl.col("start_s"), finished_share=finish_s.is_not_null().cast(pl.Int8)
    )


def per_variant(cell: Cell) -> pl.DataFrame:
    """The metrics of scope "variant", over its forward flows.

    The restricted mean's horizon is the shortest time for which any forward flow is watched, of whichever variant. That
    is known from starts and stops alone, so that it is the same for two runs with the same starts, whatever happens.

    Returns
    -------
    DataFrame
        ``variant``, ``metric``, ``value``; no row for a percentile that the curve does not reach.
    """
    flows = _limited(cell).filter(pl.col("direction") == "forward")
    horizon_s = horizon(cell)
    rows: list[tuple[str, str, float]] = []
    for (variant,), own in flows.group_by("variant", maintain_order=True):
        took_s = own.select(pl.coalesce(pl.col("finish_s") - pl.col("start_s"), "watched_s")).to_series().to_list()
        curve = survival.kaplan_meier(took_s, own["finish_s"].is_not_null().to_list())
        if horizon_s is not None:
            rows.append((str(variant), "completion_mean_s", survival.restricted_mean(curve, horizon_s)))
        for rank, share in PERCENTILES.items():
            if (time_s := survival.percentile(curve, share)) is not None:
                rows.append((str(variant), f"completion_{rank}_s", time_s))
    return pl.DataFrame(rows, schema={"variant": pl.String, "metric": pl.String, "value": pl.Float64}, orient="row")


def horizon(cell: Cell) -> float | None:
    """Up to which time completion times are told apart, in s; None where there are no limited forward flows."""
    return _limited(cell).filter(pl.col("direction") == "forward")["watched_s"].min()  # type: ignore[return-value]

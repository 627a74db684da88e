# SPDX-License-Identifier: MIT
"""How long flows of limited length take, those included that had not ended when they were last seen.

All counts over the whole simulation, whatever its warm-up, as the beginning is a part of what such a flow does.
"""

from typing import NamedTuple

import polars as pl

from tcpsweep.measure.cell import Cell, OfFlows
from tcpsweep.measure.percentiles import PERCENTILES
from tcpsweep.statistics import survival


class _Limited(NamedTuple):
    """A flow of limited length: how long it took, None if it did not end; how long it was watched, to stop or end."""

    flow: int
    pooled: bool
    variant: str
    took_s: float | None
    watched_s: float


def _limited(cell: Cell) -> list[_Limited]:
    """The limited flows that were there."""
    if cell.flows["bytes"].null_count() == cell.flows.height:
        return []
    columns = ["flow", "variant", "start_s", "finish_s", "stop_s"]
    rows = cell.flows.filter(pl.col("bytes").is_not_null()).select(columns).rows()
    found, pooled = [], set(cell.pooled)
    for flow, variant, start_s, finish_s, stop_s in rows:
        watched_s = (cell.to_s if stop_s is None else min(cell.to_s, stop_s)) - start_s
        if watched_s > 0:
            took_s = None if finish_s is None else finish_s - start_s
            found.append(_Limited(flow, flow in pooled, variant, took_s, watched_s))
    return found


def per_flow(cell: Cell) -> OfFlows:
    """Each limited flow's completion time, None where it did not end, and whether it ended, 1 or 0."""
    flows = _limited(cell)
    return {
        "completion_s": {flow.flow: flow.took_s for flow in flows},
        "finished_share": {flow.flow: int(flow.took_s is not None) for flow in flows},
    }


def per_variant(cell: Cell) -> list[tuple[str, str, float]]:
    """The metrics of scope "variant", over its flows that share the network's bottleneck.

    The restricted mean's horizon is the shortest time for which any of them is watched, of whichever variant. That
    is known from starts and stops alone, so that it is the same for two runs with the same starts, whatever happens.

    Returns
    -------
    list of (str, str, float)
        Variant, metric, value; nothing for a percentile that the curve does not reach.
    """
    horizon_s = horizon(cell)
    of_variant: dict[str, list[_Limited]] = {}
    for flow in _limited(cell):
        if flow.pooled:
            of_variant.setdefault(flow.variant, []).append(flow)
    rows: list[tuple[str, str, float]] = []
    for variant, flows in of_variant.items():
        took_s = [flow.watched_s if flow.took_s is None else flow.took_s for flow in flows]
        curve = survival.kaplan_meier(took_s, [flow.took_s is not None for flow in flows])
        if horizon_s is not None:
            rows.append((variant, "completion_mean_s", survival.restricted_mean(curve, horizon_s)))
        for rank, share in PERCENTILES.items():
            if (time_s := survival.percentile(curve, share)) is not None:
                rows.append((variant, f"completion_{rank}_s", time_s))
    return rows


def horizon(cell: Cell) -> float | None:
    """Up to which time completion times are told apart, in s; None where there are no such limited flows."""
    return min((flow.watched_s for flow in _limited(cell) if flow.pooled), default=None)

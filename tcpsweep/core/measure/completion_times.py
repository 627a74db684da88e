# SPDX-License-Identifier: MIT
"""Completion times of flows of limited length, with flows that had not ended when they were last observed.

Every metric covers the whole simulation including its warm-up, because the start is a part of a limited flow.
"""

from typing import NamedTuple

import polars as pl

from tcpsweep.core.measure.cell import Cell, OfFlows
from tcpsweep.core.measure.percentiles import PERCENTILES
from tcpsweep.core.statistics import survival


class _LimitedFlow(NamedTuple):
    """A flow of limited length: its completion time, None if it did not end; its observed time, to its stop or end."""

    flow: int
    pooled: bool
    variant: str
    took_s: float | None
    watched_s: float


def _limited_flows(cell: Cell) -> list[_LimitedFlow]:
    """The cell's limited flows."""
    if cell.flows["bytes"].null_count() == cell.flows.height:
        return []
    columns = ["flow", "variant", "start_s", "finish_s", "stop_s"]
    rows = cell.flows.filter(pl.col("bytes").is_not_null()).select(columns).rows()
    flows, pooled = [], set(cell.pooled)
    for flow, variant, start_s, finish_s, stop_s in rows:
        watched_s = (cell.to_s if stop_s is None else min(cell.to_s, stop_s)) - start_s
        if watched_s > 0:
            took_s = None if finish_s is None else finish_s - start_s
            flows.append(_LimitedFlow(flow, flow in pooled, variant, took_s, watched_s))
    return flows


def per_flow(cell: Cell) -> OfFlows:
    """Each limited flow's completion time, None where it did not end, and whether it ended, 1 or 0."""
    flows = _limited_flows(cell)
    return {
        "completion_s": {flow.flow: flow.took_s for flow in flows},
        "finished_share": {flow.flow: int(flow.took_s is not None) for flow in flows},
    }


def per_variant(cell: Cell) -> list[tuple[str, str, float]]:
    """The metrics of scope "variant", over its flows that share the network's bottleneck.

    The restricted mean's horizon is the shortest time for which any such flow of any variant is observed. It depends
    only on starts and stops, so that two runs with the same starts have the same horizon.

    Returns
    -------
    list of (str, str, float)
        Variant, metric, value; nothing for a percentile that the curve does not reach.
    """
    horizon_s = horizon(cell)
    flows_by_variant: dict[str, list[_LimitedFlow]] = {}
    for flow in _limited_flows(cell):
        if flow.pooled:
            flows_by_variant.setdefault(flow.variant, []).append(flow)
    rows: list[tuple[str, str, float]] = []
    for variant, flows in flows_by_variant.items():
        durations_s = [flow.watched_s if flow.took_s is None else flow.took_s for flow in flows]
        curve = survival.kaplan_meier(durations_s, [flow.took_s is not None for flow in flows])
        if horizon_s is not None:
            rows.append((variant, "completion_mean_s", survival.restricted_mean(curve, horizon_s)))
        for rank, share in PERCENTILES.items():
            if (time_s := survival.percentile(curve, share)) is not None:
                rows.append((variant, f"completion_{rank}_s", time_s))
    return rows


def horizon(cell: Cell) -> float | None:
    """The time up to which completion times are distinguished, in s; None where there are no such limited flows."""
    return min((flow.watched_s for flow in _limited_flows(cell) if flow.pooled), default=None)

# SPDX-License-Identifier: MIT
"""How flows share the bottleneck: Jain's index, shares by variant, and goodput by round-trip time."""

import math
from collections.abc import Collection, Mapping
from typing import cast

import numpy as np
import polars as pl

from tcpsweep.core.measure.cell import Cell
from tcpsweep.core.words.thresholds import FAIR, FAIR_WINDOWS


def jain(values: pl.Series) -> float | None:
    """Jain's fairness index: (Σ x)² / (n Σ x²); None where nothing was received at all.

    Jain, Chiu, Hawe: A Quantitative Measure of Fairness and Discrimination for Resource Allocation in Shared Computer
    Systems. DEC-TR-301, 1984.
    """
    squares = cast(float, (values * values).sum())
    return cast(float, values.sum()) ** 2 / (values.count() * squares) if squares > 0 else None


def together(cell: Cell, flows: Collection[int] | None = None) -> dict[int, float]:
    """Each flow's goodput in bit/s over the one time in which all of them are active.

    ``flows`` are flows that share a bottleneck. Default: the network's.

    Rates over different times cannot be compared: a flow that has the link to itself before the others begin would
    count as one that takes more than its share. The time begins when the last flow begins, and ends when the first flow
    ends. Flows that are not active in the measured time are left out.

    Returns
    -------
    dict
        By the flows' numbers; empty where that time is shorter than a window of `over_time`, or payload was not traced.
    """
    included = set(cell.pooled if flows is None else flows)
    lives = [life for life in cell.life_rows if life[0] in included]
    if "received_bytes" not in cell.traces or not lives:
        return {}
    span_s = max(from_s for _, from_s, _ in lives), min(to_s for _, _, to_s in lives)
    length_s = span_s[1] - span_s[0]
    if length_s <= min(cell.window_s, cell.to_s - cell.from_s) - 1e-9:
        return {}
    received = {flow: cell.counted("received_bytes", flow, span_s).tolist() for flow, *_ in lives}
    return {flow: (until - before) * 8 / length_s for flow, (before, until) in received.items()}


def over_time(cell: Cell) -> pl.DataFrame | None:
    """Jain's index of the flows that share the network's bottleneck, over windows of the whole simulation.

    Returns
    -------
    DataFrame or None
        ``from_s``; ``flows``, how many there are all through the window; ``jain``. Windows in which there are fewer
        than two are left out. None where payload was not traced, or there are no flows.
    """
    if "received_bytes" not in cell.traces or not cell.pooled:
        return None
    width_s = cell.window_s
    ends = [number * width_s for number in range(int(cell.to_s / width_s + 1e-9) + 1)]
    edges = np.array(ends)
    windows = max(len(ends) - 1, 0)
    flows, total, squares = np.zeros(windows, np.int32), np.zeros(windows), np.zeros(windows)
    pooled = set(cell.pooled)
    for flow, start_s, finish_s, stop_s in cell.flows.select("flow", "start_s", "finish_s", "stop_s").rows():
        if flow in pooled:
            end_s = min(time_s for time_s in (cell.to_s, finish_s, stop_s) if time_s is not None)
            is_active = (edges[:-1] >= start_s) & (edges[1:] <= end_s + 1e-9)
            gain = np.where(is_active, np.diff(cell.counted("received_bytes", flow, ends)), 0.0)
            flows, total, squares = flows + is_active, total + gain, squares + gain * gain
    has_several = flows > 1
    flows, total, squares = flows[has_several], total[has_several], squares[has_several]
    index = np.divide(total**2, flows * squares, out=np.full(len(flows), np.nan), where=squares > 0)
    columns = {"from_s": edges[:-1][has_several], "flows": flows, "jain": pl.Series(index, nan_to_null=True)}
    return pl.DataFrame(columns, schema_overrides={"flows": pl.Int32})


def in_windows(cell: Cell, windows: pl.DataFrame) -> dict[str, float | None]:
    """The mean of the windows' index after the warm-up, and the time from the last flow's start to fairness.

    ``windows`` is from `over_time`.

    Returns
    -------
    dict
        ``jain_windows``, and ``convergence_s``, until the first of `FAIR_WINDOWS` windows in a row whose index is at
        least `FAIR`; no ``convergence_s`` if there are none. A longer simulation does not change it.
    """
    from_s, index = windows["from_s"], windows["jain"]
    values = {"jain_windows": cast("float | None", index.filter(from_s >= cell.from_s).mean())}
    start_by_flow = dict(zip(cell.flows["flow"], cell.flows["start_s"], strict=True))
    all_joined_s = max((start_by_flow[flow] for flow in cell.pooled), default=0.0)
    after = [
        (since_s, window_jain) for since_s, window_jain in zip(from_s, index, strict=True) if since_s >= all_joined_s
    ]
    in_a_row = 0
    for number, (_, window_jain) in enumerate(after):
        in_a_row = in_a_row + 1 if window_jain is not None and window_jain >= FAIR else 0
        if in_a_row == FAIR_WINDOWS:
            return values | {"convergence_s": after[number - FAIR_WINDOWS + 1][0] - all_joined_s}
    return values


def shares(goodputs: Mapping[int, float], variants: Mapping[int, str]) -> dict[int, float | None]:
    """Each flow's goodput of `together` in a mix, divided by an equal share of all goodput: xᵢ · n / Σ x.

    The mean over a variant's flows is the variant's part of all goodput, divided by its part of the flows. Empty if the
    flows have one variant only, or nothing was received.
    """
    bps = pl.Series([*goodputs.values()], dtype=pl.Float64)
    total_bps = cast(float, bps.sum())
    if len({variants[flow] for flow in goodputs}) < 2 or total_bps <= 0:
        return {}
    return dict(zip(goodputs, (bps * bps.len() / total_bps).to_list(), strict=True))


def worst_share(goodputs: Mapping[int, float]) -> float | None:
    """The worst-off flow's goodput of `together`, divided by an equal share of all goodput: min x · n / Σ x.

    None with fewer than two flows, or if nothing was received.
    """
    total_bps = sum(goodputs.values())
    return min(goodputs.values()) * len(goodputs) / total_bps if len(goodputs) > 1 and total_bps > 0 else None


def between_rtts(flows: pl.DataFrame) -> dict[str, float]:
    """How goodput depends on the round-trip time, between the flows with the shortest and those with the longest.

    ``flows`` has the forward flows' ``goodput_bps`` over the same time, in bit/s, and, in s, ``base_rtt_s``, their RTTs
    without queues, and ``rtt_s``, the mean of those that they measured; null if unknown.

    Returns
    -------
    dict
        ``rtt_ratio``, the mean goodput at the shortest RTT divided by that at the longest, and ``rtt_exponent``, the a
        in goodput ∝ RTT^−a; empty if all RTTs are equal, or one of the two groups received nothing. No exponent if
        the shortest RTT is 0. ``rtt_exponent_measured``, the same with the measured RTTs of the two groups; none if
        these are unknown, or not longer for the flows with the longest RTT.

    Lakshman and Madhow: The Performance of TCP/IP for Networks with High Bandwidth-Delay Products and Random Loss.
    IEEE/ACM Transactions on Networking 5(3), 1997.
    """
    # The mean of a group is unknown if one of its flows has none.
    rtt_s = pl.when(pl.col("rtt_s").is_null().any()).then(None).otherwise(pl.col("rtt_s").mean()).alias("rtt_s")
    groups = flows.group_by("base_rtt_s").agg(pl.col("goodput_bps").mean(), rtt_s).sort("base_rtt_s")
    if groups.height < 2:
        return {}
    (near_s, near_bps, near_rtt_s), (far_s, far_bps, far_rtt_s) = groups.row(0), groups.row(-1)
    if not (near_bps > 0 and far_bps > 0):
        return {}
    ratio = near_bps / far_bps
    values = {"rtt_ratio": ratio}
    if near_s > 0:
        values["rtt_exponent"] = math.log(ratio) / math.log(far_s / near_s)
    if near_rtt_s and far_rtt_s and far_rtt_s > near_rtt_s:
        values["rtt_exponent_measured"] = math.log(ratio) / math.log(far_rtt_s / near_rtt_s)
    return values

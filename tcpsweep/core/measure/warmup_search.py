# SPDX-License-Identifier: MIT
"""The search for the end of a simulation's warm-up, in the payload that its flows received."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

BATCH = 5  # values
LEAST_BATCHES = 10
UNFOUND = 0.5  # the share of the simulated time that is left out where nothing is found
NO_DELAY_STEP_S = 0.001  # a step where links have no delay


def mser(values: npt.NDArray[np.float64] | Sequence[float]) -> int | None:
    """How many of a series' first values to leave out, by the least marginal standard error: MSER-5.

    Of all truncations d in the first half of the m batch means z, choose the one with the least Σ (zᵢ − z̄)² / (m − d)²
    over the m − d batches that remain.

    White: An Effective Truncation Heuristic for Bias Reduction in Simulation Output. Simulation 69(6), 1997; with
    batches: White, Cobb, Spratt: A Comparison of Five Steady-State Truncation Heuristics for Simulation, WSC 2000.

    Returns
    -------
    int or None
        None if there are fewer than `LEAST_BATCHES` batches, or if the minimum is at the end of the first half, because
        the true minimum may be beyond it.
    """
    m = len(values) // BATCH
    if m < LEAST_BATCHES:
        return None
    means = np.asarray(values, dtype=float)[: m * BATCH].reshape(m, BATCH).mean(axis=1)
    # For the batches from d on: their number, sum and sum of squares, shifted by a value that keeps these small.
    reversed_means = means[::-1] - means[m // 2 :].mean()
    counts, total, squares = np.arange(1, m + 1), np.cumsum(reversed_means), np.cumsum(reversed_means**2)
    error = np.maximum(0, squares - total**2 / counts) / counts**2
    truncation = int(np.argmin(error[::-1][: m // 2 + 1]))
    return truncation * BATCH if truncation < m // 2 else None


def warmup_end(flows: pl.DataFrame, received: pl.DataFrame, to_s: float, step_s: float) -> tuple[float, bool]:
    """When the last forward flow settles, by `mser` of the payload that it receives in each step.

    Parameters
    ----------
    flows : DataFrame
        The table `flows`.
    received : DataFrame
        The trace ``received_bytes``.
    to_s : float
        When the simulation ended.
    step_s : float
        How long a step is: a round trip, so that a burst does not look like a change; 0 means `NO_DELAY_STEP_S`.

    Returns
    -------
    from_s : float
        The share `UNFOUND` of the simulated time if nothing was found.
    settled : bool
        Whether it was found.
    """
    if flows.is_empty():  # only other traffic
        return UNFOUND * to_s, False
    step_s = step_s or NO_DELAY_STEP_S
    latest = 0.0
    for flow in flows.filter(pl.col("direction") == "forward").iter_rows(named=True):
        ends = [to_s, *(flow[name] for name in ("finish_s", "stop_s") if flow[name] is not None)]
        steps = int((min(ends) - flow["start_s"]) / step_s)
        bounds = pl.DataFrame({"time_s": [flow["start_s"] + step_s * number for number in range(steps + 1)]})
        flow_trace = received.filter(pl.col("flow") == flow["flow"]).select("time_s", "value")
        gained = bounds.join_asof(flow_trace, on="time_s")["value"].fill_null(0).diff().drop_nulls()
        left_out = mser(gained.to_numpy())
        if left_out is None:
            return UNFOUND * to_s, False
        latest = max(latest, flow["start_s"] + left_out * step_s)
    return latest, True

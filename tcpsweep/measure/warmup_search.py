# SPDX-License-Identifier: MIT
"""Where a simulation's beginning ends, found in what its flows received."""

import polars as pl

BATCH = 5
LEAST_BATCHES = 10


def mser(values, batch=BATCH):
    """How many of a series' first values to leave out: the truncation with the least marginal standard error, MSER-5.

    Of all truncations d in the first half of the batch means z it is the one that makes Σ (zᵢ − z̄)² / (m − d)² the
    least, over the m − d batches that are left.

    White: An Effective Truncation Heuristic for Bias Reduction in Simulation Output. Simulation 69(6), 1997; with
    batches: White, Cobb, Spratt: A Comparison of Five Steady-State Truncation Heuristics for Simulation, WSC 2000.

    Parameters
    ----------
    values : array
    batch : int

    Returns
    -------
    int or None
        None where there are fewer than `LEAST_BATCHES` batches, or where the least lies at the end of the first half,
        so that it may lie beyond.
    """
    import numpy as np

    m = len(values) // batch
    if m < LEAST_BATCHES:
        return None
    means = np.asarray(values, dtype=float)[: m * batch].reshape(m, batch).mean(axis=1)
    # Of the batches from d on: their number, sum and sum of squares, about a value that keeps these small.
    left = means[::-1] - means[m // 2 :].mean()
    number, total, squares = np.arange(1, m + 1), np.cumsum(left), np.cumsum(left**2)
    error = np.maximum(0, squares - total**2 / number) / number**2
    truncation = int(np.argmin(error[::-1][: m // 2 + 1]))
    return truncation * batch if truncation < m // 2 else None


def found(flows, received, to_s, step_s):
    """When the last of the forward flows has settled, by `mser` of the payload that each received in every step.

    Parameters
    ----------
    flows : DataFrame
        The table `flows`.
    received : DataFrame
        The trace ``received_bytes``.
    to_s : float
        When the simulation ended.
    step_s : float
        How long a step is: a round trip, so that a burst does not look like a change.

    Returns
    -------
    from_s : float
        Half the time, where it was not found.
    settled : bool
        Whether it was.
    """
    latest = 0.0
    for flow in flows.filter(pl.col("direction") == "forward").iter_rows(named=True):
        ends = [to_s, *(flow[name] for name in ("finish_s", "stop_s") if flow[name] is not None)]
        steps = int((min(ends) - flow["start_s"]) / step_s)
        bounds = pl.DataFrame({"time_s": [flow["start_s"] + step_s * number for number in range(steps + 1)]})
        own = received.filter(pl.col("flow") == flow["flow"]).select("time_s", "value")
        gained = bounds.join_asof(own, on="time_s")["value"].fill_null(0).diff().drop_nulls()
        left_out = mser(gained.to_numpy())
        if left_out is None:
            return to_s / 2, False
        latest = max(latest, flow["start_s"] + left_out * step_s)
    return latest, True

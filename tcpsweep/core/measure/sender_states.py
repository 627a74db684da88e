# SPDX-License-Identifier: MIT
"""The flows' congestion states, how often they were entered, and the limits besides the congestion window."""

from typing import Any

import numpy as np
import numpy.typing as npt

from tcpsweep.core.measure import flow_rows, steadiness
from tcpsweep.core.measure.cell import Cell, OfFlows, by_metric

_OPEN, _DISORDER, _CWR, _RECOVERY, _LOSS = range(5)
_STATES = {"open": _OPEN, "disorder": _DISORDER, "CWR": _CWR, "recovery": _RECOVERY, "loss": _LOSS}
_LIMITS = ("receiver_limited", "application_limited", "send_buffer_limited")


def limits(cell: Cell) -> OfFlows:
    """Shares of time in which something other than the congestion window limited the sender."""
    return {
        f"{limit}_share": cell.of_lives((cell.gain(f"{limit}_s") / cell.lengths_s).tolist())
        for limit in _LIMITS
        if f"{limit}_s" in cell.traces
    }


def _shares(state: npt.NDArray[Any], time_s: npt.NDArray[Any], from_s: float, to_s: float) -> dict[str, float | None]:
    """Shares of a flow's life in each congestion state; a flow begins in state open, which has no row."""
    begins_s = np.clip(np.concatenate(([-np.inf], time_s)), from_s, to_s)
    held_s = np.diff(begins_s, append=to_s)
    value = np.concatenate(([float(_OPEN)], state))
    return {f"{name}_share": float(held_s[value == number].sum() / (to_s - from_s)) for name, number in _STATES.items()}


def _without_moments(state: npt.NDArray[Any], time_s: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The states without those of moments in which a recovery ends and the next begins: Linux stays in it there.

    In other states, both are different reductions of the window, such as for two marks of ECN.
    """
    is_first, is_last = np.diff(time_s, prepend=-np.inf) > 0, np.diff(time_s, append=np.inf) > 0
    state_before = np.concatenate(([float(_OPEN)], state[:-1]))[is_first]
    is_one_recovery = (state_before == _RECOVERY) & (state[is_last] == _RECOVERY)
    is_kept = is_last | ~is_one_recovery[np.cumsum(is_first) - 1]
    return state[is_kept], time_s[is_kept]


def states(cell: Cell) -> OfFlows:
    """Shares of time in each congestion state, how often these were entered, and whether the flow is steady."""
    if "congestion_state" not in cell.traces:
        return {}
    trace = cell.traces["congestion_state"]
    trace_of_flow, nothing = flow_rows.rows_by_flow(trace, "value", "time_s"), (np.zeros(0), np.zeros(0))
    levels = steadiness.level(cell)
    metrics: OfFlows = {name: {} for name in ("cwnd_reductions", "fast_recoveries", "congestion_epochs", "steady")}
    shares = {}
    for flow, from_s, to_s in cell.life_rows:
        state, time_s = trace_of_flow.get(flow, nothing)
        shares[flow] = _shares(state, time_s, from_s, to_s)
        state, time_s = _without_moments(state, time_s)
        previous = np.concatenate(([float(_OPEN)], state[:-1]))
        is_counted = (time_s > from_s) & (time_s <= to_s) & (state != previous)
        is_reduction = is_counted & (state >= _CWR)
        epochs = int(np.count_nonzero(is_reduction & (previous < _CWR)))
        metrics["cwnd_reductions"][flow] = int(np.count_nonzero(is_reduction))
        metrics["fast_recoveries"][flow] = int(np.count_nonzero(is_counted & (state == _RECOVERY)))
        metrics["congestion_epochs"][flow] = epochs
        metrics["steady"][flow] = int(steadiness.is_steady(epochs, levels[flow]) and cell.warmup != "missed")
    return by_metric(shares) | metrics

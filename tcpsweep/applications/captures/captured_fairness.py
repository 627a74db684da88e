# SPDX-License-Identifier: MIT
"""Jain's index of captured flows over windows of time, in memory and time that grow with the packets."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import polars as pl

Numbers = npt.NDArray[np.float64]


def over_time(flows: pl.DataFrame, received: Mapping[int, tuple[Numbers, Numbers]], width_s: float) -> pl.DataFrame:
    """Jain's index over the windows in which a flow delivered something, as `measure.fairness.over_time` has it.

    Parameters
    ----------
    flows : DataFrame
        ``flow``, and ``start_s`` and ``stop_s``, the times of its first and last packet.
    received : dict
        By the flow's number: the times at which it delivered payload, in order, and the bytes until then.
    width_s : float
        The length of a window. Window n begins at n · ``width_s``.

    Returns
    -------
    DataFrame
        ``from_s``; ``flows``, the number of flows that are present throughout the window; ``jain``. It leaves out
        windows with fewer than two such flows, and windows without data. A capture may span years, so empty windows
        have no row.
    """
    lives = {flow: (start_s, stop_s) for flow, start_s, stop_s in flows.select("flow", "start_s", "stop_s").rows()}
    gains = [_gains(*received[flow], width_s, *lives[flow]) for flow in lives if flow in received]
    numbers = np.concatenate([np.zeros(0, np.int64), *(number for number, _ in gains)])
    gain = np.concatenate([np.zeros(0), *(gained for _, gained in gains)])
    windows, place = np.unique(numbers, return_inverse=True)
    total, squares = (np.bincount(place, weights, len(windows)) for weights in (gain, gain * gain))
    present = [_present(width_s, *life) for life in lives.values()]
    first, last = np.array([each for each in present if each[0] <= each[1]], np.int64).reshape(-1, 2).T
    counts = np.searchsorted(np.sort(first), windows, side="right") - np.searchsorted(np.sort(last), windows)
    several = (counts > 1) & (squares > 0)
    windows, counts, total, squares = windows[several], counts[several], total[several], squares[several]
    found = {"from_s": windows * width_s, "flows": counts, "jain": total**2 / (counts * squares)}
    return pl.DataFrame(found, schema={"from_s": pl.Float64, "flows": pl.Int32, "jain": pl.Float64})


def _present(width_s: float, start_s: float, stop_s: float) -> tuple[int, int]:
    """The first and the last window throughout which a flow is present; the last may lie before the first."""
    return int(np.ceil(start_s / width_s)), int(np.floor((stop_s + 1e-9) / width_s)) - 1


def _gains(
    time_s: Numbers, total: Numbers, width_s: float, start_s: float, stop_s: float
) -> tuple[npt.NDArray[np.int64], Numbers]:
    """The windows throughout which a flow is present and delivers something, and the bytes of each."""
    # A window includes its end, not its begin.
    number = np.maximum(np.ceil(np.asarray(time_s, float) / width_s) - 1, 0).astype(np.int64)
    first, last = _present(width_s, start_s, stop_s)
    gained = np.diff(np.asarray(total, float), prepend=0)
    counts = (number >= first) & (number <= last) & (gained > 0)
    windows, place = np.unique(number[counts], return_inverse=True)
    return windows, np.bincount(place, gained[counts], len(windows)).astype(float)

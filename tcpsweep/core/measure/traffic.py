# SPDX-License-Identifier: MIT
"""The metrics of applications' traffic: transfer times, video playback and the packets of calls."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.measure.cell import Cell
from tcpsweep.core.measure.percentiles import PERCENTILES
from tcpsweep.core.words import size_classes

_Numbers: TypeAlias = npt.NDArray[np.float64]
_Values: TypeAlias = dict[str, float | None]

# The kinds whose transfers' times are metrics, each with the prefix of its metrics' names.
_DURATIONS = {"arrivals": "fct", "incast": "round_time", "on-off": "burst_time", "web": "page_load_time"}


def metrics(cell: Cell) -> dict[str, tuple[str, dict[str, float]]]:
    """The variant and the defined metrics of each group of traffic, by its name.

    A percentile is infinite if it falls on an unfinished transfer.
    """
    by_group = {}
    for group in cell.traffic:
        values = _METRICS_OF_KIND[group["kind"]](group) if group["kind"] in _METRICS_OF_KIND else {}
        if group["kind"] != "realtime" and cell.transfers is not None:
            values = _transfer_metrics(cell, cell.transfers, group) | values
        defined = {name: float(value) for name, value in values.items() if value is not None}
        by_group[group["name"]] = group["variant"], defined
    return by_group


def _transfer_metrics(cell: Cell, transfers: pl.DataFrame, group: Mapping[str, Any]) -> _Values:
    """The outcomes and durations of a group's transfers."""
    own = transfers.filter(pl.col("traffic") == group["name"], pl.col("start_s") >= cell.from_s)
    start_s, finish_s, alone_s = (
        own[name].cast(pl.Float64).fill_null(math.nan).to_numpy() for name in ("start_s", "finish_s", "alone_s")
    )
    duration_s = np.where(np.isnan(finish_s), np.inf, finish_s - start_s)
    observed_s = np.where(np.isnan(finish_s), cell.to_s, finish_s) - start_s  # or until the simulation's end
    count, finished = len(start_s), int(np.isfinite(duration_s).sum())
    values: _Values = {"transfers": count, "finished_transfers": finished}
    if count:
        values["unfinished_share"] = (count - finished) / count
    if group["kind"] == "arrivals":
        values |= _slowdowns(duration_s, observed_s, own["bytes"].to_numpy(), alone_s)
    if group["kind"] == "incast":
        values["round_goodput_bps"] = _goodput(start_s, observed_s, own["received_bytes"].to_numpy())
    if group["kind"] in _DURATIONS:
        values |= {f"{name}_s": value for name, value in _percentiles(_DURATIONS[group["kind"]], duration_s).items()}
    return values


def _percentiles(name: str, values: _Numbers) -> _Values:
    """The percentiles of values, which may be infinite: the smallest value that the given share does not exceed."""
    in_order = np.sort(values)
    # With the tolerance, a share counts as reached despite rounding errors.
    places = {rank: math.ceil(share * len(values) - 1e-9) - 1 for rank, share in PERCENTILES.items()}
    return {f"{name}_{rank}": float(in_order[place]) for rank, place in places.items()} if len(values) else {}


def _slowdowns(duration_s: _Numbers, observed_s: _Numbers, sizes: npt.NDArray[np.int64], alone_s: _Numbers) -> _Values:
    """The mean and percentiles of the slowdown, of all flows and by the classes of their sizes."""
    is_comparable = alone_s > 0  # False for NaN
    alone_s, known_sizes = alone_s[is_comparable], sizes[is_comparable]
    slowdown, observed = duration_s[is_comparable] / alone_s, np.maximum(observed_s[is_comparable] / alone_s, 1)
    at_least = np.where(np.isfinite(slowdown), slowdown, observed)

    def metrics_of(suffix: str, is_chosen: npt.NDArray[np.bool_]) -> _Values:
        if not is_chosen.any():
            return {}
        ranks = {f"{name}{suffix}": value for name, value in _percentiles("slowdown", slowdown[is_chosen]).items()}
        return {f"slowdown_mean{suffix}": float(at_least[is_chosen].mean())} | ranks

    values = metrics_of("", np.ones(len(known_sizes), bool))
    for name, (lower, upper) in size_classes.BYTES.items():
        upper_or_inf = math.inf if upper is None else upper
        values[f"transfers_{name}"] = int(((sizes > lower) & (sizes <= upper_or_inf)).sum())
        values |= metrics_of(f"_{name}", (known_sizes > lower) & (known_sizes <= upper_or_inf))
    return values


def _goodput(start_s: _Numbers, observed_s: _Numbers, received_bytes: npt.NDArray[np.int64]) -> float | None:
    """The payload that was read, divided by the time in which any transfer was in progress."""
    if not len(start_s):
        return None
    in_order = np.argsort(start_s, kind="stable")
    start_s = start_s[in_order]
    end_s = np.maximum.accumulate(start_s + observed_s[in_order])
    busy_s = end_s - np.maximum(start_s, np.concatenate(([-np.inf], end_s[:-1])))
    total_s = float(np.maximum(busy_s, 0).sum())
    return int(received_bytes.sum()) * 8 / total_s if total_s > 0 else None


def _video(group: Mapping[str, Any]) -> _Values:
    """Means over a group's players."""
    players = group["players"]
    delays_s = [player["startup_delay_s"] for player in players]
    # Stalls are undefined before playback starts, and bitrates before the first chunk arrives: 0 would look best.
    started = [player for player in players if player["startup_delay_s"] is not None]
    fetched = [player for player in players if player["mean_bitrate_bps"] is not None]
    return {
        "startup_delay_mean_s": _mean([math.inf if delay_s is None else delay_s for delay_s in delays_s]),
        "stalled_share": _mean([player["stalled_share"] for player in started]),
        "stalled_s": _mean([player["stalled_s"] for player in started]),
        "stalls": _mean([player["stalls"] for player in started]),
        "mean_bitrate_bps": _mean([player["mean_bitrate_bps"] for player in fetched]),
        "bitrate_switches": _mean([player["switches"] for player in fetched]),
    }


def _mean(values: list[float | None]) -> float | None:
    """The mean of the values that are not None."""
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None


def _realtime(group: Mapping[str, Any]) -> _Values:
    """The packets of all of a group's flows together."""
    flows = group["flows"]
    sent, received, late, lost = (
        sum(flow[f"{name}_packets"] for flow in flows) for name in ("sent", "received", "late", "lost")
    )
    values: _Values = {}
    if sent:
        values |= {"lost_share": lost / sent, "missed_share": (late + lost) / sent}
    if received:
        delay_sum_s = sum((flow["mean_delay_s"] or 0.0) * flow["received_packets"] for flow in flows)
        longest_s = max(flow["longest_delay_s"] for flow in flows)
        values |= {"late_share": late / received, "realtime_delay_mean_s": delay_sum_s / received}
        values |= {"realtime_delay_max_s": longest_s}
    return values


_METRICS_OF_KIND: dict[str, Callable[[Mapping[str, Any]], _Values]] = {"video": _video, "realtime": _realtime}

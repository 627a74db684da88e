# SPDX-License-Identifier: MIT
"""The bottleneck's utilisation, queueing delays and queue length, and Little's law."""

from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.measure.cell import Cell, Numbers
from tcpsweep.measure.percentiles import PERCENTILES
from tcpsweep.words import table_columns

_TRANSMIT, _DROP_AFTER_WAIT = (
    table_columns.EVENT.categories.to_list().index(event) for event in ("transmit", "drop_after_wait")
)


class _Left(NamedTuple):
    """The packets that left the forward queue: when, after how long, and whether they were transmitted."""

    time_s: Numbers
    delay_s: Numbers
    flow: npt.NDArray[np.int32]
    wire_bytes: npt.NDArray[np.int64]
    transmitted: npt.NDArray[np.bool_]


def _left(queue: pl.DataFrame) -> _Left:
    event, direction = (queue[name].to_physical().to_numpy() for name in ("event", "direction"))
    forward = direction == table_columns.DIRECTION.categories.to_list().index("forward")
    left = forward & ((event == _TRANSMIT) | (event == _DROP_AFTER_WAIT))
    time_s, delay_s = (queue[name].cast(pl.Float64).to_numpy()[left] for name in ("time_s", "delay_s"))
    flow, wire_bytes = (queue[name].to_numpy()[left] for name in ("flow", "wire_bytes"))
    return _Left(time_s, delay_s, flow, wire_bytes, event[left] == _TRANSMIT)


def metrics(cell: Cell, queue: pl.DataFrame) -> dict[str, float]:
    """All of this file's metrics: `_link`, `_queue_percentiles` and `_littles_law`."""
    left = _left(queue)
    return _link(cell, left) | _queue_percentiles(cell, left) | _littles_law(cell, left)


def _within(cell: Cell, time_s: Numbers) -> npt.NDArray[np.bool_]:
    """Which times lie in the time that counts."""
    return (time_s > cell.from_s) & (time_s <= cell.to_s)


def _link(cell: Cell, left: _Left) -> dict[str, float]:
    """Utilisation, and the queueing delays of all packets, those of no flow of the sweep included.

    Where there are such packets, of CBR flows or ACKs of reverse flows, at any time, utilisation is split by kind too.
    """
    sent = left.transmitted & _within(cell, left.time_s)
    delay_s, wire_bytes, of_flows = pl.Series(left.delay_s[sent]), left.wire_bytes[sent], left.flow[sent] >= 0
    found = {"network_queueing_delay_mean_s": delay_s.mean()} | {
        f"network_queueing_delay_{rank}_s": delay_s.quantile(share, "equiprobable")
        for rank, share in PERCENTILES.items()
    }
    could_bytes = cell.capacity_bps * (cell.to_s - cell.from_s) / 8
    kinds = {"utilisation": wire_bytes}
    if (left.transmitted & (left.flow < 0)).any():
        kinds["utilisation_flows"] = wire_bytes[of_flows]
        kinds["utilisation_other"] = wire_bytes[~of_flows]
    shares = {name: int(lengths.sum()) / could_bytes for name, lengths in kinds.items()}
    return cast("dict[str, float]", found) | shares


def _queue_percentiles(cell: Cell, left: _Left) -> dict[str, float]:
    """Time-weighted mean and percentiles of the packets in disc and device; empty if nothing was ever queued.

    The table `queue` has a row for each packet that leaves, with the time that it has waited, so it came that much
    earlier. Packets that are still queued at the end have no row.
    """
    time_s = np.concatenate((left.time_s - left.delay_s, left.time_s))
    in_order = np.argsort(time_s, kind="stable")
    time_s, packets = time_s[in_order], np.cumsum(np.where(in_order < len(left.time_s), 1, -1))
    until_s = np.append(time_s[1:], cell.to_s)
    held_s = np.minimum(until_s, cell.to_s) - np.maximum(time_s, cell.from_s)
    counts = held_s > 0
    if not counts.any():
        return {}
    held = pl.DataFrame({"packets": packets[counts], "held_s": held_s[counts]}).sort("packets")
    total_s = cell.to_s - cell.from_s
    missing_s = total_s - cast(float, held["held_s"].sum())  # before the first packet came
    reached = (np.cumsum(held["held_s"].to_numpy()) + missing_s) / total_s
    found = {"queue_mean_packets": cast(float, (held["packets"] * held["held_s"]).sum()) / total_s}
    for rank, share in PERCENTILES.items():
        below = missing_s / total_s >= share
        length = 0 if below else held["packets"][int(np.argmax(reached >= share - 1e-12))]
        found[f"queue_{rank}_packets"] = cast(float, length)
    return found


def _littles_law(cell: Cell, left: _Left) -> dict[str, float]:
    """Little's law of the forward queue: its arrival rate, the mean time in it, and their product.

    Empty if no packet came in the time that counts.

    Little: A Proof for the Queuing Formula L = λW. Operations Research 9(3), 1961.
    """
    wait_s = pl.Series(left.delay_s[_within(cell, left.time_s - left.delay_s)])
    if wait_s.is_empty():
        return {}
    rate = len(wait_s) / (cell.to_s - cell.from_s)
    mean_s = cast(float, wait_s.mean())
    return {"queue_arrival_rate_pps": rate, "queue_wait_mean_s": mean_s, "queue_little_packets": rate * mean_s}

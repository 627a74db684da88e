# SPDX-License-Identifier: MIT
"""Utilisation, queueing delays, queue lengths, Little's law, drops and marks of links and of the network."""

from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.measure.cell import Cell, Numbers, Queue
from tcpsweep.core.measure.percentiles import PERCENTILES
from tcpsweep.core.parse.parsed import Way
from tcpsweep.core.words import table_columns

_EVENTS = table_columns.EVENT.categories.to_list()
_TRANSMIT, _DROP_AFTER_WAIT = (_EVENTS.index(event) for event in ("transmit", "drop_after_wait"))


class _Left(NamedTuple):
    """The packets that left a queue: when, after how long, and whether they were transmitted."""

    time_s: Numbers
    delay_s: Numbers
    flow: npt.NDArray[np.int32]
    wire_bytes: npt.NDArray[np.int64]
    transmitted: npt.NDArray[np.bool_]


def _left(queue: pl.DataFrame) -> _Left:
    event = queue["event"].to_physical().to_numpy()
    left = (event == _TRANSMIT) | (event == _DROP_AFTER_WAIT)
    time_s, delay_s = (queue[name].cast(pl.Float64).to_numpy()[left] for name in ("time_s", "delay_s"))
    flow, wire_bytes = (queue[name].to_numpy()[left] for name in ("flow", "wire_bytes"))
    return _Left(time_s, delay_s, flow, wire_bytes, event[left] == _TRANSMIT)


def metrics(cell: Cell) -> dict[Way, dict[str, float]]:
    """The metrics of each link and direction: `_link`, `_queue_percentiles` and `_littles_law`.

    Without named links, they cover only the direction of forward flows' data. With named links, they include the
    outcomes of packets, `_fates`, and whether the link is the bottleneck, ``binds``.
    """
    ways = list(cell.queues) if cell.names_links else cell.crossed
    of_links = {way: _metrics(cell, cell.queues[way]) for way in ways}
    if cell.names_links:
        for way, values in of_links.items():
            values |= {"binds": float(way == cell.reference)} | _fates(cell, cell.queues[way].rows)
    return of_links


def binding(of_links: dict[Way, dict[str, float]]) -> dict[str, float]:
    """The metrics of the link that ``binds``, from `metrics`: the network's metrics; none if there is no link."""
    values = next((values for values in of_links.values() if values.get("binds", 1.0)), {})
    return {name: value for name, value in values.items() if name != "binds" and name not in _FATES}


def _metrics(cell: Cell, queue: Queue) -> dict[str, float]:
    left = _left(queue.rows)
    return _link(cell, left, queue) | _queue_percentiles(cell, left) | _littles_law(cell, left)


_FATES = ("lost_packets", "congestion_loss", "random_loss", "ecn_marks")


def _fates(cell: Cell, rows: pl.DataFrame) -> dict[str, float]:
    """The numbers and shares of all packets that were dropped, lost and marked: `_FATES`, as for flows in `losses`."""
    event = rows["event"].to_physical().to_numpy()
    counts = np.bincount(event[_within(cell, rows["time_s"].cast(pl.Float64).to_numpy())], minlength=len(_EVENTS))
    happened = dict(zip(_EVENTS, counts.tolist(), strict=True))
    drops = happened["drop"] + happened["drop_after_wait"]
    fates: dict[str, float] = {"lost_packets": drops + happened["loss"]}
    if came := happened["transmit"] + drops:
        fates |= {"congestion_loss": drops / came, "ecn_marks": happened["mark"] / came}
    if happened["transmit"]:
        fates["random_loss"] = happened["loss"] / happened["transmit"]
    return fates


def _within(cell: Cell, time_s: Numbers) -> npt.NDArray[np.bool_]:
    """Which times lie in the time that counts."""
    return (time_s > cell.from_s) & (time_s <= cell.to_s)


def _used_ns(cell: Cell, left: _Left, queue: Queue) -> Numbers:
    """The link capacity that each packet in ``left`` took within the time that counts, in ns at the link's mean rate.

    A packet's transmission begins when it leaves the queue. It ends at the latest when the next one begins. The link's
    capacity during this time counts, so that the sum never exceeds the total capacity. Times are whole nanoseconds.
    """
    if not queue.rates:
        sent = left.transmitted & _within(cell, left.time_s)
        return np.where(sent, (left.wire_bytes - queue.header_bytes) * 8e9 / queue.capacity_bps, 0)
    used_ns = np.zeros(len(left.time_s))
    begin_ns, wire_bytes = np.rint(left.time_s[left.transmitted] * 1e9), left.wire_bytes[left.transmitted]
    since_s, rate_bps = np.array(queue.rates).T
    packet_bps = rate_bps[np.maximum(np.searchsorted(since_s, left.time_s[left.transmitted], "right") - 1, 0)]
    end_ns = np.minimum(begin_ns + np.rint(wire_bytes * 8e9 / packet_bps), np.append(begin_ns[1:], np.inf))
    from_ns, to_ns = np.rint(cell.from_s * 1e9), np.rint(cell.to_s * 1e9)
    ends_ns = np.append(np.rint(since_s * 1e9), max(to_ns, since_s[-1] * 1e9 + 1))
    could_ns = np.append(0, np.cumsum(np.diff(ends_ns) * (rate_bps / queue.capacity_bps)))
    until, since = (np.interp(np.clip(time_ns, from_ns, to_ns), ends_ns, could_ns) for time_ns in (end_ns, begin_ns))
    used_ns[left.transmitted] = until - since
    return used_ns


def _link(cell: Cell, left: _Left, queue: Queue) -> dict[str, float]:
    """Utilisation, and the queueing delays of all packets, including packets that belong to no flow of the sweep.

    If there ever are such packets, from CBR flows or as ACKs of reverse flows, utilisation is also split by kind.
    """
    sent = left.transmitted & _within(cell, left.time_s)
    delay_s, of_flows = pl.Series(left.delay_s[sent]), left.flow >= 0
    delays = {"network_queueing_delay_mean_s": delay_s.mean()} | {
        f"network_queueing_delay_{rank}_s": delay_s.quantile(share, "equiprobable")
        for rank, share in PERCENTILES.items()
    }
    used_ns, all_ns = _used_ns(cell, left, queue), np.rint(cell.to_s * 1e9) - np.rint(cell.from_s * 1e9)
    kinds = {"utilisation": used_ns}
    if (left.transmitted & ~of_flows).any():
        kinds["utilisation_flows"] = used_ns[of_flows]
        kinds["utilisation_other"] = used_ns[~of_flows]
    # A trace may deliver a packet in parts, and some parts may come after the end.
    shares = {name: min(1.0, float(lengths.sum() / all_ns)) for name, lengths in kinds.items()}
    defined = {name: cast(float, value) for name, value in delays.items() if value is not None}
    return defined | shares


def _queue_percentiles(cell: Cell, left: _Left) -> dict[str, float]:
    """Time-weighted mean and percentiles of the packets in disc and device; empty if nothing was ever queued.

    The table `queue` has a row for each packet that leaves, with its wait. The packet's arrival is its departure minus
    this wait. Packets that are still queued at the end have no row.
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
    lengths = {"queue_mean_packets": cast(float, (held["packets"] * held["held_s"]).sum()) / total_s}
    for rank, share in PERCENTILES.items():
        below = missing_s / total_s >= share
        length = 0 if below else held["packets"][int(np.argmax(reached >= share - 1e-12))]
        lengths[f"queue_{rank}_packets"] = cast(float, length)
    return lengths


def _littles_law(cell: Cell, left: _Left) -> dict[str, float]:
    """Little's law of a queue: its arrival rate, the mean time in it, and their product.

    Empty if no packet came in the time that counts.

    Little: A Proof for the Queuing Formula L = λW. Operations Research 9(3), 1961.
    """
    wait_s = pl.Series(left.delay_s[_within(cell, left.time_s - left.delay_s)])
    if wait_s.is_empty():
        return {}
    rate = len(wait_s) / (cell.to_s - cell.from_s)
    mean_s = cast(float, wait_s.mean())
    return {"queue_arrival_rate_pps": rate, "queue_wait_mean_s": mean_s, "queue_little_packets": rate * mean_s}

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


class _Departures(NamedTuple):
    """The packets that left a queue, transmitted or dropped: when, and after how long."""

    time_s: Numbers
    delay_s: Numbers
    flow: npt.NDArray[np.int32]
    wire_bytes: npt.NDArray[np.int64]
    transmitted: npt.NDArray[np.bool_]


def _departures(queue: pl.DataFrame) -> _Departures:
    event = queue["event"].to_physical().to_numpy()
    has_left = (event == _TRANSMIT) | (event == _DROP_AFTER_WAIT)
    time_s, delay_s = (queue[name].cast(pl.Float64).to_numpy()[has_left] for name in ("time_s", "delay_s"))
    flow, wire_bytes = (queue[name].to_numpy()[has_left] for name in ("flow", "wire_bytes"))
    return _Departures(time_s, delay_s, flow, wire_bytes, event[has_left] == _TRANSMIT)


def metrics(cell: Cell) -> dict[Way, dict[str, float]]:
    """The metrics of each link and direction: `_link`, `_queue_percentiles` and `_littles_law`.

    Without named links, they cover only the direction of forward flows' data. With named links, they include the
    outcomes of packets, `_packet_fates`, and whether the link is the bottleneck, ``binds``.
    """
    ways = list(cell.queues) if cell.names_links else cell.crossed
    of_links = {way: _metrics(cell, cell.queues[way]) for way in ways}
    if cell.names_links:
        for way, values in of_links.items():
            values |= {"binds": float(way == cell.reference)} | _packet_fates(cell, cell.queues[way].rows)
    return of_links


def binding(of_links: dict[Way, dict[str, float]]) -> dict[str, float]:
    """The metrics of the link that ``binds``, from `metrics`: the network's metrics; none if there is no link."""
    values = next((values for values in of_links.values() if values.get("binds", 1.0)), {})
    return {name: value for name, value in values.items() if name != "binds" and name not in _FATE_METRICS}


def _metrics(cell: Cell, queue: Queue) -> dict[str, float]:
    departed = _departures(queue.rows)
    return _link(cell, departed, queue) | _queue_percentiles(cell, departed) | _littles_law(cell, departed)


_FATE_METRICS = ("lost_packets", "congestion_loss", "random_loss", "ecn_marks")


def _packet_fates(cell: Cell, rows: pl.DataFrame) -> dict[str, float]:
    """The `_FATE_METRICS` of all packets that were dropped, lost and marked, as for flows in `losses`."""
    event = rows["event"].to_physical().to_numpy()
    counts = np.bincount(event[_is_within(cell, rows["time_s"].cast(pl.Float64).to_numpy())], minlength=len(_EVENTS))
    count_by_event = dict(zip(_EVENTS, counts.tolist(), strict=True))
    drops = count_by_event["drop"] + count_by_event["drop_after_wait"]
    fates: dict[str, float] = {"lost_packets": drops + count_by_event["loss"]}
    if arrived := count_by_event["transmit"] + drops:
        fates |= {"congestion_loss": drops / arrived, "ecn_marks": count_by_event["mark"] / arrived}
    if count_by_event["transmit"]:
        fates["random_loss"] = count_by_event["loss"] / count_by_event["transmit"]
    return fates


def _is_within(cell: Cell, time_s: Numbers) -> npt.NDArray[np.bool_]:
    """Which times lie in the time that counts."""
    return (time_s > cell.from_s) & (time_s <= cell.to_s)


def _used_ns(cell: Cell, departed: _Departures, queue: Queue) -> Numbers:
    """The link capacity that each departed packet took within the time that counts, in ns at the link's mean rate.

    A packet's transmission begins when it leaves the queue. It ends at the latest when the next one begins. The link's
    capacity during this time counts, so that the sum never exceeds the total capacity. Times are whole nanoseconds.
    """
    if not queue.rates:
        is_sent = departed.transmitted & _is_within(cell, departed.time_s)
        return np.where(is_sent, (departed.wire_bytes - queue.header_bytes) * 8e9 / queue.capacity_bps, 0)
    used_ns = np.zeros(len(departed.time_s))
    begin_ns, wire_bytes = (
        np.rint(departed.time_s[departed.transmitted] * 1e9),
        departed.wire_bytes[departed.transmitted],
    )
    change_s, rate_bps = np.array(queue.rates).T
    packet_bps = rate_bps[np.maximum(np.searchsorted(change_s, departed.time_s[departed.transmitted], "right") - 1, 0)]
    end_ns = np.minimum(begin_ns + np.rint(wire_bytes * 8e9 / packet_bps), np.append(begin_ns[1:], np.inf))
    from_ns, to_ns = np.rint(cell.from_s * 1e9), np.rint(cell.to_s * 1e9)
    ends_ns = np.append(np.rint(change_s * 1e9), max(to_ns, change_s[-1] * 1e9 + 1))
    capacity_ns = np.append(0, np.cumsum(np.diff(ends_ns) * (rate_bps / queue.capacity_bps)))
    until, since = (np.interp(np.clip(time_ns, from_ns, to_ns), ends_ns, capacity_ns) for time_ns in (end_ns, begin_ns))
    used_ns[departed.transmitted] = until - since
    return used_ns


def _link(cell: Cell, departed: _Departures, queue: Queue) -> dict[str, float]:
    """Utilisation, and the queueing delays of all packets, including packets that belong to no flow of the sweep.

    If there ever are such packets, from CBR flows or as ACKs of reverse flows, utilisation is also split by kind.
    """
    is_sent = departed.transmitted & _is_within(cell, departed.time_s)
    delay_s, of_flows = pl.Series(departed.delay_s[is_sent]), departed.flow >= 0
    delays = {"network_queueing_delay_mean_s": delay_s.mean()} | {
        f"network_queueing_delay_{rank}_s": delay_s.quantile(share, "equiprobable")
        for rank, share in PERCENTILES.items()
    }
    used_ns, all_ns = _used_ns(cell, departed, queue), np.rint(cell.to_s * 1e9) - np.rint(cell.from_s * 1e9)
    used_by_metric = {"utilisation": used_ns}
    if (departed.transmitted & ~of_flows).any():
        used_by_metric["utilisation_flows"] = used_ns[of_flows]
        used_by_metric["utilisation_other"] = used_ns[~of_flows]
    # A trace may deliver a packet in parts, and some parts may come after the end.
    shares = {name: min(1.0, float(lengths.sum() / all_ns)) for name, lengths in used_by_metric.items()}
    defined = {name: cast(float, value) for name, value in delays.items() if value is not None}
    return defined | shares


def _queue_percentiles(cell: Cell, departed: _Departures) -> dict[str, float]:
    """Time-weighted mean and percentiles of the packets in disc and device; empty if nothing was ever queued.

    The table `queue` has a row for each packet that leaves, with its wait. The packet's arrival is its departure minus
    this wait. Packets that are still queued at the end have no row.
    """
    time_s = np.concatenate((departed.time_s - departed.delay_s, departed.time_s))
    in_order = np.argsort(time_s, kind="stable")
    time_s, packets = time_s[in_order], np.cumsum(np.where(in_order < len(departed.time_s), 1, -1))
    until_s = np.append(time_s[1:], cell.to_s)
    held_s = np.minimum(until_s, cell.to_s) - np.maximum(time_s, cell.from_s)
    is_held = held_s > 0
    if not is_held.any():
        return {}
    lengths_held = pl.DataFrame({"packets": packets[is_held], "held_s": held_s[is_held]}).sort("packets")
    total_s = cell.to_s - cell.from_s
    missing_s = total_s - cast(float, lengths_held["held_s"].sum())  # before the first packet came
    share_reached = (np.cumsum(lengths_held["held_s"].to_numpy()) + missing_s) / total_s
    values = {"queue_mean_packets": cast(float, (lengths_held["packets"] * lengths_held["held_s"]).sum()) / total_s}
    for rank, share in PERCENTILES.items():
        below = missing_s / total_s >= share
        length = 0 if below else lengths_held["packets"][int(np.argmax(share_reached >= share - 1e-12))]
        values[f"queue_{rank}_packets"] = cast(float, length)
    return values


def _littles_law(cell: Cell, departed: _Departures) -> dict[str, float]:
    """Little's law of a queue: its arrival rate, the mean time in it, and their product.

    Empty if no packet came in the time that counts.

    Little: A Proof for the Queuing Formula L = λW. Operations Research 9(3), 1961.
    """
    wait_s = pl.Series(departed.delay_s[_is_within(cell, departed.time_s - departed.delay_s)])
    if wait_s.is_empty():
        return {}
    rate = len(wait_s) / (cell.to_s - cell.from_s)
    mean_s = cast(float, wait_s.mean())
    return {"queue_arrival_rate_pps": rate, "queue_wait_mean_s": mean_s, "queue_little_packets": rate * mean_s}

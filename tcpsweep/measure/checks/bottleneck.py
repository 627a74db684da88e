# SPDX-License-Identifier: MIT
"""Checks of the bottleneck's queue: against its own counters, and conservation before and behind it."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.measure import flow_rows
from tcpsweep.measure.checks.audited_cell import (
    CLOCK_S,
    PPP_BYTES,
    AuditedCell,
    Check,
    Events,
    Network,
    Numbers,
    access,
    exact,
    unacknowledged_bytes,
)
from tcpsweep.words import quantities


def counters(events: Events, counted: dict[str, int]) -> Iterator[Check]:
    """The queue's trace against the simulator's own counters."""
    sent = events.are("transmit")
    yield exact("sent_packets", None, counted["sent_packets"], int(np.count_nonzero(sent)))
    yield exact("sent_bytes", None, counted["sent_bytes"], events.wire_bytes[sent].sum())
    for check, kinds in (
        ("drop_packets", ("drop", "drop_after_wait")),
        ("mark_packets", ("mark",)),
        ("loss_packets", ("loss",)),
    ):
        yield exact(check, None, counted[check], int(np.count_nonzero(events.are(*kinds))))


def before(cell: AuditedCell, events: Events, direction: str) -> Iterator[Check]:
    """Conservation of the bytes that hosts sent: carried, dropped, queued, or on an access link."""
    ways = flow_rows.of_all(cell.flows, "direction", "tx_bytes", "ack_tx_bytes")
    sent = sum((of_data if way == direction else of_acks) or 0 for way, of_data, of_acks in ways)
    on_access = sum(unacknowledged_bytes(cell, flow) for flow in cell.flows["flow"])
    for cbr in cell.run.get("cbr_flows", ()) if direction == "forward" else ():
        sent += cbr["sent_packets"] * (cbr["packet_bytes"] + cell.network.cbr_headers_bytes)
        on_access += _cbr_on_access_bytes(cbr, cell.network)
    gone_bytes = int((events.wire_bytes[events.are("transmit", "drop", "drop_after_wait")] - PPP_BYTES).sum())
    # Packets that entered after the last event have no row, and count as on the access link.
    queued = int(events.queued_bytes[-1] - PPP_BYTES * events.queued_packets[-1]) if len(events.happened) else 0
    # In the air, any number of packets may be lost before the bottleneck.
    most = math.inf if cell.network.wireless else queued + on_access
    yield "waiting_bytes", None, queued, sent - gone_bytes, most


def _cbr_on_access_bytes(cbr: dict[str, Any], network: Network) -> float:
    """The most of a CBR flow that may be on its access link, which may be too slow for the flow's rate."""
    packet_bytes: int = cbr["packet_bytes"] + network.cbr_headers_bytes
    rate_bps, delay_s = access(cbr, "source")
    sends_bps: float = quantities.si(network.parameters["cbr_rate"], "rate") * packet_bytes / cbr["packet_bytes"]
    packet_s = network.derived["wire_packet_bytes"] * 8 / network.least_rate_bps
    moving: float = sends_bps * (delay_s + network.jitter_s + packet_s + packet_bytes * 8 / rate_bps) / 8
    takes_bps: float = rate_bps * packet_bytes / (packet_bytes + PPP_BYTES)
    return moving + max(0.0, sends_bps - takes_bps) * network.end_s / 8 + 2 * packet_bytes


def behind(cell: AuditedCell, events: Events, direction: str) -> Iterator[Check]:
    """Conservation per flow on the bottleneck's link and behind it, packet by packet from the times of departure."""
    network, carried = cell.network, events.are("transmit")
    flow, wire_bytes, time_s = events.flow[carried], events.wire_bytes[carried], events.time_s[carried]
    bandwidth_bps, delay_s = (network.in_force(name, time_s) for name in ("bandwidth_bps", "delay_s"))
    reached_s = time_s + wire_bytes * 8 / bandwidth_bps + delay_s
    in_order = np.argsort(reached_s, kind="stable")
    flow, wire_bytes, reached_s = flow[in_order], wire_bytes[in_order], reached_s[in_order]
    losses = events.are("loss")
    lost = _lost(flow, reached_s, events.flow[losses], events.time_s[losses])
    yield exact("losses_of_sent", None, int(np.count_nonzero(losses)), len(lost))
    kept = np.ones(len(flow), bool)
    kept[lost] = False
    for row in cell.flows.iter_rows(named=True):
        if row["direction"] == direction and cell.followed(row["flow"]):
            own = kept & (flow == row["flow"])
            access_link = access(cell.recorded[row["flow"]], "destination")
            for check, of, low, found, high in _delivered(
                row, wire_bytes[own], reached_s[own], *access_link, network.end_s
            ):
                yield check, of, 0 if network.wireless else low, found, high


def _lost(
    flow: npt.NDArray[np.int32], reached_s: Numbers, lost_flow: npt.NDArray[np.int32], lost_s: Numbers
) -> npt.NDArray[np.int64]:
    """The places of the packets that were lost, each found by its flow and by when it reached the link's end."""
    if not len(lost_s):
        return np.zeros(0, np.int64)
    packets = pl.DataFrame({"flow": flow, "packet": np.arange(len(flow)), "reached_s": reached_s})
    found = (
        pl.DataFrame({"flow": lost_flow, "time_s": lost_s})
        .sort("time_s")
        .join_asof(
            packets,
            left_on="time_s",
            right_on="reached_s",
            by="flow",
            strategy="nearest",
            tolerance=CLOCK_S,
            check_sortedness=False,
        )
    )
    return found["packet"].drop_nulls().unique().to_numpy()


def _delivered(
    row: dict[str, Any],
    wire_bytes: npt.NDArray[np.int64],
    reached_s: Numbers,
    rate_bps: float,
    delay_s: float,
    end_s: float,
) -> Iterator[Check]:
    """The flow's packets that reach its receiver before the end, through a first in, first out access link.

    Packet k is through at e_k = max(a_k, e_(k−1)) + s_k = S_k + max over j ≤ k of (a_j − S_(j−1)), where a_k is its
    arrival at the link, s_k its transmission time, and S_k = s_1 + … + s_k.
    """
    duration_s = wire_bytes * 8 / rate_bps
    sums_s = np.cumsum(duration_s)
    arrived_s = sums_s + np.maximum.accumulate(reached_s - (sums_s - duration_s)) + delay_s
    surely, perhaps = ((wire_bytes - PPP_BYTES)[arrived_s <= end_s + clock_s] for clock_s in (-CLOCK_S, CLOCK_S))
    yield "delivered_packets", row["flow"], len(surely), row["rx_packets"], len(perhaps)
    yield "delivered_bytes", row["flow"], int(surely.sum()), row["rx_bytes"], int(perhaps.sum())

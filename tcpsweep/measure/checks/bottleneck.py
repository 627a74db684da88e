# SPDX-License-Identifier: MIT
"""Checks of the bottleneck's queue: against its own counters, and conservation before and behind it."""

import math
from collections.abc import Iterator
from typing import Any

import polars as pl

from tcpsweep.measure.checks.audited_cell import (
    CLOCK_S,
    PPP_BYTES,
    AuditedCell,
    Check,
    Network,
    access,
    by_flow,
    exact,
    total,
    unacknowledged_bytes,
)
from tcpsweep.words import quantities


def counters(queue: pl.DataFrame, counted: dict[str, int]) -> Iterator[Check]:
    """The queue's trace against the simulator's own counters."""
    sent = queue.filter(pl.col("event") == "transmit")
    yield exact("sent_packets", None, counted["sent_packets"], sent.height)
    yield exact("sent_bytes", None, counted["sent_bytes"], total(sent["wire_bytes"]))
    for check, events in (
        ("drop_packets", ("drop", "drop_after_wait")),
        ("mark_packets", ("mark",)),
        ("loss_packets", ("loss",)),
    ):
        yield exact(check, None, counted[check], queue.filter(pl.col("event").is_in(events)).height)


def before(cell: AuditedCell, queue: pl.DataFrame, direction: str) -> Iterator[Check]:
    """Conservation of the bytes that hosts sent: carried, dropped, queued, or on an access link."""
    towards, back = (cell.flows.filter((pl.col("direction") == direction) == same) for same in (True, False))
    sent = total(towards["tx_bytes"]) + total(back["ack_tx_bytes"])
    on_access = sum(unacknowledged_bytes(cell, flow) for flow in cell.flows["flow"])
    for cbr in cell.run.get("cbr_flows", ()) if direction == "forward" else ():
        sent += cbr["sent_packets"] * (cbr["packet_bytes"] + cell.network.cbr_headers_bytes)
        on_access += _cbr_on_access_bytes(cbr, cell.network)
    gone = queue.filter(pl.col("event").is_in(["transmit", "drop", "drop_after_wait"]))
    gone_bytes = total(gone["wire_bytes"] - PPP_BYTES)
    # Packets that entered after the last event have no row, and count as on the access link.
    queued = 0 if queue.is_empty() else queue["queued_bytes"][-1] - PPP_BYTES * queue["queued_packets"][-1]
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


def behind(cell: AuditedCell, queue: pl.DataFrame, direction: str) -> Iterator[Check]:
    """Conservation per flow on the bottleneck's link and behind it, packet by packet from the times of departure."""
    network = cell.network
    carried = (
        queue.filter(pl.col("event") == "transmit")
        .select(
            "flow",
            "wire_bytes",
            reached_s=pl.col("time_s")
            + pl.col("wire_bytes") * 8 / network.in_force("bandwidth_bps")
            + network.in_force("delay_s"),
        )
        .sort("reached_s", maintain_order=True)
        .with_row_index("packet")
    )
    losses = queue.filter(pl.col("event") == "loss").select("flow", "time_s").sort("time_s")
    lost = losses.join_asof(
        carried.select("flow", "packet", "reached_s"),
        left_on="time_s",
        right_on="reached_s",
        by="flow",
        strategy="nearest",
        tolerance=CLOCK_S,
        check_sortedness=False,
    )
    yield exact("losses_of_sent", None, losses.height, lost["packet"].drop_nulls().n_unique())
    kept = carried.join(lost.select("packet").drop_nulls(), on="packet", how="anti", maintain_order="left")
    of_flow = dict(by_flow(kept))
    for row in cell.flows.filter(pl.col("direction") == direction).iter_rows(named=True):
        flow = row["flow"]
        if cell.followed(flow):
            own = of_flow.get(flow, kept.clear())
            delivered = _delivered(row, own, *access(cell.recorded[flow], "destination"), network.end_s)
            for check, of, low, found, high in delivered:
                yield check, of, 0 if network.wireless else low, found, high


def _delivered(
    row: dict[str, Any], packets: pl.DataFrame, rate_bps: float, delay_s: float, end_s: float
) -> Iterator[Check]:
    """The flow's packets that reach its receiver before the end, through a first in, first out access link.

    Packet k is through at e_k = max(a_k, e_(k−1)) + s_k = S_k + max over j ≤ k of (a_j − S_(j−1)), where a_k is its
    arrival at the link, s_k its transmission time, and S_k = s_1 + … + s_k.
    """
    duration_s = packets["wire_bytes"] * 8 / rate_bps
    sums_s = duration_s.cum_sum()
    arrived_s = sums_s + (packets["reached_s"] - (sums_s - duration_s)).cum_max() + delay_s
    sizes = packets["wire_bytes"] - PPP_BYTES
    surely, perhaps = (sizes.filter(arrived_s <= end_s + clock_s) for clock_s in (-CLOCK_S, CLOCK_S))
    yield "delivered_packets", row["flow"], surely.len(), row["rx_packets"], perhaps.len()
    yield "delivered_bytes", row["flow"], total(surely), row["rx_bytes"], total(perhaps)

# SPDX-License-Identifier: MIT
"""Checks of the captures: against the queue's trace, FlowMonitor, and the sinks."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from tcpsweep.core.measure.checks import untraced
from tcpsweep.core.measure.checks.audited_cell import (
    CLOCK_S,
    PPP_BYTES,
    AuditedCell,
    Check,
    Network,
    exact,
    unacknowledged_bytes,
)
from tcpsweep.core.measure.checks.traced_queue import Queue
from tcpsweep.core.measure.traced_ways import TracedWay

WRAPS_BYTES = 2**32  # from here on, sequence numbers wrap
_NOTHING: dict[str, Any] = {"packets": 0, "wire_bytes": 0, "ip_bytes": 0, "last_s": 0}


def hold_headers(network: Network, snaplen: str) -> bool:
    """Whether captures with this snaplen hold the IP and TCP headers."""
    return not snaplen.isdecimal() or int(snaplen) >= PPP_BYTES + network.headers_bytes


def captured_at(cell: AuditedCell, way: TracedWay) -> str | None:
    """The interface at a link's left end, for the direction that begins there; None if nothing was captured there."""
    interface = f"{way.link}-{way.node}"
    is_captured = way.direction == "forward" and any(
        capture.get("interface") == interface for capture in cell.run["captures"]
    )
    return interface if is_captured else None


def at_the_link(cell: AuditedCell, queue: Queue, packets: pl.LazyFrame) -> Iterator[Check]:
    """The capture at a link's left end against the queue's trace."""
    interface, events = captured_at(cell, queue.way), queue.events
    if interface is None:
        return
    captured = _captured_data(packets, pl.col("interface") == interface)
    sent = events.are("transmit")
    for flow in cell.going(queue.way.key):
        of_flow, counts = sent & (events.flow == flow), captured.get((interface, flow), _NOTHING)
        yield exact("captured_packets", flow, int(np.count_nonzero(of_flow)), counts["packets"])
        yield exact("captured_bytes", flow, int(events.wire_bytes[of_flow].sum()), counts["wire_bytes"])


def at_the_hosts(cell: AuditedCell, packets: pl.LazyFrame) -> Iterator[Check]:
    """The captures at the hosts against FlowMonitor and the sinks.

    Captures at wireless hosts also hold repeated frames and frames for others, so they do not count packets.
    """
    if cell.network.wireless:
        return
    interfaces = {capture.get("interface") for capture in cell.run["captures"]}
    ends = {flow["flow"]: (flow["source_interface"], flow["destination_interface"]) for flow in cell.run["flows"]}
    if not any(interfaces.issuperset(pair) for pair in ends.values()):
        return
    hosts = sorted({interface for pair in ends.values() for interface in pair})
    captured = _captured_data(packets, pl.col("interface").is_in(hosts))
    for row in cell.flows.iter_rows(named=True):
        flow = row["flow"]
        sender, receiver = ends[flow]
        if not {sender, receiver} <= interfaces:
            continue
        sent, received = (captured.get((end, flow), _NOTHING) for end in (sender, receiver))
        if untraced.near(cell, flow):  # directly at a traced link, packets wait and are dropped
            device_bytes = _held_by_device_bytes(cell, flow, sent)
            yield "captured_sent_bytes", flow, row["tx_bytes"] - device_bytes, sent["ip_bytes"], row["tx_bytes"]
        if cell.followed(flow):
            yield exact("captured_received_packets", flow, row["rx_packets"], received["packets"])
            yield exact("captured_received_bytes", flow, row["rx_bytes"], received["ip_bytes"])
        if row["rx_bytes"] < WRAPS_BYTES:
            # QUIC's headers are part of UDP's payload.
            sink_bytes, in_sequence = row["received_bytes"], _payload_in_sequence(packets, receiver, flow)
            most_bytes = row["rx_bytes"] if cell.recorded[flow].get("stack") == "quic" else sink_bytes
            yield "captured_sink_bytes", flow, float(sink_bytes), float(in_sequence), float(most_bytes)


def _held_by_device_bytes(cell: AuditedCell, flow: int, sent: dict[str, Any]) -> float:
    """The most bytes that wait in a sender's device at the end: 0 once its one flow's last transmission is over."""
    first_step = untraced.near(cell, flow)[0]
    idle_from_s = sent["last_s"] + cell.network.derived["wire_packet_bytes"] * 8 / first_step["bandwidth_bps"] + CLOCK_S
    is_alone = untraced.alone(cell, first_step, [flow]) and not first_step["varies"]
    return 0 if is_alone and idle_from_s < cell.network.end_s else unacknowledged_bytes(cell, flow)


def _captured_data(packets: pl.LazyFrame, where: pl.Expr) -> dict[tuple[str, int], dict[str, Any]]:
    """The captured data of flows, by interface and flow: packets, bytes, and the time of the last packet."""
    rows = (
        packets.filter(where, pl.col("direction") == "data")
        .group_by("interface", "flow")
        .agg(pl.col("wire_bytes", "ip_bytes").sum(), packets=pl.len(), last_s=pl.col("time_s").max().cast(pl.Float64))
        .collect(engine="in-memory")
    )
    return {(row["interface"], row["flow"]): row for row in rows.iter_rows(named=True)}


def _payload_in_sequence(packets: pl.LazyFrame, interface: str, flow: int) -> int:
    """The payload bytes that a receiver can read from its data packets: in sequence, each byte once.

    A program's flow can have several connections, and datagrams, which have no sequence.
    """
    data = (
        packets.filter(pl.col("interface") == interface, pl.col("flow") == flow, pl.col("direction") == "data")
        .select("source_port", "destination_port", "payload_bytes", pl.col("seq").cast(pl.Int64))
        .collect()
    )
    datagrams = int(data.filter(pl.col("seq").is_null())["payload_bytes"].sum())
    connections = data.drop_nulls("seq").partition_by("source_port", "destination_port")
    return datagrams + sum(map(_readable_bytes, connections))


def _readable_bytes(data: pl.DataFrame) -> int:
    """The bytes in sequence of one connection's data packets, which are in the order of their times.

    The first one is the SYN, whose number is the first. Numbers wrap.
    """
    begin = (pl.col("seq") - pl.col("seq").first()) % WRAPS_BYTES
    data = data.select(seq=begin, end=begin + pl.col("payload_bytes")).sort("seq", "end")
    first_byte = 1  # after the SYN's number
    end_so_far = data["end"].cum_max().clip(first_byte)
    gaps = (data["seq"] > end_so_far.shift(1, fill_value=first_byte)).arg_true()
    end: int = end_so_far[gaps[0] - 1] if gaps.len() else end_so_far[-1]
    return end - first_byte

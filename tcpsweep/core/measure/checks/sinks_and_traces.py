# SPDX-License-Identifier: MIT
"""Checks of the traces: against the simulator's counts, FlowMonitor, the sinks, and the links' delays."""

from collections.abc import Iterator, Mapping
from typing import cast

import numpy as np
import polars as pl

from tcpsweep.core.measure import traced_ways
from tcpsweep.core.measure.checks.audited_cell import (
    CLOCK_S,
    PPP_BYTES,
    AuditedCell,
    Check,
    Numbers,
    exact,
    total,
)
from tcpsweep.core.measure.checks.traced_queue import Queue
from tcpsweep.core.parse.parsed import Parsed, Way

_PARTS = 10
_SIX_DIGITS = 5e-6  # half a unit of the last of six significant digits


def traces(parsed: Parsed) -> Iterator[Check]:
    """The numbers of rows in all traces, and the order of their times."""
    frames = [*parsed.traces.values(), *parsed.queues.values()]
    written = sum(parsed.run["traces"].values()) + sum(queue["rows"] for queue in parsed.run["queue"])
    yield exact("rows", None, written, sum(frame.height for frame in frames))
    back = sum(_steps_back(frame, True) for frame in parsed.traces.values())
    yield exact("time_steps_back", None, 0, back + sum(_steps_back(frame, False) for frame in parsed.queues.values()))


def _steps_back(frame: pl.DataFrame, by_flow: bool) -> int:
    """The number of times that are earlier than the previous one; ``by_flow`` compares times of the same flow."""
    time_s = frame["time_s"].to_numpy()
    steps = time_s[1:] < time_s[:-1]
    if by_flow and steps.any():
        flow = frame["flow"].to_numpy()
        steps &= flow[1:] == flow[:-1]
    return int(np.count_nonzero(steps))


def sinks(cell: AuditedCell) -> Iterator[Check]:
    """The receivers' and senders' traces against FlowMonitor and the sinks."""
    for row in cell.flows.iter_rows(named=True):
        flow = row["flow"]
        if "received_bytes" in cell.traces:
            arrived = row["received_bytes"] + cell.recorded[flow]["waiting_bytes"]
            yield exact("sink_bytes", flow, arrived, cell.last("received_bytes", flow))
        if not cell.is_monitored:  # both counts would come from the same source
            continue
        if "ip_sent_bytes" in cell.traces:
            yield exact("ip_sent_bytes", flow, row["tx_bytes"], cell.last("ip_sent_bytes", flow))
        if "sent_packets" in cell.traces:
            yield exact("ip_sent_packets", flow, row["tx_packets"], cell.last("sent_packets", flow))
        if not cell.followed(flow):
            continue
        # FlowMonitor counts only a packet's first arrival, and a mesh may duplicate the packet.
        copies = 2 if "mesh_radius_left" in cell.network.parameters else 1
        if "ip_received_bytes" in cell.traces:
            expected = row["rx_bytes"]
            yield "ip_bytes", flow, expected, cell.last("ip_received_bytes", flow), copies * expected
        if "owd_s" in cell.traces:
            delays, expected, sum_s = cell.values("owd_s", flow), row["rx_packets"], row["delay_sum_s"]
            yield "ip_packets", flow, expected, delays.len(), copies * expected
            slack_s = sum_s * _SIX_DIGITS + CLOCK_S
            most_s = sum_s if delays.len() == expected else cell.network.end_s * delays.len()
            yield "owd_sum_s", flow, sum_s - slack_s, total(delays), most_s + slack_s


def goodput(cell: AuditedCell, queues: Mapping[Way, Queue]) -> Iterator[Check]:
    """In no tenth of the simulation, more payload arrives than links carried: Σ goodput ≤ rate × time.

    A packet arrives at most its one-way delay after it left a link. So packets that arrive within a tenth left the link
    in it, or in the longest delay before. QUIC's payload is counted when the application reads it, which may be later.
    """
    if not {"received_bytes", "owd_s"} <= cell.traces.keys():
        return
    edges_s, headers_bytes = np.linspace(0, cell.network.end_s, _PARTS + 1), cell.network.headers_bytes
    for way, queue in queues.items():
        flows = [flow for flow in cell.going(way) if cell.recorded[flow]["stack"] != "quic"]
        arrived = sum((_payload_gains(cell, flow, edges_s) for flow in flows), np.zeros(_PARTS))
        longest_s = max((cast(float, cell.values("owd_s", flow).max() or 0.0) for flow in flows), default=0.0)
        is_sent = queue.events.are("transmit") & np.isin(queue.events.flow, flows)
        time_s, payload = queue.events.time_s[is_sent], queue.events.wire_bytes[is_sent] - PPP_BYTES - headers_bytes
        carried_so_far = np.concatenate(([0], np.cumsum(payload)))
        lower, upper = (
            carried_so_far[np.searchsorted(time_s, times_s, side="right")]
            for times_s in (edges_s[:-1] - longest_s - CLOCK_S, edges_s[1:])
        )
        worst = int(np.argmax(arrived - (upper - lower)))
        yield cell.check_name(way, "arrived_bytes"), None, 0.0, float(arrived[worst]), float((upper - lower)[worst])


def _payload_gains(cell: AuditedCell, flow: int, edges_s: Numbers) -> Numbers:
    """The payload of a flow that arrived between each two of the times."""
    time_s, value = cell.arrivals.get(flow, (np.zeros(0), np.zeros(0)))
    return np.diff(np.concatenate(([0.0], value))[np.searchsorted(time_s, edges_s, side="right")])


def delay_floor(cell: AuditedCell) -> Iterator[Check]:
    """No packet is faster than its links."""
    if "owd_s" not in cell.traces:
        return
    network = cell.network
    for flow in cell.flows["flow"]:
        delays = cell.values("owd_s", flow)
        if delays.is_empty():
            continue
        traced = [network.ways[way] for way in cell.paths[flow]]
        steps = zip(traced_ways.path_ways(cell.recorded[flow]["path"]), cell.recorded[flow]["path"], strict=True)
        untraced_steps = [step for way, step in steps if way not in network.ways and not step["varies"]]
        rates_bps = [way.largest_rate_bps for way in traced if not way.has_trace]
        per_bit_s = sum(1 / rate_bps for rate_bps in (*rates_bps, *(step["bandwidth_bps"] for step in untraced_steps)))
        delay_s = sum(way.least_delay_s for way in traced) + sum(step["delay_s"] for step in untraced_steps)
        floor_s = delay_s + (_packet_sizes(cell, flow, delays.len()) + PPP_BYTES) * 8 * per_bit_s
        yield "owd_above_floor_s", flow, -CLOCK_S, float((delays.to_numpy() - floor_s).min()), network.end_s


def _packet_sizes(cell: AuditedCell, flow: int, count: int) -> Numbers | int:
    """The IP bytes of each packet that a flow's receiver got; the least header size if sizes were not traced."""
    if "ip_received_bytes" in cell.traces:
        received_so_far = cell.values("ip_received_bytes", flow)
        if received_so_far.len() == count:
            return np.diff(received_so_far.to_numpy(), prepend=0.0)
    return cell.network.headers_bytes


def jain(cell: AuditedCell) -> Iterator[Check]:
    """Jain's index of the sinks' counts is in its range; `fairness.jain` is the metric."""
    rows = cell.flows.select("direction", "received_bytes").rows()
    received = pl.Series([float(count) for direction, count in rows if direction == "forward"], dtype=pl.Float64)
    if total(received):
        index = total(received) ** 2 / (received.len() * total(received * received))
        yield "jain", None, 1 / received.len() - 1e-12, index, 1 + 1e-12

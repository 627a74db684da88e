# SPDX-License-Identifier: MIT
"""The flows' bytes and rates, their highest rate, and their delays."""

import numpy as np

from tcpsweep.core.measure import percentiles
from tcpsweep.core.measure.cell import LINK_HEADER_BYTES, Cell, OfFlows, by_metric
from tcpsweep.core.words.thresholds import FASTEST_S

_TRACE_OF_TOTAL = {
    "sent_payload_bytes": "sent_bytes",
    "sent_ip_bytes": "ip_sent_bytes",
    "received_payload_bytes": "received_bytes",
    "received_ip_bytes": "ip_received_bytes",
}
_RATE_OF_TOTAL = {
    "sent_payload_bytes": "sent_payload_bps",
    "sent_ip_bytes": "sent_throughput_bps",
    "sent_wire_bytes": "sent_wire_throughput_bps",
    "received_payload_bytes": "goodput_bps",
    "received_ip_bytes": "throughput_bps",
    "received_wire_bytes": "wire_throughput_bps",
}


def rates(cell: Cell) -> OfFlows:
    """Payload, IP and wire bytes sent and received: totals, and rates in bit/s."""
    totals = {name: cell.gain(trace) for name, trace in _TRACE_OF_TOTAL.items() if trace in cell.traces}
    if {"sent_packets", "ip_sent_bytes"} <= cell.traces.keys():
        totals["sent_wire_bytes"] = totals["sent_ip_bytes"] + cell.gain("sent_packets") * LINK_HEADER_BYTES
    if "ip_received_bytes" in cell.traces:
        packets = cell.gained_rows("ip_received_bytes")
        totals["received_wire_bytes"] = totals["received_ip_bytes"] + packets * LINK_HEADER_BYTES
    rates = {rate: totals[name] * 8 / cell.lengths_s for name, rate in _RATE_OF_TOTAL.items() if name in totals}
    columns = {name: cell.of_lives(values.tolist()) for name, values in (totals | rates).items()}
    if {"sent_ip_bytes", "received_ip_bytes"} <= totals.keys():
        pairs = zip(totals["sent_ip_bytes"].tolist(), totals["received_ip_bytes"].tolist(), strict=True)
        columns["unreceived_share"] = cell.of_lives(
            (sent - received) / sent if sent > 0 else None for sent, received in pairs
        )
    return columns


def fastest(cell: Cell) -> OfFlows:
    """The highest rate at which IP bytes arrived, over the whole intervals of `FASTEST_S` in a flow's life."""
    if "ip_received_bytes" not in cell.traces:
        return {}
    rates_bps: dict[int, float | None] = {}
    for flow, from_s, to_s in cell.life_rows:
        intervals = int((to_s - from_s) / FASTEST_S + 1e-9)
        # An interval includes its end and excludes its beginning, like the time that counts.
        ends = [from_s + number * FASTEST_S for number in range(intervals + 1)]
        if intervals:
            most_bytes = float(np.diff(cell.counted("ip_received_bytes", flow, ends)).max())
            rates_bps[flow] = most_bytes * 8 / FASTEST_S
    return {"max_throughput_bps": rates_bps}


def one_way_delays(cell: Cell) -> OfFlows:
    """One-way delays of the packets that arrived, and ``owd_variation_s``, their 99th percentile − their minimum.

    Morton and Claise: Packet Delay Variation Applicability Statement. RFC 5481, section 4.2.
    """
    if "owd_s" not in cell.traces:
        return {}
    delays = cell.lived(cell.traces["owd_s"], "value")
    spreads = {flow: percentiles.spread_of(value, "owd") for flow, (value,) in delays.items()}
    variations: dict[int, float | None] = {}
    for flow, (value,) in delays.items():
        p99_s = spreads[flow]["owd_p99_s"]
        variations[flow] = None if p99_s is None else p99_s - float(value.min())
    return by_metric(spreads) | {"owd_variation_s": variations}


def round_trips(cell: Cell) -> OfFlows:
    """Round-trip times, each weighted by the time that it was the latest, because ns-3 traces only changes."""
    if "rtt_s" not in cell.traces:
        return {}
    held = cell.held("rtt_s")
    return by_metric({flow: percentiles.weighted_spread_of(*columns, "rtt") for flow, columns in held.items()})

# SPDX-License-Identifier: MIT
"""Metrics of rates: goodput, throughput, bytes, and utilisation."""

from typing import Any

from tcpsweep.core.words.metric_form import BOUNDED, MB, MBPS, PERCENT, Metric
from tcpsweep.core.words.thresholds import FASTEST_S

_BYTES = {
    "sent_payload_bytes": ("Sent payload", "payload that the sender sent, retransmissions included"),
    "sent_ip_bytes": ("Sent IP bytes", "IP bytes, headers and retransmissions included, that left the sender"),
    "sent_wire_bytes": ("Sent wire bytes", "like the sent IP bytes, with the bottleneck link's header for each packet"),
    "received_payload_bytes": ("Received payload", "payload that reached the receiver, each byte once"),
    "received_ip_bytes": (
        "Received IP bytes",
        "IP bytes, headers and retransmissions included, that reached the receiver",
    ),
    "received_wire_bytes": ("Received wire bytes", "like the received IP bytes, with the same header for each packet"),
}


def _rate(title: str, formula: str, source: str = "RFC 5166, section 2.1.1", **options: Any) -> Metric:
    return Metric(title, "bit/s", "flow", formula, source, **MBPS, **options)


METRICS = {
    "goodput_bps": _rate(
        "Goodput per flow",
        "payload that reached the receiver, each byte once, × 8 / time; of QUIC, payload that the application read",
        better="higher",
        headline=True,
    ),
    "throughput_bps": _rate(
        "IP throughput per flow",
        "IP bytes, headers and retransmissions included, that reached the receiver × 8 / time",
        better="higher",
    ),
    "wire_throughput_bps": _rate(
        "Wire throughput per flow",
        "like the IP throughput, with the bottleneck link's header for each packet",
    ),
    "max_throughput_bps": _rate(
        "Largest IP throughput per flow",
        f"the largest IP throughput in consecutive intervals of {FASTEST_S:g} s; none if the time is shorter",
        "design: a maximum over time depends on the interval",
    ),
    "sent_payload_bps": _rate(
        "Sent payload per flow",
        "payload that the sender sent, retransmissions included, × 8 / time; counted every 0.1 s",
        "RFC 5166, section 2.1.1, at the sender",
        compared=False,
    ),
    "sent_throughput_bps": _rate(
        "Sent IP throughput per flow",
        "IP bytes, headers and retransmissions included, that left the sender × 8 / time; counted every 0.1 s",
        "RFC 5166, section 2.1.1, at the sender",
        compared=False,
    ),
    "sent_wire_throughput_bps": _rate(
        "Sent wire throughput per flow",
        "like the sent IP throughput, with the bottleneck link's header for each packet",
        "RFC 5166, section 2.1.1, at the sender",
        compared=False,
    ),
    "unreceived_share": Metric(
        "Sent and not received",
        "1",
        "flow",
        "(IP bytes sent − IP bytes received) / IP bytes sent, all in the time: drops and losses, plus data in flight "
        "at the end, minus data in flight at the beginning; no loss rate, because data in flight dominate if little "
        "is lost",
        "design: studies that add up captures call these bytes lost",
        **PERCENT,
        compared=False,
    ),
    **{
        name: Metric(title, "B", "flow", formula, "RFC 5166, section 2.1.1", **MB)
        for name, (title, formula) in _BYTES.items()
    },
    "acked_bytes": Metric(
        "Acknowledged payload",
        "B",
        "flow",
        "payload that the sender saw acknowledged, cumulatively",
        "RFC 4898, tcpEStatsAppHCThruOctetsAcked",
        **MB,
        better="higher",
    ),
    "utilisation": Metric(
        "Link utilisation",
        "1",
        "network",
        "bytes that the bottleneck sent towards the receivers × 8 / (its mean rate × time); link headers, CBR flows "
        "and the ACKs of reverse flows count; of a link with a trace, the share of what its delivery opportunities in "
        "the time allow",
        "RFC 5166, section 2.1.1",
        better="higher",
        headline=True,
        **BOUNDED,
    ),
    "utilisation_flows": Metric(
        "Link utilisation by the forward flows",
        "1",
        "network",
        "with packets of CBR flows, traffic or reverse flows on the link: the forward flows' part of the utilisation",
        "RFC 5166, section 2.1.1",
        better="higher",
        **BOUNDED,
    ),
    "utilisation_other": Metric(
        "Link utilisation by other traffic",
        "1",
        "network",
        "with such packets on the link: the part of CBR flows, of traffic and of reverse flows' ACKs",
        "RFC 5166, section 2.1.1",
        **BOUNDED,
        smallest=0.02,
    ),
}

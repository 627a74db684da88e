# SPDX-License-Identifier: MIT
"""The metrics of imported captures: what packets that were seen in one place tell, in the report's words.

The time of a flow goes from its first packet to its last, in either direction. A metric of simulations with the same
name is the same quantity, as closely as a capture can show it.
"""

from typing import Any

from tcpsweep.words.metric_form import MB, MBPS, MS, OF_PACKETS, Metric

_SEEN = "where the flow was captured"
_KB: dict[str, Any] = {"scale": 1e-3, "shown_unit": "kB"}


def _metric(title: str, unit: str, formula: str, source: str, **shown: Any) -> Metric:
    return Metric(title, unit, "flow", formula, source, **shown)


def _packets(title: str, formula: str, source: str, **shown: Any) -> Metric:
    return _metric(title, "packets", formula, source, shown_unit="packets", **shown)


METRICS = {
    "goodput_bps": _metric(
        "Goodput",
        "bit/s",
        "payload that was acknowledged × 8 / time; without captured ACKs, payload seen, each byte once",
        "RFC 5166, section 2.1.1",
        **MBPS,
        headline=True,
    ),
    "throughput_bps": _metric(
        "IP throughput",
        "bit/s",
        f"IP bytes of the data's direction, headers and repeats included, seen {_SEEN} × 8 / time",
        "RFC 5166, section 2.1.1",
        **MBPS,
        headline=True,
    ),
    "sent_payload_bytes": _metric(
        "Payload seen", "B", f"payload, repeats included, seen {_SEEN}", "RFC 5166, section 2.1.1", **MB
    ),
    "sent_ip_bytes": _metric(
        "IP bytes seen", "B", f"IP bytes, headers and repeats included, seen {_SEEN}", "RFC 5166", **MB
    ),
    "received_payload_bytes": _metric(
        "Payload delivered",
        "B",
        "payload that was acknowledged; without captured ACKs, payload seen, each byte once",
        "RFC 5166, section 2.1.1",
        **MB,
        headline=True,
    ),
    "acked_bytes": _metric(
        "Acknowledged payload",
        "B",
        "payload seen and acknowledged, cumulatively",
        "RFC 4898, tcpEStatsAppHCThruOctetsAcked",
        **MB,
    ),
    "unseen_bytes": _metric(
        "Acknowledged and never seen",
        "B",
        "payload that was acknowledged and not captured, because the capture missed packets, or they went another way: "
        "counts of packets are too small then",
        "Wireshark's TCP analysis: ACKed unseen segment",
        **_KB,
    ),
    "retransmitted_share": _metric(
        "Retransmissions",
        "1",
        "packets sent again / packets with payload",
        "RFC 4898, tcpEStatsPerfSegsRetrans / tcpEStatsPerfDataSegsOut",
        **OF_PACKETS,
        headline=True,
    ),
    "retransmitted_packets": _packets(
        "Packets sent again",
        "packets with payload below what had been seen; but what fills a gap sooner than 0.8 of the handshake's round "
        "trip after the gap showed, without a handshake 3 ms, only came late",
        "RFC 4898, tcpEStatsPerfSegsRetrans; Wireshark's TCP analysis",
    ),
    "retransmitted_bytes": _metric(
        "Retransmitted payload", "B", "payload of these", "RFC 4898, tcpEStatsPerfOctetsRetrans", **_KB
    ),
    "lost_at_most_packets": _packets(
        "Lost packets, at most",
        "packets sent again, without as many as the receiver called duplicates in its ACKs: what was lost anywhere and "
        "sent again, and what was sent again needlessly to a receiver that does not tell",
        "RFC 5166, section 2.1.3; RFC 2883",
        headline=True,
    ),
    "lost_before_packets": _packets(
        "Lost before the capture",
        "packets sent again that fill a gap: they were lost between the sender and the place of the capture; the other "
        "packets sent again had been seen here before",
        "RFC 5166, section 2.1.3",
    ),
    "needless_packets": _packets(
        "Duplicates at the receiver",
        "ACKs whose first SACK block tells of data that the receiver had already",
        "RFC 2883",
    ),
    "reordered_packets": _packets(
        "Reordered packets",
        "packets below what had been seen that only came late",
        "RFC 4737; Wireshark's TCP analysis",
    ),
    "duplicate_acks": _packets(
        "Duplicate ACKs",
        "ACKs without payload that have the same number and window as the one before, or SACK blocks, while data are "
        "outstanding",
        "RFC 5681, section 2",
        headline=True,
    ),
    "ecn_marks": _metric(
        "ECN marks", "1", "packets with payload marked CE / packets with payload", "RFC 3168", **OF_PACKETS
    ),
    "handshake_s": _metric(
        "Round trip of the handshake",
        "s",
        "from the SYN to the ACK of its answer: a round trip of the whole path, wherever it was captured; none if a "
        "SYN was sent twice",
        "RFC 9293",
        **MS,
    ),
    "rtt_min_s": _metric(
        "Least round-trip time",
        "s",
        f"as the mean round-trip time, the least: from the place {_SEEN} to the receiver and back",
        "RFC 6298",
        **MS,
        headline=True,
    ),
    "rtt_mean_s": _metric(
        "Mean round-trip time",
        "s",
        "mean over ACKs that acknowledge more: from the packet with the last byte that each acknowledges; none where "
        "anything below what had been seen came in between",
        "RFC 6298, section 3",
        **MS,
        headline=True,
    ),
    **{
        f"rtt_p{rank}_s": _metric(
            f"Round-trip time, {rank}th percentile", "s", f"{rank}th percentile of these", "RFC 6298", **MS
        )
        for rank in (50, 95, 99)
    },
    # Of FlowMonitor.
    "receive_bitrate_bps": _metric(
        "FlowMonitor's receive bit rate",
        "bit/s",
        "rxBytes × 8 / (timeLastRxPacket − timeFirstRxPacket): IP bytes of the data's direction at the receiver",
        "ns-3's flowmon-parse-results.py",
        **MBPS,
        headline=True,
    ),
    "jitter_mean_s": _metric(
        "Mean jitter", "s", "FlowMonitor's jitterSum / (rxPackets − 1)", "RFC 3393; ns-3's FlowMonitor", **MS
    ),
    "owd_mean_s": _metric(
        "Mean one-way delay", "s", "FlowMonitor's sum of delays / packets received", "RFC 7679", **MS
    ),
    "delivery_ratio": _metric(
        "Delivery ratio", "1", "FlowMonitor's data packets received / sent", "RFC 5166", **OF_PACKETS
    ),
    "drop_ratio": _metric(
        "Drop ratio", "1", "FlowMonitor's data packets lost / sent", "RFC 5166, section 2.1.3", **OF_PACKETS
    ),
    "jain": Metric(
        "Jain's fairness index",
        "1",
        "network",
        "(Σ xᵢ)² / (n Σ xᵢ²) over the goodputs xᵢ of all flows while all of them are there",
        "Jain, Chiu and Hawe 1984",
        headline=True,
    ),
    "jain_windows": Metric(
        "Jain's index over windows",
        "1",
        "network",
        "mean over windows of 20 times the longest least round trip, at least 1 s: Jain's index of what was delivered "
        "for the flows present throughout the window, where there are two or more",
        "Jain, Chiu and Hawe 1984; RFC 5166, section 2.3",
        headline=True,
    ),
}

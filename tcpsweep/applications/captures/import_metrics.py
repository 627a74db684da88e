# SPDX-License-Identifier: MIT
"""The metrics of imported captures: what packets that were seen in one place tell, in the report's words.

The time of a flow is that from its first packet to its last, in either direction. Where a metric of simulations has the
same name, it is the same quantity, as near as a capture comes to it.
"""

from typing import Any

from tcpsweep.words.metric_form import MB, MBPS, MS, OF_PACKETS, Metric

_SEEN = "where the flow was captured"
_KB: dict[str, Any] = {"scale": 1e-3, "shown_unit": "kB"}
_PACKETS: dict[str, Any] = {"shown_unit": "packets"}

METRICS = {
    "goodput_bps": Metric(
        "Goodput",
        "bit/s",
        "flow",
        "payload that was acknowledged × 8 / time; without captured ACKs, payload seen, each byte once",
        "RFC 5166, section 2.1.1",
        **MBPS,
        headline=True,
    ),
    "throughput_bps": Metric(
        "IP throughput",
        "bit/s",
        "flow",
        f"IP bytes of the data's direction, headers and repeats included, seen {_SEEN} × 8 / time",
        "RFC 5166, section 2.1.1",
        **MBPS,
        headline=True,
    ),
    "sent_payload_bytes": Metric(
        "Payload seen", "B", "flow", f"payload, repeats included, seen {_SEEN}", "RFC 5166, section 2.1.1", **MB
    ),
    "sent_ip_bytes": Metric(
        "IP bytes seen", "B", "flow", f"IP bytes, headers and repeats included, seen {_SEEN}", "RFC 5166", **MB
    ),
    "received_payload_bytes": Metric(
        "Payload delivered",
        "B",
        "flow",
        "payload that was acknowledged; without captured ACKs, payload seen, each byte once",
        "RFC 5166, section 2.1.1",
        **MB,
        headline=True,
    ),
    "acked_bytes": Metric(
        "Acknowledged payload",
        "B",
        "flow",
        "payload seen and acknowledged, cumulatively",
        "RFC 4898, tcpEStatsAppHCThruOctetsAcked",
        **MB,
    ),
    "unseen_bytes": Metric(
        "Acknowledged and never seen",
        "B",
        "flow",
        "payload that was acknowledged and not captured, because the capture missed packets, or they went another way: "
        "counts of packets are too small then",
        "Wireshark's TCP analysis: ACKed unseen segment",
        **_KB,
    ),
    "retransmitted_share": Metric(
        "Retransmissions",
        "1",
        "flow",
        "packets sent again / packets with payload",
        "RFC 4898, tcpEStatsPerfSegsRetrans / tcpEStatsPerfDataSegsOut",
        **OF_PACKETS,
        headline=True,
    ),
    "retransmitted_packets": Metric(
        "Packets sent again",
        "packets",
        "flow",
        "packets with payload below what had been seen; but what fills a gap sooner than 0.8 of the handshake's round "
        "trip after the gap showed, without a handshake 3 ms, only came late",
        "RFC 4898, tcpEStatsPerfSegsRetrans; Wireshark's TCP analysis",
        **_PACKETS,
    ),
    "retransmitted_bytes": Metric(
        "Retransmitted payload", "B", "flow", "payload of these", "RFC 4898, tcpEStatsPerfOctetsRetrans", **_KB
    ),
    "lost_at_most_packets": Metric(
        "Lost packets, at most",
        "packets",
        "flow",
        "packets sent again, without as many as the receiver called duplicates in its ACKs: what was lost anywhere and "
        "sent again, and what was sent again needlessly to a receiver that does not tell",
        "RFC 5166, section 2.1.3; RFC 2883",
        **_PACKETS,
        headline=True,
    ),
    "lost_before_packets": Metric(
        "Lost before the capture",
        "packets",
        "flow",
        "packets sent again that fill a gap: they were lost between the sender and the place of the capture; the other "
        "packets sent again had been seen here before",
        "RFC 5166, section 2.1.3",
        **_PACKETS,
    ),
    "needless_packets": Metric(
        "Duplicates at the receiver",
        "packets",
        "flow",
        "ACKs whose first SACK block tells of data that the receiver had already",
        "RFC 2883",
        **_PACKETS,
    ),
    "reordered_packets": Metric(
        "Reordered packets",
        "packets",
        "flow",
        "packets below what had been seen that only came late",
        "RFC 4737; Wireshark's TCP analysis",
        **_PACKETS,
    ),
    "duplicate_acks": Metric(
        "Duplicate ACKs",
        "packets",
        "flow",
        "ACKs without payload that have the same number and window as the one before, or SACK blocks, while data are "
        "outstanding",
        "RFC 5681, section 2",
        **_PACKETS,
        headline=True,
    ),
    "ecn_marks": Metric(
        "ECN marks", "1", "flow", "packets with payload marked CE / packets with payload", "RFC 3168", **OF_PACKETS
    ),
    "handshake_s": Metric(
        "Round trip of the handshake",
        "s",
        "flow",
        "from the SYN to the ACK of its answer: a round trip of the whole path, wherever it was captured; none if a "
        "SYN was sent twice",
        "RFC 9293",
        **MS,
    ),
    "rtt_min_s": Metric(
        "Least round-trip time",
        "s",
        "flow",
        f"as the mean round-trip time, the least: from the place {_SEEN} to the receiver and back",
        "RFC 6298",
        **MS,
        headline=True,
    ),
    "rtt_mean_s": Metric(
        "Mean round-trip time",
        "s",
        "flow",
        "mean over ACKs that acknowledge more: from the packet with the last byte that each acknowledges; none where "
        "anything below what had been seen came in between",
        "RFC 6298, section 3",
        **MS,
        headline=True,
    ),
    **{
        f"rtt_p{rank}_s": Metric(
            f"Round-trip time, {rank}th percentile", "s", "flow", f"{rank}th percentile of these", "RFC 6298", **MS
        )
        for rank in (50, 95, 99)
    },
    # What only FlowMonitor tells.
    "owd_mean_s": Metric(
        "Mean one-way delay", "s", "flow", "FlowMonitor's sum of delays / packets received", "RFC 7679", **MS
    ),
    "delivery_ratio": Metric(
        "Delivery ratio", "1", "flow", "FlowMonitor's data packets received / sent", "RFC 5166", **OF_PACKETS
    ),
    "drop_ratio": Metric(
        "Drop ratio", "1", "flow", "FlowMonitor's data packets lost / sent", "RFC 5166, section 2.1.3", **OF_PACKETS
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

# SPDX-License-Identifier: MIT
"""The metrics of imported captures, from packets that were seen in one place, with names and units.

The time of a flow goes from its first packet to its last, in either direction. A metric of simulations with the same
name is the same quantity, as closely as a capture can show it.
"""

from typing import Any

from tcpsweep.core.words import markup
from tcpsweep.core.words.metric_form import MB, MBPS, MS, OF_PACKETS, Metric

_SEEN = "where the flow was captured"
_KB: dict[str, Any] = {"scale": 1e-3, "shown_unit": "kB"}


def _metric(title: str, unit: str, formula: str, source: str, **shown: Any) -> Metric:
    return Metric(title, unit, "flow", formula, source, **shown)


def _packets(title: str, formula: str, source: str, **shown: Any) -> Metric:
    return _metric(title, "packets", formula, source, shown_unit="packets", **shown)


def _share(title: str, formula: str) -> Metric:
    return _metric(title, "1", formula, "Zhang, Breslau, Paxson and Shenker 2002", scale=100.0, shown_unit="%")


_LIMITED = "share of the time between the first and the last packet with payload in which "
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
        f"IP bytes of the data's direction, headers and retransmissions included, seen {_SEEN} × 8 / time",
        "RFC 5166, section 2.1.1",
        **MBPS,
        headline=True,
    ),
    "sent_payload_bytes": _metric(
        "Payload seen", "B", f"payload, retransmissions included, seen {_SEEN}", "RFC 5166, section 2.1.1", **MB
    ),
    "sent_ip_bytes": _metric(
        "IP bytes seen", "B", f"IP bytes, headers and retransmissions included, seen {_SEEN}", "RFC 5166", **MB
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
        "retransmitted packets / packets with payload",
        "RFC 4898, tcpEStatsPerfSegsRetrans / tcpEStatsPerfDataSegsOut",
        **OF_PACKETS,
        headline=True,
    ),
    "retransmitted_packets": _packets(
        "Retransmitted packets",
        "packets with payload below the highest byte seen; a packet that fills a gap within 0.8 of the handshake's "
        "round trip after the gap showed, without a handshake within 3 ms, only came late",
        "RFC 4898, tcpEStatsPerfSegsRetrans; Wireshark's TCP analysis",
    ),
    "retransmitted_bytes": _metric(
        "Retransmitted payload", "B", "payload of these", "RFC 4898, tcpEStatsPerfOctetsRetrans", **_KB
    ),
    "lost_at_most_packets": _packets(
        "Lost packets, at most",
        "retransmitted packets, less the duplicates that the receiver reports in its ACKs: losses anywhere, and "
        "needless retransmissions to a receiver that reports none",
        "RFC 5166, section 2.1.3; RFC 2883",
        headline=True,
    ),
    "lost_before_packets": _packets(
        "Lost before the capture",
        "retransmitted packets that fill a gap: they were lost between the sender and the place of the capture; the "
        "other retransmitted packets had been seen here before",
        "RFC 5166, section 2.1.3",
    ),
    "needless_packets": _packets(
        "Duplicates at the receiver",
        "ACKs whose first SACK block reports data that the receiver already had",
        "RFC 2883",
    ),
    "reordered_packets": _packets(
        "Reordered packets",
        "packets below the highest byte seen that only came late",
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
        "ECN marks",
        "1",
        "packets with payload marked CE / packets with payload; none if no packet has ECN bits",
        "RFC 3168",
        **OF_PACKETS,
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
        "a packet below the highest byte seen came in between",
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
    "path_rtt_s": _metric(
        "Round trip of the path",
        "s",
        "the handshake's round trip where that is more than twice the least round trip from the place of the capture, "
        "as near the receiver; else that least round trip",
        "RFC 6298",
        **MS,
        headline=True,
    ),
    "sender_limited_share": _share(
        "Limited by the sender",
        _LIMITED + "everything was acknowledged before the next "
        "packet, or the last segment was not full: the application had nothing to send",
    ),
    "receiver_limited_share": _share(
        "Limited by the receiver's window", _LIMITED + "the receiver's window had no room for a full segment"
    ),
    "network_limited_share": _share(
        "Limited by the network",
        _LIMITED + "a loss was repaired, or the sender had data "
        "and the receiver had room: the congestion window was full",
    ),
    "timeouts": _packets(
        "Timeouts",
        "retransmissions after a silence of the sender of at least 0.2 s and two round trips, without three duplicate "
        "ACKs; one for each repair",
        "RFC 6298, section 5",
    ),
    "fast_retransmissions": _packets(
        "Fast retransmissions",
        "retransmissions after three duplicate ACKs or ACKs with SACK blocks, or after SACK blocks of more than two "
        "full segments; one for each repair",
        "RFC 5681, section 3.2; RFC 6675, section 4",
    ),
    "receive_window_max_bytes": _metric(
        "Largest receive window",
        "B",
        "largest window that the receiver offered, scaled where the SYNs were captured",
        "RFC 7323, section 2.3",
        **_KB,
    ),
    "zero_windows": _packets("Zero windows", "ACKs of the receiver whose window is 0", "RFC 9293, section 3.8.6.1"),
    "idle_s": _metric(
        "Idle time",
        "s",
        "sum of pauses of at least 1 s in which all data were acknowledged",
        "RFC 2861, section 2",
        scale=1.0,
        shown_unit="s",
    ),
    "resets": _packets("Resets", "packets with RST, of both directions", "RFC 9293, section 3.5.2"),
    "repeated_syns": _packets("Repeated SYNs", "SYNs with the number of an earlier one", "RFC 9293, section 3.5"),
    "repeated_fins": _packets("Repeated FINs", "FINs with the number of an earlier one", "RFC 9293, section 3.6"),
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
    "bitrate_share": _metric(
        "Share of the receive bit rates",
        "1",
        "FlowMonitor's receive bit rate / the mean of all flows' rates, each over its flow's own time; rates as in "
        "`jain_bitrate`",
        "RFC 5166, section 2.3",
        scale=1.0,
        shown_unit="1",
    ),
    "jain_bitrate": Metric(
        "Jain's index of FlowMonitor's receive bit rates",
        "1",
        "network",
        "(Σ xᵢ)² / (n Σ xᵢ²) over the receive bit rates xᵢ of all flows in the file, each over its flow's own time, as "
        "FlowMonitor has no bytes over time; 0 for a flow that received nothing; none if the last flow's first sent "
        "packet comes after the first flow's last received one, or if a flow received one packet only",
        "Jain, Chiu and Hawe 1984",
        headline=True,
    ),
    "time_together_share": Metric(
        "Time with all flows",
        "1",
        "network",
        "time in which all flows were there / time in which any flow was there; the rates of `jain_bitrate` are over "
        "one time if it is 1, and the less comparable the smaller it is",
        "FlowMonitor's timeFirstTxPacket and timeLastRxPacket",
    ),
    # Of two captures of one path.
    "between_packets": _packets(
        "Packets between the captures",
        "packets that left the one place, from the first to the last packet that both places saw",
        "RFC 7680",
    ),
    "between_lost_packets": _packets(
        "Lost between the captures", "packets of these that the other place did not see", "RFC 7680"
    ),
    "between_delay_mean_s": _metric(
        "Mean delay between the captures",
        "s",
        "mean delay above the least delay of all packets of the same way, by two clocks: their offset is in both and "
        "cancels, their drift stays; the least delay itself cannot be known",
        "RFC 7679",
        **MS,
    ),
    "between_delay_p95_s": _metric(
        "Delay between the captures, 95th percentile", "s", "95th percentile of these delays", "RFC 7679", **MS
    ),
    "between_round_trip_s": Metric(
        "Least round trip between the captures",
        "s",
        "network",
        "least delay of one way + least delay of the other, without the drift: the clocks' offset cancels",
        "RFC 2681",
        **MS,
    ),
    "clock_offset_if_symmetric_s": Metric(
        "Offset of the clocks, if both ways are equally long",
        "s",
        "network",
        "(least delay from the first capture to the second − least delay back) / 2: the second clock less the first at "
        "0 s; wrong by up to half the least round trip, because one way may be longer",
        "RFC 5905, section 8",
        scale=1.0,
        shown_unit="s",
    ),
    "clock_drift": Metric(
        "Drift of the clocks",
        "s/s",
        "network",
        "half the difference of the slopes of the two ways' least delays: how much faster the second clock is, if "
        "queues did not empty or fill all the time; none if packets went one way only",
        "Moon, Skelly and Towsley 1999",
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
        "mean over windows of 20 times the longest least round trip, at least 1 s: Jain's index of the payload "
        "delivered by the flows present throughout the window, where there are two or more and payload",
        "Jain, Chiu and Hawe 1984; RFC 5166, section 2.3",
        headline=True,
    ),
}


def reference_parts() -> list[str]:
    """A part of the reference page of metrics, as Markdown."""
    about = (__doc__ or "").partition("\n\n")[2].strip()
    rows = [(f"`{n}`", m.title, m.unit, m.scope, m.formula, m.source) for n, m in METRICS.items()]
    return [
        "## Metrics of imports",
        f"[`tcpsweep import`](features/import.md) computes these from captures. {about}",
        markup.markdown(["metric", "title", "unit", "of each", "formula", "source"], rows),
    ]

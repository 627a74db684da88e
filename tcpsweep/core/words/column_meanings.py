# SPDX-License-Identifier: MIT
"""The meanings of the traces and of the columns in `table_columns`, for the documentation.

They are separate from the types, so that new wording does not cause cells to be parsed again.
"""

TRACES: dict[str, str] = {
    "cwnd_bytes": "Congestion window",
    "ssthresh_bytes": "Slow-start threshold; null before it is first set",
    "rtt_s": "Round-trip time, each sample; none before ns-3 3.43",
    "srtt_s": "Round-trip time, smoothed as RFC 6298 says",
    "congestion_state": "ns-3's TcpCongState_t: 0 open, 1 disorder, 2 CWR, 3 recovery, 4 loss",
    "in_flight_bytes": "Bytes sent that are neither acknowledged nor considered lost",
    "acked_bytes": "Payload acknowledged so far, seen by the sender",
    "received_bytes": "Payload that has reached the receiver so far, each byte once; of QUIC, payload that was read",
    "ip_received_bytes": "IP bytes, headers included, that reached the receiver so far",
    "owd_s": "One-way delay of each packet that reached the receiver, from IP layer to IP layer",
    "retransmitted_bytes": "Payload that the sender has retransmitted so far",
    "duplicate_bytes": "Payload that reached the receiver so far although it held it already",
    "timeouts": "How often the retransmission timer has expired so far",
    "receiver_limited_s": "Time so far in which only the receiver's window kept the sender from sending a segment",
    "application_limited_s": "Time so far in which both windows had room and the application had nothing new to send",
    "send_buffer_limited_s": "Time so far in which both windows had room, and the send buffer was full of sent data",
    "sent_bytes": "Payload sent so far, retransmissions included; a row for every 0.1 s in which the sender sent",
    "ip_sent_bytes": "IP bytes, headers included, that left the sender's IP layer so far; rows as for sent_bytes",
    "sent_packets": (
        "Packets, with payload or without, that left the sender's IP layer so far; rows as for sent_bytes"
    ),
}
COLUMNS: dict[str, dict[str, str]] = {
    "flows": {
        "flow": "The flow's number in the sweep, from 0",
        "group": "The name of its flows in a custom topology; else null",
        "direction": "forward, towards the receivers' side, or reverse",
        "variant": "Its congestion control, an ns-3 TypeId without ns3::",
        "source": "The sender's address",
        "source_port": "The sender's port",
        "destination": "The receiver's address",
        "destination_port": "The receiver's port",
        "bytes": "Payload that the flow should send; null without a limit",
        "start_s": "When the sender opened the connection",
        "finish_s": "When the last byte of a limited flow arrived; else null",
        "stop_s": "When its sender should stop; null without such a time",
        "received_bytes": "Payload that the receiving application read",
        "tx_packets": "FlowMonitor: IP packets sent, the data direction",
        "tx_bytes": "FlowMonitor: IP bytes sent",
        "rx_packets": "FlowMonitor: IP packets received",
        "rx_bytes": "FlowMonitor: IP bytes received",
        "lost_packets": "Packets dropped on a host, or not received and sent at least 10 s before the end "
        "(FlowMonitor's MaxPerHopDelay)",
        "delay_sum_s": "FlowMonitor: sum of the one-way delays of received packets",
        "jitter_sum_s": "FlowMonitor: sum of the delay changes between successive packets",
        "ack_tx_packets": "FlowMonitor: packets sent in the ACK direction",
        "ack_tx_bytes": "FlowMonitor: IP bytes sent in the ACK direction",
        "ack_rx_packets": "FlowMonitor: packets received in the ACK direction",
        "ack_rx_bytes": "FlowMonitor: IP bytes received in the ACK direction",
        "ack_lost_packets": "FlowMonitor: packets lost in the ACK direction, counted as in lost_packets",
        "ack_delay_sum_s": "FlowMonitor: sum of one-way delays in the ACK direction",
    },
    # The numbers that ns-3's flowmon-parse-results.py prints, computed by its formulas.
    "flow_monitor": {
        "flow_id": "FlowMonitor's number for the flow",
        "flow": "The flow's number in the sweep; null for CBR and traffic",
        "direction": "data from the flow's sender, ack to it; null for CBR and traffic",
        "protocol": "6 TCP, 17 UDP",
        "source": "Source address",
        "source_port": "Its port",
        "destination": "Destination address",
        "destination_port": "Its port",
        "tx_bitrate_bps": (
            "IP bytes sent × 8 / (time of the last packet sent − time of the first), which counts one packet too many; "
            "null if that time is 0"
        ),
        "rx_bitrate_bps": "The same for the packets received",
        "mean_delay_s": "Sum of one-way delays / packets received; null if none were received",
        "packet_loss_ratio": (
            "Packets lost / (packets received + lost), where lost is as in lost_packets of flows, so that most losses "
            "in the last 10 s do not count; null if no packet was received"
        ),
    },
    "traces": {
        "metric": "The trace's name",
        "flow": "The flow's number",
        "time_s": "Simulated time, in order within each flow's trace",
        "value": "The value from this time on, in the unit of the trace's name",
    },
    "queue": {
        "link": "The link's name; bottleneck if the network is not a custom topology",
        "direction": "forward, from the link's first node to its second, or reverse; only directions with flows' data",
        "time_s": "Simulated time",
        "event": "transmit, drop (on arrival), drop_after_wait, mark, or loss (random, on the link)",
        "flow": "The flow's number; -1 for packets of no flow",
        "wire_bytes": "The packet's size on the wire",
        "delay_s": "Time since it entered the link's buffer",
        "queued_packets": "Packets in the disc and the device's queue after the event",
        "queued_bytes": "Bytes in the disc and the device's queue after the event",
    },
    # Only if the network has traffic.
    "transfers": {
        "traffic": "The name of its group of traffic",
        "kind": "The group's kind; realtime has no transfers",
        "transfer": "Its number in the group, in the order of the starts, from 0",
        "from": "The node that its data come from; null for incast, because they come from all senders",
        "to": "The node that they go to",
        "start_s": "When it was requested, or when its first byte was given to TCP",
        "finish_s": "When its last byte was read; null if it did not finish",
        "bytes": "Its payload",
        "received_bytes": "Payload that the receiver has read",
        "alone_s": (
            "Shortest time for the same bytes on an empty path: a handshake unless a connection was already open "
            "(never for web), the propagation, and the bytes at the rate of the narrowest link, without slow start; "
            "null for incast, and if a link of the path follows a trace"
        ),
        "slowdown": "(finish_s − start_s) / alone_s; null if it did not finish, or if alone_s is null",
        "handshake_s": "arrivals: time from the start to the handshake's end; null if there was none",
        "parts": "incast: requested answers; web: objects of the page; else null",
        "finished_parts": "How many of them arrived completely",
        "first_part_s": "incast: time from the start until the first answer was complete; null if none was",
        "backlog_bytes": "on-off: payload of earlier bursts that was still unread at its start",
        "bitrate_bps": "video: the chunk's bitrate",
        "stalled_s": "video: how long the player stalled while it waited for the chunk; null if it did not finish",
    },
    "measures": {
        "cell": "The cell's id",
        "link": "The link's name if the metric is about a link, in a custom topology or with several links; else null",
        "bottleneck": "The link of a custom topology that limits the flow, or that network metrics are about; "
        "`radio back` is its direction from the second node, `any of hop-*` several links that count as one; else null",
        "traffic": "The name of the group of traffic if the metric is about one; else null",
        "flow": "The flow's number; null for metrics of a variant, a link, traffic or the whole network",
        "direction": "The flow's direction, or the link's",
        "variant": "The flow's variant, or the traffic's",
        "metric": "The metric's name",
        "value": "The metric's value, in its unit, infinite if a transfer did not finish; no row if it is undefined",
    },
    "fairness": {
        "cell": "The cell's id",
        "from_s": "When the window begins; the next one begins when it ends",
        "flows": "Forward flows that are present throughout the window; windows with fewer than two have no row",
        "jain": "Jain's index of the payload that they received in the window; null if they received nothing",
    },
    "audit": {
        "check": "The check's name",
        "flow": "The flow's number; null for checks of the whole network",
        "low": "The least value that passes",
        "found": "The value that was found",
        "high": "The greatest value that passes; equal to low if the check is exact",
        "agrees": "Whether the value is between low and high, both included",
    },
    "nodes": {
        "node": "ns-3's number for the node",
        "sent_packets": "Packets that its devices took from their queues to send",
        "sent_ip_bytes": "Their IP bytes, headers included",
        "received_packets": "Packets that its devices received",
        "received_ip_bytes": "Their IP bytes",
        "dropped_packets": "Packets that its devices or their queues dropped",
        "dropped_ip_bytes": "Their IP bytes",
        "arrivals_pps": "Little's lambda: packets that came to its devices' queues, per second",
        "mean_packets": "Little's L: mean number of packets in these queues over time",
        "mean_time_s": "Little's W: mean time in these queues, over the packets that left; null if none left",
        "sent_wire_bytes": "TraceMetrics' data sent: IP bytes, and 2 of PPP's header for each packet",
        "received_wire_bytes": "TraceMetrics' data received: IP bytes, and 2 of PPP's header for each packet",
        "dropped_wire_bytes": "TraceMetrics' data dropped: IP bytes, and 2 of PPP's header for each packet",
        "sent_payload_bytes": "Payload of the packets sent, retransmitted and forwarded packets included",
        "tracemetrics_throughput_bytes_per_s": (
            "TraceMetrics' throughput: wire bytes sent / time of the trace's last event"
        ),
        "tracemetrics_goodput_bytes_per_s": "TraceMetrics' goodput: payload sent / the same time",
        "tracemetrics_lambda_pps": "TraceMetrics' lambda: packets sent, which are departures, / the same time",
        "tracemetrics_en_packets": "TraceMetrics' E[N]: mean number of packets in the queues over the same time",
        "tracemetrics_ew_s": (
            "TraceMetrics' E[W]: time of all packets in the queues, also of remaining packets, / packets sent; 0 if "
            "none were sent"
        ),
        "tracemetrics_little_packets": (
            "TraceMetrics' E[W] · lambda; by these definitions it equals E[N] up to rounding, so it checks nothing"
        ),
        "tracemetrics_sent_mean_bytes": (
            "TraceMetrics' average length of sent packets: wire bytes / packets, rounded down; 0 if there are none"
        ),
        "tracemetrics_received_mean_bytes": (
            "TraceMetrics' average length of received packets: wire bytes / packets, rounded down; 0 if there are none"
        ),
    },
    "packets": {
        "interface": "Where the packet was captured",
        "time_s": (
            "Simulated time, as exact as the file's: to the microsecond or nanosecond; of an import, from its first "
            "packet on; null if the file has no times"
        ),
        "flow": "The flow's number; -1 for packets of no flow",
        "direction": "data from the flow's sender, ack to it; null for no flow",
        "source": "Source address",
        "source_port": "Its port; null if there is none, as in all fragments except the first",
        "destination": "Destination address",
        "destination_port": "Its port",
        "protocol": "The protocol above IP: 6 TCP, 17 UDP, else its number at IANA",
        "ttl": "Time to live, or hop limit",
        "ip_id": "IPv4: identification",
        "ecn": "ECN bits of the IP header: 0 not ECT, 1 ECT(1), 2 ECT(0), 3 CE",
        "wire_bytes": "The frame's length on the link, without radiotap's header; of fragments, the first one's",
        "captured_bytes": "How many of these bytes the capture holds",
        "retry": "802.11: whether the frame is a retransmission; null on other links",
        "ip_bytes": "The IP packet's length, header included, before 6LoWPAN compresses and fragments it",
        "payload_bytes": "Bytes after the header of TCP or UDP, else after IP's",
        "seq": "TCP: sequence number as sent, from 0 to 2^32 - 1; null, like all TCP fields, in other packets",
        "ack": "TCP: acknowledgement number as sent",
        "flags": "TCP: 1 FIN, 2 SYN, 4 RST, 8 PSH, 16 ACK, 32 URG, 64 ECE, 128 CWR, 256 AE",
        "window": "TCP: window as sent, before scaling",
        "mss": "TCP: maximum segment size option, in SYN packets",
        "sack_permitted": "TCP: true where the packet, a SYN, has the option SACK permitted",
        "window_scale": "TCP: window scale option, in SYN packets",
        "tsval": "TCP: timestamp",
        "tsecr": "TCP: echoed timestamp",
        "sack_left": "TCP: left edges of the SACK blocks, in the packet's order; null for none",
        "sack_right": "TCP: their right edges",
    },
    "events": {
        "time_s": "Simulated time; ns-3 writes six significant digits by default",
        "event": "enqueue, dequeue, drop (by the device or its queue), loss (on the link), transmit, receive",
        "node": "ns-3's number for the node; null where a file of one interface does not say",
        "device": "ns-3's number for the device on its node; in a trace of IP, the number of the interface",
        "source": "Source address; null if the packet is not IP",
        "source_port": "Its port; null if there is none, as in all fragments except the first",
        "destination": "Destination address",
        "destination_port": "Its port",
        "ip_bytes": "The IP packet's length, header included",
        "payload_bytes": "Bytes that ns-3 prints as payload, after all headers",
    },
}

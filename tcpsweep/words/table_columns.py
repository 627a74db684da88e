# SPDX-License-Identifier: MIT
"""The columns of the Parquet files that a cell leaves: their one home, checked whenever such a file is written."""

import os
from pathlib import Path

import polars as pl
import polars.selectors as cs

TRACES = {
    "cwnd_bytes": "Congestion window",
    "ssthresh_bytes": "Slow-start threshold; null before it is first set",
    "rtt_s": "Round-trip time, each sample; none before ns-3 3.43",
    "srtt_s": "Round-trip time, smoothed as RFC 6298 says",
    "congestion_state": "ns-3's TcpCongState_t: 0 open, 1 disorder, 2 CWR, 3 recovery, 4 loss",
    "in_flight_bytes": "Bytes sent and not yet acknowledged or taken for lost",
    "acked_bytes": "Payload acknowledged so far, seen by the sender",
    "received_bytes": "Payload that the receiving application read so far",
    "ip_received_bytes": "IP bytes, headers included, that reached the receiver so far",
    "owd_s": "One-way delay of each packet that reached the receiver, from IP layer to IP layer",
    "retransmitted_bytes": "Payload that the sender sent again so far",
    "duplicate_bytes": "Payload that reached the receiver so far when it held it already",
    "timeouts": "How often the retransmission timer has run out so far",
    "receiver_limited_s": "Time so far in which the receiver's window alone kept the sender from sending a segment",
    "application_limited_s": "Time so far in which both windows had room and the sender nothing new to send",
    "sent_bytes": "Payload that the sender sent so far, repeats included; a row every 0.1 s in which it sent",
    "ip_sent_bytes": "IP bytes, headers included, that left the sender's IP layer so far; rows as before",
    "sent_packets": "Packets, those without payload included, that left the sender's IP layer so far; rows as before",
}
METRIC = pl.Enum(list(TRACES))
QUEUE_EVENTS = {
    "t": "transmit",
    "d": "drop",
    "e": "drop_after_wait",
    "m": "mark",
    "l": "loss",
}
EVENT = pl.Enum(list(QUEUE_EVENTS.values()))
DIRECTION = pl.Enum(["forward", "reverse"])
PACKET_DIRECTION = pl.Enum(["data", "ack"])
DEVICE_EVENT = pl.Enum(["enqueue", "dequeue", "drop", "loss", "transmit", "receive"])
# Seconds as exact as ns-3's clock. As floats, whose last digits look random, they would take most of a file.
SECONDS = pl.Decimal(18, 9)
# Table to column to (type, what it is).
COLUMNS = {
    "flows": {
        "flow": (pl.Int32, "The flow's number in the sweep, from 0"),
        "direction": (DIRECTION, "forward, towards the receivers' side, or reverse"),
        "variant": (pl.String, "Its congestion control, an ns-3 TypeId without ns3::"),
        "source": (pl.String, "The sender's address"),
        "source_port": (pl.Int32, "Its port"),
        "destination": (pl.String, "The receiver's address"),
        "destination_port": (pl.Int32, "Its port"),
        "start_s": (pl.Float64, "When the sender opened the connection"),
        "finish_s": (pl.Float64, "When the last byte of a limited flow arrived, else null"),
        "stop_s": (pl.Float64, "When its sender was to leave, else null"),
        "received_bytes": (pl.Int64, "Payload that the receiving application read"),
        "tx_packets": (pl.Int64, "FlowMonitor: IP packets sent, the data direction"),
        "tx_bytes": (pl.Int64, "FlowMonitor: IP bytes sent"),
        "rx_packets": (pl.Int64, "FlowMonitor: IP packets received"),
        "rx_bytes": (pl.Int64, "FlowMonitor: IP bytes received"),
        "lost_packets": (
            pl.Int64,
            "FlowMonitor: packets dropped on a host, or unseen for its MaxPerHopDelay, 10 s unless set",
        ),
        "delay_sum_s": (pl.Float64, "FlowMonitor: sum of the one-way delays of received packets"),
        "jitter_sum_s": (pl.Float64, "FlowMonitor: sum of the delay changes between successive packets"),
        "ack_tx_packets": (pl.Int64, "FlowMonitor: packets sent in the ACK direction"),
        "ack_tx_bytes": (pl.Int64, "FlowMonitor: IP bytes sent in the ACK direction"),
        "ack_rx_packets": (pl.Int64, "FlowMonitor: packets received in the ACK direction"),
        "ack_rx_bytes": (pl.Int64, "FlowMonitor: IP bytes received in the ACK direction"),
        "ack_lost_packets": (pl.Int64, "FlowMonitor: likewise in the ACK direction"),
        "ack_delay_sum_s": (pl.Float64, "FlowMonitor: sum of one-way delays in the ACK direction"),
    },
    # What ns-3's flowmon-parse-results.py prints, each number by its formula.
    "flow_monitor": {
        "flow_id": (pl.Int32, "FlowMonitor's number of the flow"),
        "flow": (pl.Int32, "The flow's number in the sweep; null for CBR"),
        "direction": (PACKET_DIRECTION, "data from the flow's sender, ack to it; null for CBR"),
        "protocol": (pl.UInt8, "6 TCP, 17 UDP"),
        "source": (pl.String, "Source address"),
        "source_port": (pl.Int32, "Its port"),
        "destination": (pl.String, "Destination address"),
        "destination_port": (pl.Int32, "Its port"),
        "tx_bitrate_bps": (
            pl.Float64,
            "IP bytes sent × 8 / (time of the last packet sent − of the first), so one packet too many for that time; "
            "null where that is none",
        ),
        "rx_bitrate_bps": (pl.Float64, "Likewise of the packets received"),
        "mean_delay_s": (pl.Float64, "Sum of one-way delays / packets received; null where there are none"),
        "packet_loss_ratio": (
            pl.Float64,
            "Packets unseen for 10 s / (packets received + those), so that losses of the last 10 s do not count; null "
            "where no packet was received",
        ),
    },
    "traces": {
        "metric": (METRIC, "The trace's name"),
        "flow": (pl.Int32, "The flow's number"),
        "time_s": (SECONDS, "Simulated time"),
        "value": (pl.Float64, "The value from this time on, in the unit of the trace's name"),
    },
    "queue": {
        "direction": (DIRECTION, "forward; the other way's rows come after, where there are reverse flows"),
        "time_s": (SECONDS, "Simulated time"),
        "event": (EVENT, "transmit, drop (on arrival), drop_after_wait, mark, or loss (random, on the link)"),
        "flow": (pl.Int32, "The flow's number, -1 for none of them"),
        "wire_bytes": (pl.Int64, "The packet's size on the wire"),
        "delay_s": (SECONDS, "Time since it entered the bottleneck's buffer"),
        "queued_packets": (pl.Int64, "Packets left in disc and device queue"),
        "queued_bytes": (pl.Int64, "Bytes left in disc and device queue"),
    },
    "measures": {
        "cell": (pl.String, "The cell's id"),
        "flow": (pl.Int32, "The flow's number; null where the metric is the whole network's"),
        "direction": (DIRECTION, "The flow's"),
        "variant": (pl.String, "The flow's"),
        "metric": (pl.String, "The metric's name"),
        "value": (pl.Float64, "Its value, in the unit of its name; there is no row where it cannot be told"),
    },
    "fairness": {
        "cell": (pl.String, "The cell's id"),
        "from_s": (pl.Float64, "Where the window begins; the next window begins where it ends"),
        "flows": (pl.Int32, "Forward flows that are there all through it"),
        "jain": (pl.Float64, "Jain's index of the payload that they received in it"),
    },
    "audit": {
        "check": (pl.String, "The check's name"),
        "flow": (pl.Int32, "The flow's number; null where the check is of the whole network"),
        "low": (pl.Float64, "The least that it may be"),
        "found": (pl.Float64, "What it is"),
        "high": (pl.Float64, "The most that it may be; the least too where that is exact"),
        "agrees": (pl.Boolean, "Whether it is between them"),
    },
    "nodes": {
        "node": (pl.Int32, "ns-3's number of the node"),
        "sent_packets": (pl.Int64, "Packets that its devices took from their queues to send"),
        "sent_ip_bytes": (pl.Int64, "Their IP bytes, headers included"),
        "received_packets": (pl.Int64, "Packets that its devices received"),
        "received_ip_bytes": (pl.Int64, "Their IP bytes"),
        "dropped_packets": (pl.Int64, "Packets that its devices or their queues dropped"),
        "dropped_ip_bytes": (pl.Int64, "Their IP bytes"),
        "arrivals_pps": (pl.Float64, "Little's lambda: packets that came to its devices' queues, per second"),
        "mean_packets": (pl.Float64, "Little's L: packets in these queues, as the mean over time"),
        "mean_time_s": (pl.Float64, "Little's W: mean time in them of the packets that left; null where none did"),
        "sent_wire_bytes": (pl.Int64, "TraceMetrics' data sent: IP bytes, and 2 of PPP's header for each packet"),
        "received_wire_bytes": (pl.Int64, "TraceMetrics' data received, likewise"),
        "dropped_wire_bytes": (pl.Int64, "TraceMetrics' data dropped, likewise"),
        "sent_payload_bytes": (pl.Int64, "Payload of the packets sent, repeats and what is forwarded included"),
        "tracemetrics_throughput_bytes_per_s": (
            pl.Float64,
            "TraceMetrics' throughput: wire bytes sent / time of the trace's last event",
        ),
        "tracemetrics_goodput_bytes_per_s": (pl.Float64, "TraceMetrics' goodput: payload sent / that time"),
        "tracemetrics_lambda_pps": (pl.Float64, "TraceMetrics' lambda: packets sent, so that leave, / that time"),
        "tracemetrics_en_packets": (
            pl.Float64,
            "TraceMetrics' E[N]: mean number of packets in the queues in that time",
        ),
        "tracemetrics_ew_s": (
            pl.Float64,
            "TraceMetrics' E[W]: time in the queues, also of packets that stay, / packets sent; 0 where there are none",
        ),
        "tracemetrics_little_packets": (
            pl.Float64,
            "TraceMetrics' E[W] · lambda; by these definitions E[N] but for rounding, so that it checks nothing",
        ),
        "tracemetrics_sent_mean_bytes": (
            pl.Int64,
            "TraceMetrics' average length of sent packets: wire bytes / packets without remainder; 0 for none",
        ),
        "tracemetrics_received_mean_bytes": (pl.Int64, "TraceMetrics' average length of received packets, likewise"),
    },
    "packets": {
        "interface": (pl.String, "Where it was captured"),
        "time_s": (SECONDS, "Simulated time, as exact as the file's: to the microsecond or nanosecond"),
        "flow": (pl.Int32, "The flow's number, -1 for none of them"),
        "direction": (PACKET_DIRECTION, "data from the flow's sender, ack to it; null for no flow"),
        "source": (pl.String, "Source address"),
        "source_port": (pl.Int32, "Its port; null where there is none, as in all fragments but the first"),
        "destination": (pl.String, "Destination address"),
        "destination_port": (pl.Int32, "Its port"),
        "protocol": (pl.UInt8, "What IP carries: 6 TCP, 17 UDP, else as IANA numbers it"),
        "ttl": (pl.UInt8, "Time to live, or hop limit"),
        "ip_id": (pl.UInt16, "IPv4: identification"),
        "ecn": (pl.UInt8, "ECN bits of the IP header: 0 not ECT, 1 ECT(1), 2 ECT(0), 3 CE"),
        "wire_bytes": (
            pl.Int64,
            "The frame's length on the link, without radiotap's header; of fragments, the first's",
        ),
        "captured_bytes": (pl.Int64, "How much of it is in the capture"),
        "retry": (pl.Boolean, "802.11: whether the frame is sent again; null on other links"),
        "ip_bytes": (pl.Int64, "The IP packet's length, header included, before compression and fragments of 6LoWPAN"),
        "payload_bytes": (pl.Int64, "What is behind the header of TCP or UDP, else behind IP's"),
        "seq": (pl.Int64, "TCP: sequence number as sent, from 0 to 2^32 - 1; null, as all of TCP, in other packets"),
        "ack": (pl.Int64, "TCP: acknowledgement number as sent"),
        "flags": (pl.UInt16, "TCP: 1 FIN, 2 SYN, 4 RST, 8 PSH, 16 ACK, 32 URG, 64 ECE, 128 CWR, 256 AE"),
        "window": (pl.Int32, "TCP: window as sent, before scaling"),
        "window_scale": (pl.UInt8, "TCP: window scale option, in SYN packets"),
        "tsval": (pl.Int64, "TCP: timestamp"),
        "tsecr": (pl.Int64, "TCP: echoed timestamp"),
        "sack_left": (pl.List(pl.Int64), "TCP: left edges of the SACK blocks, in the packet's order; null for none"),
        "sack_right": (pl.List(pl.Int64), "TCP: their right edges"),
    },
    "events": {
        "time_s": (pl.Float64, "Simulated time; ns-3 writes six significant digits unless told otherwise"),
        "event": (
            DEVICE_EVENT,
            "enqueue, dequeue, drop (by the device or its queue), loss (on the link), transmit, receive",
        ),
        "node": (pl.Int32, "ns-3's number of the node"),
        "device": (pl.Int32, "ns-3's number of the device on its node"),
        "source": (pl.String, "Source address; null where the packet is no IP"),
        "source_port": (pl.Int32, "Its port; null where there is none, as in all fragments but the first"),
        "destination": (pl.String, "Destination address"),
        "destination_port": (pl.Int32, "Its port"),
        "ip_bytes": (pl.Int64, "The IP packet's length, header included"),
        "payload_bytes": (pl.Int64, "What ns-3 prints as payload, behind all headers"),
    },
}


def schema(table):
    """The polars schema of a table."""
    return {name: kind for name, (kind, _) in COLUMNS[table].items()}


def scan(path):
    """The rows of a table's file, its exact seconds as floats, to calculate with."""
    return pl.scan_parquet(path).with_columns(cs.decimal().cast(pl.Float64))


def write(frame, table, path):
    """Write a frame to Parquet, its columns exactly the table's.

    Raises
    ------
    ValueError
        The frame is not of the table's columns and types.
    """
    if dict(frame.schema) != {name: pl.Schema({name: kind})[name] for name, kind in schema(table).items()}:
        raise ValueError(f"{table}: expected the columns {schema(table)}, got {dict(frame.schema)}")
    frame.write_parquet(path, compression="zstd", compression_level=3, statistics=True)


def sink(frames, table, out):
    """Write frames to one Parquet file as they come, holding few of them at a time.

    Parameters
    ----------
    frames : iterator of DataFrame
        Each becomes a row group.
    table : str
        Which table they are of.
    out : Path
        The file; it is there when all of it is written, and not before.
    """
    from polars.io.plugins import register_io_source

    out, failures = Path(out), []

    def source(*_):
        try:
            yield from frames
        except Exception as error:
            failures.append(error)
            raise

    part = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        # Statistics would take a sixth of the time, and save little to who reads columns of all packets.
        register_io_source(source, schema=schema(table)).sink_parquet(
            part, compression="zstd", compression_level=3, statistics=False
        )
        part.rename(out)
    except Exception:
        if failures:  # rather than what polars makes of it
            raise failures[0] from None
        raise
    finally:
        part.unlink(missing_ok=True)

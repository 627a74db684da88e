# SPDX-License-Identifier: MIT
"""The columns of a cell's Parquet files, defined only here. `store.table_files` writes the files."""

from pathlib import Path
from typing import TypeAlias

import polars as pl
import polars.selectors as cs
from polars.datatypes import DataType, DataTypeClass

Kind: TypeAlias = DataType | DataTypeClass
Schema: TypeAlias = dict[str, Kind]
"""Each column to its type."""

TRACES = (
    "cwnd_bytes",
    "ssthresh_bytes",
    "rtt_s",
    "srtt_s",
    "congestion_state",
    "in_flight_bytes",
    "acked_bytes",
    "received_bytes",
    "ip_received_bytes",
    "owd_s",
    "retransmitted_bytes",
    "duplicate_bytes",
    "timeouts",
    "receiver_limited_s",
    "application_limited_s",
    "send_buffer_limited_s",
    "sent_bytes",
    "ip_sent_bytes",
    "sent_packets",
)
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
TRAFFIC_KIND = pl.Enum(["arrivals", "incast", "on-off", "web", "video", "realtime"])
# Names are only in the record; in a file, each row has their number.
NAME = LINK = pl.Categorical()
PACKET_DIRECTION = pl.Enum(["data", "ack"])
DEVICE_EVENT = pl.Enum(["enqueue", "dequeue", "drop", "loss", "transmit", "receive"])
# Seconds as exact as ns-3's clock. Floats have random last digits and would take most of a file's space.
SECONDS = pl.Decimal(18, 9)
_ENDS: Schema = {
    "source": pl.String,
    "source_port": pl.Int32,
    "destination": pl.String,
    "destination_port": pl.Int32,
}
# Table to column to type; `column_meanings` describes each column.
COLUMNS: dict[str, Schema] = {
    "flows": {
        "flow": pl.Int32,
        "group": pl.String,
        "direction": DIRECTION,
        "variant": pl.String,
        **_ENDS,
        "bytes": pl.Int64,
        "start_s": pl.Float64,
        "finish_s": pl.Float64,
        "stop_s": pl.Float64,
        "received_bytes": pl.Int64,
        "tx_packets": pl.Int64,
        "tx_bytes": pl.Int64,
        "rx_packets": pl.Int64,
        "rx_bytes": pl.Int64,
        "lost_packets": pl.Int64,
        "delay_sum_s": pl.Float64,
        "jitter_sum_s": pl.Float64,
        "ack_tx_packets": pl.Int64,
        "ack_tx_bytes": pl.Int64,
        "ack_rx_packets": pl.Int64,
        "ack_rx_bytes": pl.Int64,
        "ack_lost_packets": pl.Int64,
        "ack_delay_sum_s": pl.Float64,
    },
    "flow_monitor": {
        "flow_id": pl.Int32,
        "flow": pl.Int32,
        "direction": PACKET_DIRECTION,
        "protocol": pl.UInt8,
        **_ENDS,
        "tx_bitrate_bps": pl.Float64,
        "rx_bitrate_bps": pl.Float64,
        "mean_delay_s": pl.Float64,
        "packet_loss_ratio": pl.Float64,
    },
    "traces": {
        "metric": METRIC,
        "flow": pl.Int32,
        "time_s": SECONDS,
        "value": pl.Float64,
    },
    "queue": {
        "link": LINK,
        "direction": DIRECTION,
        "time_s": SECONDS,
        "event": EVENT,
        "flow": pl.Int32,
        "wire_bytes": pl.Int64,
        "delay_s": SECONDS,
        "queued_packets": pl.Int64,
        "queued_bytes": pl.Int64,
    },
    "transfers": {
        "traffic": NAME,
        "kind": TRAFFIC_KIND,
        "transfer": pl.Int64,
        "from": NAME,
        "to": NAME,
        "start_s": SECONDS,
        "finish_s": SECONDS,
        "bytes": pl.Int64,
        "received_bytes": pl.Int64,
        "alone_s": SECONDS,
        "slowdown": pl.Float64,
        "handshake_s": SECONDS,
        "parts": pl.Int64,
        "finished_parts": pl.Int64,
        "first_part_s": SECONDS,
        "backlog_bytes": pl.Int64,
        "bitrate_bps": pl.Int64,
        "stalled_s": SECONDS,
    },
    "measures": {
        "cell": pl.String,
        "link": pl.String,
        "bottleneck": pl.String,
        "traffic": pl.String,
        "flow": pl.Int32,
        "direction": DIRECTION,
        "variant": pl.String,
        "metric": pl.String,
        "value": pl.Float64,
    },
    "fairness": {
        "cell": pl.String,
        "from_s": pl.Float64,
        "flows": pl.Int32,
        "jain": pl.Float64,
    },
    "audit": {
        "check": pl.String,
        "flow": pl.Int32,
        "low": pl.Float64,
        "found": pl.Float64,
        "high": pl.Float64,
        "agrees": pl.Boolean,
    },
    "nodes": {
        "node": pl.Int32,
        "sent_packets": pl.Int64,
        "sent_ip_bytes": pl.Int64,
        "received_packets": pl.Int64,
        "received_ip_bytes": pl.Int64,
        "dropped_packets": pl.Int64,
        "dropped_ip_bytes": pl.Int64,
        "arrivals_pps": pl.Float64,
        "mean_packets": pl.Float64,
        "mean_time_s": pl.Float64,
        "sent_wire_bytes": pl.Int64,
        "received_wire_bytes": pl.Int64,
        "dropped_wire_bytes": pl.Int64,
        "sent_payload_bytes": pl.Int64,
        "tracemetrics_throughput_bytes_per_s": pl.Float64,
        "tracemetrics_goodput_bytes_per_s": pl.Float64,
        "tracemetrics_lambda_pps": pl.Float64,
        "tracemetrics_en_packets": pl.Float64,
        "tracemetrics_ew_s": pl.Float64,
        "tracemetrics_little_packets": pl.Float64,
        "tracemetrics_sent_mean_bytes": pl.Int64,
        "tracemetrics_received_mean_bytes": pl.Int64,
    },
    "packets": {
        "interface": pl.String,
        "time_s": SECONDS,
        "flow": pl.Int32,
        "direction": PACKET_DIRECTION,
        **_ENDS,
        "protocol": pl.UInt8,
        "ttl": pl.UInt8,
        "ip_id": pl.UInt16,
        "ecn": pl.UInt8,
        "wire_bytes": pl.Int64,
        "captured_bytes": pl.Int64,
        "retry": pl.Boolean,
        "ip_bytes": pl.Int64,
        "payload_bytes": pl.Int64,
        "seq": pl.Int64,
        "ack": pl.Int64,
        "flags": pl.UInt16,
        "window": pl.Int32,
        "mss": pl.UInt16,
        "sack_permitted": pl.Boolean,
        "window_scale": pl.UInt8,
        "tsval": pl.Int64,
        "tsecr": pl.Int64,
        "sack_left": pl.List(pl.Int64),
        "sack_right": pl.List(pl.Int64),
    },
    "events": {
        "time_s": pl.Float64,
        "event": DEVICE_EVENT,
        "node": pl.Int32,
        "device": pl.Int32,
        **_ENDS,
        "ip_bytes": pl.Int64,
        "payload_bytes": pl.Int64,
    },
}


def schema(table: str) -> Schema:
    """The polars schema of a table."""
    return dict(COLUMNS[table])


def scan(path: Path | str) -> pl.LazyFrame:
    """The rows of a table's file, with its exact seconds as floats."""
    return pl.scan_parquet(path).with_columns(cs.decimal().cast(pl.Float64))

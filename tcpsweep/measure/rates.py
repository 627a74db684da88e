# SPDX-License-Identifier: MIT
"""The flows' bytes and rates, and their highest rate."""

from typing import cast

import polars as pl

from tcpsweep.measure.cell import LIFE_S, Cell
from tcpsweep.words.thresholds import FASTEST_S

_LAYERS = {
    "sent_payload_bytes": "sent_bytes",
    "sent_ip_bytes": "ip_sent_bytes",
    "received_payload_bytes": "received_bytes",
    "received_ip_bytes": "ip_received_bytes",
}
_RATES = {
    "sent_payload_bytes": "sent_payload_bps",
    "sent_ip_bytes": "sent_throughput_bps",
    "sent_wire_bytes": "sent_wire_throughput_bps",
    "received_payload_bytes": "goodput_bps",
    "received_ip_bytes": "throughput_bps",
    "received_wire_bytes": "wire_throughput_bps",
}


def rates(cell: Cell, lives: pl.DataFrame) -> pl.DataFrame:
    """Payload, IP and wire bytes sent and received: totals, and rates in bit/s."""
    found = {name: cell.gain(trace) for name, trace in _LAYERS.items() if trace in cell.traces}
    if {"sent_packets", "ip_sent_bytes"} <= cell.traces.keys():
        found["sent_wire_bytes"] = found["sent_ip_bytes"] + cell.gain("sent_packets") * cell.link_header_bytes
    if "ip_received_bytes" in cell.traces:
        packets = cell.gained_rows("ip_received_bytes")
        found["received_wire_bytes"] = found["received_ip_bytes"] + packets * cell.link_header_bytes
    rates = [(pl.col(name) * 8 / LIFE_S).alias(rate) for name, rate in _RATES.items() if name in found]
    sent, received = pl.col("sent_ip_bytes"), pl.col("received_ip_bytes")
    if {"sent_ip_bytes", "received_ip_bytes"} <= found.keys():
        rates.append(pl.when(sent > 0).then((sent - received) / sent).alias("unreceived_share"))
    return lives.with_columns(**found).with_columns(rates).drop("from_s", "to_s")


def fastest(cell: Cell, lives: pl.DataFrame) -> pl.DataFrame | None:
    """The highest rate at which IP bytes arrived, over the whole intervals of `FASTEST_S` in a flow's life."""
    if "ip_received_bytes" not in cell.traces:
        return None
    found: dict[int, float] = {}
    for flow, from_s, to_s in lives.iter_rows():
        whole = int((to_s - from_s) / FASTEST_S + 1e-9)
        # An interval includes its end and excludes its beginning, like the time that counts.
        ends = [from_s + number * FASTEST_S for number in range(whole + 1)]
        if whole:
            most = cell.counted("ip_received_bytes", flow, ends).diff().max()
            found[flow] = cast(float, most) * 8 / FASTEST_S
    schema: dict[str, type[pl.DataType]] = {"flow": pl.Int32, "max_throughput_bps": pl.Float64}
    return pl.DataFrame({"flow": list(found), "max_throughput_bps": list(found.values())}, schema=schema)

# SPDX-License-Identifier: MIT
"""The metrics and traces of flows in captures, as far as packets that were seen in one place tell them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tcpsweep.applications.captures import captured_connection
from tcpsweep.applications.captures.captured_connection import Packets, Told
from tcpsweep.applications.captures.captured_flows import TCP
from tcpsweep.measure import fairness, percentiles
from tcpsweep.measure.cell import Cell
from tcpsweep.words import table_columns
from tcpsweep.words.thresholds import LEAST_WINDOW_S, WINDOW_RTTS

MOST_FLOWS = 1000  # flows whose packets are looked at; of the others there are totals
_BATCH_ROWS = 4_000_000  # packets of several flows that are in memory together
_COLUMNS = ("flow", "direction", "time_s", "payload_bytes", "ip_bytes", "seq", "ack", "flags", "window", "ecn")
_CE = 3
_TRACES = (
    *("received_bytes", "acked_bytes", "retransmitted_bytes"),
    *("sent_bytes", "ip_sent_bytes", "in_flight_bytes", "rtt_s"),
)


@dataclass
class Measured:
    """What was found of the flows so far: each metric's values by the flows' numbers, and what each flow delivered.

    ``received`` has, of each flow that was looked at, when payload was delivered, as far as is known, and how much
    until then.
    """

    values: dict[str, dict[int, float]]
    received: dict[int, tuple[Any, Any]]


def traces(packets: Path, flows: pl.DataFrame, measured: Measured) -> Iterator[pl.DataFrame]:
    """The table `traces`, flow by flow; what they amount to is added to ``measured``.

    ``packets`` is the table of packets, with the flows' numbers and directions; the flows are from
    `captured_flows.flows_in_captures`.
    """
    yield pl.DataFrame(schema=table_columns.schema("traces"))
    _totals(flows, measured)
    for batch in _batches(flows.head(MOST_FLOWS)):
        places = batch.lazy().select("flow", pl.col("interface").alias("place"))
        rows = (
            pl.scan_parquet(packets)
            .select(
                *_COLUMNS,
                "interface",
                has_sack=pl.col("sack_left").is_not_null(),
                # RFC 2883: the first block is below what is acknowledged; numbers go round.
                has_duplicate=((pl.col("ack") - pl.col("sack_right").list.first()) % 2**32 < 2**31)
                & pl.col("sack_left").is_not_null(),
            )
            .filter(pl.col("flow").is_in(batch["flow"].implode()), pl.col("time_s").is_not_null())
            .join(places, on="flow")
            .filter(pl.col("interface") == pl.col("place"))
            .with_columns(pl.col("time_s").cast(pl.Float64))
            .drop("interface", "place")
            .collect(engine="streaming")
            .sort("flow", "time_s", maintain_order=True)
        )
        protocols = dict(batch.select("flow", "protocol").iter_rows())
        for own in rows.partition_by("flow", maintain_order=True):
            flow = own["flow"][0]
            yield from _of_flow(flow, own, protocols[flow] == TCP, measured)


def _batches(flows: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """The flows in groups whose packets fit into memory together."""
    counts = (flows["packets"] + flows["ack_packets"]).to_list()
    first, rows = 0, 0
    for place, count in enumerate(counts):
        if rows and rows + count > _BATCH_ROWS:
            yield flows.slice(first, place - first)
            first, rows = place, 0
        rows += count
    if rows:
        yield flows.slice(first)


def _totals(flows: pl.DataFrame, measured: Measured) -> None:
    """What the totals of the flows tell."""
    for row in flows.iter_rows(named=True):
        flow, time_s = row["flow"], row["last_s"] - row["first_s"] if row["last_s"] is not None else 0
        found = {"sent_payload_bytes": row["payload_bytes"], "sent_ip_bytes": row["ip_bytes"]}
        if time_s > 0:
            found["throughput_bps"] = row["ip_bytes"] * 8 / time_s
        _add(measured, flow, found)


def _add(measured: Measured, flow: int, found: Mapping[str, float | None]) -> None:
    for name, value in found.items():
        if value is not None:
            measured.values.setdefault(name, {})[flow] = float(value)


def _packets(rows: pl.DataFrame) -> Packets:
    def column(name: str) -> Any:
        return rows[name].fill_null(0).cast(pl.Int64).to_numpy()

    return Packets._make(
        [
            rows["time_s"].to_numpy(),
            *(column(name) for name in ("seq", "ack", "payload_bytes", "flags", "window")),
            rows["has_sack"].fill_null(value=False).to_numpy(),
            rows["has_duplicate"].fill_null(value=False).to_numpy(),
        ]
    )


def _of_flow(flow: int, rows: pl.DataFrame, is_tcp: bool, measured: Measured) -> Iterator[pl.DataFrame]:
    """The traces of one flow, and its metrics."""
    is_data = rows["direction"] == "data"
    data, acks = rows.filter(is_data), rows.filter(~is_data)
    sent = data.filter(pl.col("payload_bytes") > 0)
    at_s, payload, ip_bytes = (sent[name].to_numpy() for name in ("time_s", "payload_bytes", "ip_bytes"))
    length_s = float(rows["time_s"][-1] - rows["time_s"][0])
    made: dict[str, tuple[Any, Any]] = {
        "sent_bytes": (at_s, np.cumsum(payload)),
        "ip_sent_bytes": (at_s, np.cumsum(ip_bytes)),
    }
    received = made["sent_bytes"]
    if is_tcp:
        told = captured_connection.followed_connection(_packets(data), _packets(acks))
        received = (told.time_s, np.cumsum(told.new))
        if len(told.acked_s):
            received = made["acked_bytes"] = (told.acked_s, np.cumsum(told.acked))
            made["in_flight_bytes"] = (told.time_s, told.in_flight)
        made["rtt_s"] = (told.rtt_at_s, told.rtt_s)
        resent = told.again > 0
        made["retransmitted_bytes"] = (told.time_s[resent], np.cumsum(told.again[resent]))
        _add(measured, flow, _of_connection(told, sent.height, acks.height > 0))
    made["received_bytes"] = received
    measured.received[flow] = received
    total = float(received[1][-1]) if len(received[1]) else 0.0
    marked = int((sent["ecn"] == _CE).sum())
    _add(
        measured,
        flow,
        {
            "received_payload_bytes": total,
            "goodput_bps": total * 8 / length_s if length_s > 0 else None,
            "ecn_marks": marked / sent.height if (sent["ecn"] > 0).any() else None,
        },
    )
    for name in _TRACES:
        if name in made and len(made[name][0]):
            yield _trace(name, flow, *made[name])


def _of_connection(told: Told, packets: int, has_acks: bool) -> dict[str, float | None]:
    """The metrics that only TCP has."""
    again = int(told.again.sum())
    found: dict[str, float | None] = {
        "retransmitted_bytes": again,
        "retransmitted_packets": told.sent_again,
        "retransmitted_share": told.sent_again / packets if packets else None,
        "lost_before_packets": told.filled_gaps,
        "reordered_packets": told.reordered,
        "handshake_s": told.handshake_s,
    }
    if has_acks:
        found |= {
            "acked_bytes": int(told.acked.sum()),
            "unseen_bytes": max(int(told.acked.sum() - told.new.sum()), 0),
            "duplicate_acks": told.duplicate_acks,
            "needless_packets": told.needless,
            "lost_at_most_packets": max(told.sent_again - told.needless, 0),
        }
    if len(told.rtt_s):
        values = pl.DataFrame({"value": told.rtt_s})
        found |= {"rtt_min_s": float(told.rtt_s.min())}
        found |= values.select(percentiles.spread(pl.col("value"), "rtt")).row(0, named=True)
    return found


def _trace(name: str, flow: int, time_s: Any, value: Any) -> pl.DataFrame:
    return pl.DataFrame({"time_s": time_s, "value": np.asarray(value, float)}).select(
        pl.lit(name, dtype=table_columns.METRIC).alias("metric"),
        pl.lit(flow, dtype=pl.Int32).alias("flow"),
        pl.col("time_s").round(9).cast(table_columns.SECONDS),
        "value",
    )


def tables(name: str, flows: pl.DataFrame, to_s: float, measured: Measured) -> dict[str, pl.DataFrame]:
    """The tables `measures` and `fairness`, after all of `traces`.

    The import's name stands for the cell's. All flows are forward; ``to_s`` is the time of the last packet.
    """
    received = pl.concat(
        [
            pl.DataFrame(schema={"flow": pl.Int32, "time_s": pl.Float64, "value": pl.Float64}),
            *(
                pl.DataFrame({"time_s": at_s, "value": np.asarray(value, float)}).select(
                    pl.lit(flow, dtype=pl.Int32).alias("flow"), "time_s", "value"
                )
                for flow, (at_s, value) in measured.received.items()
            ),
        ]
    )
    shared = flows.filter(pl.col("flow").is_in(list(measured.received)), pl.col("start_s").is_not_null())
    rtts_s = measured.values.get("rtt_min_s", {})
    window_s = max(LEAST_WINDOW_S, WINDOW_RTTS * max(rtts_s.values(), default=0.0))
    inputs = Cell(shared, {"received_bytes": received}, None, 0.0, to_s, window_s=window_s)
    windows = fairness.over_time(inputs)
    of_network: dict[str, float | None] = {}
    if shared.height > 1:
        goodputs = fairness.together(inputs)
        of_network["jain"] = fairness.jain(pl.Series(list(goodputs.values()), dtype=pl.Float64))
    if windows is not None and windows.height:
        of_network["jain_windows"] = windows["jain"].mean()  # type: ignore[assignment]
    rows: list[tuple[Any, ...]] = [
        (name, None, None, flow, "forward", None, metric, value)
        for metric, values in measured.values.items()
        for flow, value in values.items()
    ]
    rows += [
        (name, None, None, None, None, None, metric, value) for metric, value in of_network.items() if value is not None
    ]
    measures = pl.DataFrame(rows, schema=table_columns.schema("measures"), orient="row")
    if windows is None:
        windows = pl.DataFrame(schema={"from_s": pl.Float64, "flows": pl.Int32, "jain": pl.Float64})
    windows.insert_column(0, pl.Series("cell", [name] * windows.height, pl.String))
    return {"measures": measures, "fairness": windows}

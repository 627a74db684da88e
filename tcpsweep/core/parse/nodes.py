# SPDX-License-Identifier: MIT
"""Per node, the packets sent, received and dropped, and Little's law for its device queues, from `events`.

The table also has the numbers that TraceMetrics 1.4 (Saggioro, Gonzaga and Ribeiro 2012-2016) shows for the same trace,
by the rules in its source. Its throughput and goodput are the bytes per second that a node sends, including forwarded
packets. All of its times end with the trace's last event. Its lambda counts the packets that leave. For IPv4 over
point-to-point links, its numbers equal ours, with one exception. If a payload begins with a whole write of the
application and ends with a part of the next one, TraceMetrics omits the whole write from its goodput.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import cast

import polars as pl

from tcpsweep.core.store import table_files
from tcpsweep.core.words import table_columns

BLOCK_ROWS = 500_000
PPP_HEADER_BYTES = 2
_EVENTS_OF_COUNT = {"sent": ["dequeue"], "received": ["receive"], "dropped": ["drop", "loss"]}
_DEVICE_COLUMNS = ["node", "device"]
_COLUMNS = ["time_s", "event", *_DEVICE_COLUMNS, "ip_bytes", "payload_bytes"]


def nodes(blocks: Iterable[pl.DataFrame], to_s: float) -> pl.DataFrame:
    """The metrics of a network's nodes over the whole simulation.

    A packet is queued while it waits in a device's queue. The packet in transmission does not count. Packets in a queue
    disc do not count either, because ns-3's ascii trace does not show them. Device queues are first in, first out, so
    the k-th packet to leave is the k-th to arrive. ``blocks`` are the table `events`, sorted by time; only one block at
    a time is in memory. ``to_s`` is the end of the simulation, in s.

    Returns
    -------
    DataFrame
        The table `nodes`, a row per node. By Little's law, ``mean_packets`` is ``arrivals_pps`` times
        ``mean_time_s``, except for packets that are still queued at the end, whose time is not known yet.

    Little: A Proof for the Queuing Formula L = λW. Operations Research 9(3), 1961.
    """
    queued = pl.DataFrame(schema={"node": pl.Int32, "device": pl.Int32, "time_ns": pl.Int64})
    block_sums, end_ns = [pl.DataFrame(schema=table_columns.schema("events")).pipe(_timed).pipe(_sums)], 0
    for block in blocks:
        timed = _timed(block)
        block_sums.append(_sums(timed))
        queued = _still_queued(queued, timed)
        end_ns = cast("int", timed["time_ns"].max())
    queued_at_end = queued.group_by("node").agg(staying=pl.len().cast(pl.Int64), staying_ns=pl.col("time_ns").sum())
    totals = (
        pl.concat(block_sums)
        .group_by("node")
        .sum()
        .join(queued_at_end, on="node", how="left")
        .with_columns(pl.col("staying", "staying_ns").fill_null(0))
    )
    return (
        totals.with_columns(**_little_columns(to_s))
        .with_columns(**_tracemetrics_columns(end_ns))
        .with_columns(tracemetrics_little_packets=pl.col("tracemetrics_ew_s") * pl.col("tracemetrics_lambda_pps"))
        .sort("node")
        .select(list(table_columns.schema("nodes")))
    )


def write(events: Path, to_s: float, out: Path) -> None:
    """Compute the table `nodes` from the Parquet file ``events``, and write it to ``out``. See `nodes`."""
    rows = pl.scan_parquet(events).select(_COLUMNS)
    height = rows.select(pl.len()).collect().item()
    blocks = (rows.slice(begin, BLOCK_ROWS).collect() for begin in range(0, height, BLOCK_ROWS))
    table_files.write(nodes(blocks, to_s), "nodes", out)


def _is_event(*events: str) -> pl.Expr:
    return pl.col("event").is_in(pl.Series(events, dtype=table_columns.DEVICE_EVENT).implode())


def _timed(block: pl.DataFrame) -> pl.DataFrame:
    """A block with times in whole nanoseconds, so that their sums are exact."""
    return block.with_columns(time_ns=(pl.col("time_s") * 1e9).round().cast(pl.Int64))


def _sums(block: pl.DataFrame) -> pl.DataFrame:
    """A block's sums by node, which add up over blocks. ``left_ns`` sums departure times minus arrival times."""
    columns = []
    for name, kinds in _EVENTS_OF_COUNT.items():
        is_counted = _is_event(*kinds)
        packets, ip_bytes = is_counted.sum().cast(pl.Int64), pl.col("ip_bytes").filter(is_counted).sum()
        columns += [
            packets.alias(f"{name}_packets"),
            ip_bytes.alias(f"{name}_ip_bytes"),
            (ip_bytes + packets * PPP_HEADER_BYTES).alias(f"{name}_wire_bytes"),
        ]
    arrivals_ns, departed_ns = (pl.col("time_ns").filter(_is_event(event)).sum() for event in ("enqueue", "dequeue"))
    return block.group_by("node").agg(
        *columns,
        pl.col("payload_bytes").filter(_is_event("dequeue")).sum().alias("sent_payload_bytes"),
        came=_is_event("enqueue").sum().cast(pl.Int64),
        left_ns=departed_ns - arrivals_ns,
    )


def _still_queued(queued: pl.DataFrame, block: pl.DataFrame) -> pl.DataFrame:
    """The packets in the queues after a block, from the packets ``queued`` before it and its arrivals."""
    departed = block.filter(_is_event("dequeue")).group_by(_DEVICE_COLUMNS).agg(left=pl.len())
    arrivals = block.filter(_is_event("enqueue")).select(*_DEVICE_COLUMNS, "time_ns")
    return (
        pl.concat([queued, arrivals])
        .with_columns(number=pl.int_range(pl.len()).over(_DEVICE_COLUMNS))
        .join(departed, on=_DEVICE_COLUMNS, how="left", maintain_order="left")
        .filter(pl.col("number") >= pl.col("left").fill_null(0))
        .drop("number", "left")
    )


def _queued_ns(to_ns: int) -> pl.Expr:
    """The sum of all packets' times in the queues until ``to_ns``, including packets that are still queued."""
    return pl.col("left_ns") + pl.col("staying") * to_ns


def _little_columns(to_s: float) -> dict[str, pl.Expr]:
    waited_ns = pl.col("left_ns") + pl.col("staying_ns")
    sent = pl.col("sent_packets")
    return {
        "arrivals_pps": pl.col("came") / to_s,
        "mean_packets": _queued_ns(round(to_s * 1e9)) / 1e9 / to_s,
        "mean_time_s": pl.when(sent > 0).then(waited_ns / 1e9 / sent),
    }


def _tracemetrics_columns(end_ns: int) -> dict[str, pl.Expr]:
    end_s, queued_s = end_ns / 1e9, _queued_ns(end_ns) / 1e9
    sent = pl.col("sent_packets")
    return {
        "tracemetrics_throughput_bytes_per_s": pl.col("sent_wire_bytes") / end_s,
        "tracemetrics_goodput_bytes_per_s": pl.col("sent_payload_bytes") / end_s,
        "tracemetrics_lambda_pps": sent / end_s,
        "tracemetrics_en_packets": queued_s / end_s,
        "tracemetrics_ew_s": pl.when(sent > 0).then(queued_s / sent).otherwise(0.0),
    } | {
        f"tracemetrics_{end}_mean_bytes": pl.when(pl.col(f"{end}_packets") > 0)
        .then(pl.col(f"{end}_wire_bytes") // pl.col(f"{end}_packets"))
        .otherwise(0)
        for end in ("sent", "received")
    }

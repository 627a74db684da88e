# SPDX-License-Identifier: MIT
"""A cell's traces, read for all charts over time: of its flows, and of the queue that is drawn."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl

from tcpsweep.core.figures.trace_reduction import NO_WINDOW_BYTES, Trace
from tcpsweep.core.words import table_columns

OfFlows: TypeAlias = Mapping[int, Trace]
"""A trace of some flows by their numbers, in the order in which they come."""
_QUEUE_COLUMNS = ["event", "flow", "time_s", "delay_s", "queued_packets"]
_TRANSMIT = table_columns.EVENT.categories.to_list().index("transmit")


def wanted(names: Collection[str], flows: Collection[int]) -> pl.Expr:
    """The rows of the table `traces` that are traces of these names, of these flows."""
    return pl.col("metric").is_in(list(names)) & pl.col("flow").is_in(list(flows))


def is_limit() -> pl.Expr:
    """Whether a row of ``metric`` and ``value`` is anything but an unlimited window."""
    return (pl.col("metric") != "cwnd_bytes") | (pl.col("value") < NO_WINDOW_BYTES)


def scan(file: Path, rows: pl.Expr) -> pl.LazyFrame:
    """The rows of the table `traces` that have a value; an infinite slow-start threshold is infinite."""
    is_threshold = pl.col("metric") == "ssthresh_bytes"
    value = pl.when(is_threshold).then(pl.col("value").fill_null(math.inf)).otherwise("value")
    return table_columns.scan(file).filter(rows).with_columns(value=value).drop_nulls("value")


def of_flows(rows: pl.DataFrame) -> dict[str, dict[int, Trace]]:
    """The traces in rows of ``metric``, ``flow``, ``time_s`` and ``value``, by name and flow."""
    traces: dict[str, dict[int, Trace]] = {}
    for flow_rows in rows.partition_by("metric", "flow", maintain_order=True) if rows.height else ():
        traces.setdefault(flow_rows["metric"][0], {})[flow_rows["flow"][0]] = Trace(
            flow_rows["time_s"].to_numpy(), flow_rows["value"].to_numpy()
        )
    return traces


def read(file: Path, rows: pl.Expr) -> dict[str, dict[int, Trace]]:
    """The traces in some rows of the table `traces`, by name and flow."""
    return of_flows(scan(file, rows).collect())


def scaled(trace: Trace, factor: float) -> Trace:
    """A trace with its values in another unit."""
    return trace._replace(value=trace.value * factor)


def frame(trace: Trace, **names: Any) -> pl.DataFrame:
    """A trace's ``time_s`` and ``value`` as rows, after columns of these names."""
    columns = pl.DataFrame({"time_s": trace.time_s, "value": trace.value})
    return columns.select(*(pl.lit(value).alias(name) for name, value in names.items()), "time_s", "value")


def between(trace: Trace, from_s: float, to_s: float) -> Trace:
    """The values of a part of the time, with its ends."""
    is_within = (trace.time_s >= from_s) & (trace.time_s <= to_s)
    return Trace(trace.time_s[is_within], trace.value[is_within])


def round_trips(traces: Mapping[str, OfFlows]) -> tuple[dict[int, Trace], list[int]]:
    """Each flow's round-trip times in s, and the flows that have only smoothed ones.

    Linux reports no samples, nor do ns-3's versions before 3.43.
    """
    samples, smoothed = traces.get("rtt_s", {}), traces.get("srtt_s", {})
    return dict(sorted({**smoothed, **samples}.items())), sorted(smoothed.keys() - samples.keys())


def queue(file: Path, rows: pl.Expr) -> pl.LazyFrame:
    """The rows of the table `queue`, such as those of `drawn_queue.is_drawn`, with the columns for charts."""
    return table_columns.scan(file).filter(rows).select(_QUEUE_COLUMNS)


def queue_lengths(queue_rows: pl.DataFrame) -> Trace:
    """The packets in the queue."""
    return Trace(queue_rows["time_s"].to_numpy(), queue_rows["queued_packets"].to_numpy().astype(float))


def waits_ms(queue_rows: pl.DataFrame) -> Trace:
    """The waiting time of each sent packet, in ms."""
    is_sent = queue_rows["event"].to_physical().to_numpy() == _TRANSMIT
    return Trace(queue_rows["time_s"].to_numpy()[is_sent], queue_rows["delay_s"].to_numpy()[is_sent] * 1e3)

# SPDX-License-Identifier: MIT
"""The data of the timeline on a cell's page: its traces reduced to what a screen can tell apart."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias, cast

import polars as pl

from tcpsweep.figures import trace_reduction
from tcpsweep.sweep.matching import Combination
from tcpsweep.words import quantities, table_columns

Rows: TypeAlias = list[dict[str, Any]]
"""Vega-Lite's data."""

SPANS = 500  # parts of the time axis; each keeps its lowest and highest value
WINDOWS = 200  # parts of the time whose goodput is shown
MOST_FLOWS = 8
# An event in the queue's table to what the chart calls it.
EVENTS = {
    "drop": "dropped on arrival",
    "drop_after_wait": "dropped after a wait",
    "mark": "marked",
    "loss": "lost on the link",
}
_LINES = {"cwnd_bytes": "cwnd", "ssthresh_bytes": "ssthresh", "in_flight_bytes": "in flight"}
_SHOWN = [*_LINES, "rtt_s", "srtt_s", "received_bytes", "congestion_state"]


class Unreadable(Exception):
    """A file of a cell cannot be read, or lacks something; says which file, and why."""


@contextlib.contextmanager
def reading(path: Path) -> Iterator[Path]:
    """Name the file in the errors of a block that reads it.

    Raises
    ------
    Unreadable
    """
    try:
        yield path
    except (OSError, ValueError, pl.exceptions.PolarsError) as error:
        raise Unreadable(f"{path}: {error}") from error


def reduced(folder: Path, measured: Path, row: Combination, flows: pl.DataFrame) -> dict[str, Rows]:
    """What the timeline shows of a cell.

    Parameters
    ----------
    folder, measured : Path
        Where the cell's traces and its metrics lie.
    row : dict
        The cell's parameters.
    flows : DataFrame
        Its table `flows`.

    Returns
    -------
    dict of str to list of dict
        Data for `cell_timeline_chart.chart`, by name. Lines have ``flow`` (the label) and lists ``t`` in s and ``v``;
        ``states`` and ``events`` have a row each. What was not traced is left out.

    Raises
    ------
    Unreadable
        A table cannot be read.
    """
    end_s = float(quantities.si(row["duration"], "time"))
    shown = flows.head(MOST_FLOWS)
    named = dict(zip(shown["flow"], labels(shown), strict=True))

    wanted = pl.col("flow").is_in(list(named)), pl.col("metric").is_in(_SHOWN), pl.col("value").is_not_null()
    with reading(folder / "traces.parquet") as path:
        rows = table_columns.scan(path).filter(*wanted).collect()
    by_name = rows.partition_by("metric", include_key=False, as_dict=True)

    def trace(name: str) -> pl.DataFrame:
        return by_name.get((name,), rows.clear().drop("metric"))

    found, per_segment = {}, 1 / cast(int, row["segment_size"])
    for name, line in _LINES.items():
        found[line] = _lines(trace_reduction.held(trace(name), ["flow"], 0, end_s), named, end_s, per_segment)
    rtt = trace("rtt_s")
    found["rtt"] = _lines(rtt if rtt.height else trace("srtt_s"), named, end_s, 1e3)
    found["goodput"] = _goodput(trace("received_bytes"), named, end_s)
    found["states"] = _states(trace("congestion_state"), named, end_s)
    with reading(folder / "queue.parquet") as path:
        queue = table_columns.scan(path).filter(pl.col("direction") == "forward").collect()
    length = queue.select("time_s", value=pl.col("queued_packets").cast(pl.Float64), flow=pl.lit(0))
    found["queue"] = _lines(length, {0: ""}, end_s)
    waited = queue.filter(pl.col("event") == "transmit").select("time_s", value="delay_s", flow=pl.lit(0))
    found["delay"] = _lines(waited, {0: ""}, end_s, 1e3)
    found["events"] = _events(queue, end_s)
    if (measured / "fairness.parquet").is_file():
        with reading(measured / "fairness.parquet") as path:
            windows = pl.read_parquet(path)
        found["jain"] = _fairness(windows, end_s)
    return {name: rows for name, rows in found.items() if rows}


def labels(flows: pl.DataFrame) -> list[str]:
    """The label of each flow: its number and variant, and whether it is a reverse flow."""
    return [
        f"{flow} {variant}{', reverse' if direction == 'reverse' else ''}"
        for flow, variant, direction in flows.select("flow", "variant", "direction").iter_rows()
    ]


def _lines(trace: pl.DataFrame, named: Mapping[int, object], end_s: float, scale: float = 1.0) -> Rows:
    """The lines of a trace, one a flow."""
    kept = trace_reduction.thin(trace.sort("flow", "time_s", maintain_order=True), ["flow"], 0, end_s, SPANS)
    return [
        {"flow": named[flow], "t": _short(own["time_s"], 6), "v": _short(own["value"] * scale, 5)}
        for (flow,), own in kept.partition_by("flow", as_dict=True, maintain_order=True).items()
    ]


def _short(values: Iterable[float], digits: int) -> list[float]:
    """Numbers as short as a screen needs them."""
    return [float(f"{value:.{digits}g}") for value in values]


def _goodput(received: pl.DataFrame, named: Mapping[int, object], end_s: float) -> Rows:
    """The rate of payload read in each of `WINDOWS` parts of the time, in Mbit/s."""
    bounds = [end_s / WINDOWS * number for number in range(WINDOWS + 1)]
    rates = trace_reduction.rates(received, ["flow"], bounds)
    return [
        {"flow": named[flow], "t": _short(own["time_s"], 6), "v": _short(own["value"], 5)}
        for (flow,), own in rates.partition_by("flow", as_dict=True, maintain_order=True).items()
    ]


def _fairness(windows: pl.DataFrame, end_s: float) -> Rows:
    """Jain's index, a line for each stretch without a gap; its last value holds until its window ends."""
    time_s, value = pl.col("time_s"), pl.col("value")
    # Windows are equally long. A gap, in which there are no two flows, has the length of whole windows.
    width_s = cast("float | None", windows["from_s"].diff().min()) or end_s
    lines = (
        windows.drop_nulls("jain")
        .select(pl.col("from_s").alias("time_s"), value="jain")
        .with_columns(flow=(time_s.diff() > 1.5 * width_s).fill_null(False).cum_sum())
    )
    ends = lines.group_by("flow").agg(pl.min_horizontal(time_s.last() + width_s, end_s), value.last())
    lines = pl.concat([lines, ends.select(lines.columns)])
    return _lines(lines, {number: number for number in lines["flow"]}, end_s)


def _states(states: pl.DataFrame, named: Mapping[int, object], end_s: float) -> Rows:
    """When flows were not in the state open: the worst state in each of `SPANS` parts of the time."""
    found = trace_reduction.worst(states, ["flow"], 0, end_s, SPANS)
    return [
        {"flow": named[flow], "state": trace_reduction.STATES[int(state)], "t": round(begin, 6), "until": round(end, 6)}
        for flow, state, begin, end in found.select("flow", "value", "time_s", "until_s").iter_rows()
    ]


def _events(queue: pl.DataFrame, end_s: float) -> Rows:
    """How many packets were dropped, marked or lost in each of `SPANS` parts of the time."""
    width = end_s / SPANS
    counts = (
        queue.filter(pl.col("event").cast(pl.String).is_in(list(EVENTS)))
        .group_by(pl.col("event").cast(pl.String), part=(pl.col("time_s") / width).floor())
        .agg(packets=pl.len(), t=pl.col("time_s").min())
        .sort("t", "event")
    )
    return [
        {"what": EVENTS[event], "t": round(time_s, 6), "packets": packets}
        for event, time_s, packets in counts.select("event", "t", "packets").iter_rows()
    ]

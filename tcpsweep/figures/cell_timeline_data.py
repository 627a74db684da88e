# SPDX-License-Identifier: MIT
"""The data of the timeline on a cell's page: its traces reduced to what a screen can tell apart."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, cast

import polars as pl

from tcpsweep.figures import trace_reduction
from tcpsweep.figures.packed_numbers import packed
from tcpsweep.words import table_columns

Rows: TypeAlias = list[dict[str, Any]]
"""What a chart shows, a row for a line, a state or an event. Lines have their points as series ``t`` in s and ``v``."""

SPANS = 500  # parts of the time axis; each keeps its lowest and highest value
WINDOWS = 200  # most parts of the time whose goodput is shown
MOST_FLOWS = 8
# An event in the queue's table to what the chart calls it.
EVENTS = {
    "drop": "dropped on arrival",
    "drop_after_wait": "dropped after a wait",
    "mark": "marked",
    "loss": "lost on the link",
}
_SHOWN = ["cwnd_bytes", "ssthresh_bytes", "in_flight_bytes", "rtt_s", "srtt_s", "congestion_state"]
_WINDOWS = {"cwnd_bytes": "cwnd", "ssthresh_bytes": "ssthresh", "in_flight_bytes": "in flight"}
_POINT = ["flow", "time_s", "value"]
_BY = ["line", "flow"]
_LINE = pl.Enum(["cwnd", "ssthresh", "in flight", "rtt", "queue", "delay", "jain"])
_COUNTS = ["received_bytes", "timeouts"]  # wanted of all flows, also of those that are not drawn


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


class Tables(NamedTuple):
    """A cell's tables, as far as its page shows what happened over time.

    Attributes
    ----------
    flows : DataFrame
    traces : dict of str to DataFrame
        Each trace's ``flow``, ``time_s`` and ``value``; an infinite slow-start threshold is infinite.
    queue : DataFrame
        The rows of the forward direction.
    fairness : DataFrame or None
    """

    flows: pl.DataFrame
    traces: dict[str, pl.DataFrame]
    queue: pl.DataFrame
    fairness: pl.DataFrame | None

    def trace(self, name: str) -> pl.DataFrame:
        """A trace, without rows if there is none."""
        return self.traces.get(name, _NOTHING)


_NOTHING = pl.DataFrame(schema={"flow": pl.Int32, "time_s": pl.Float64, "value": pl.Float64})


def read(folder: Path, measured: Path, flows: pl.DataFrame) -> Tables:
    """Read a cell's tables.

    Parameters
    ----------
    folder, measured : Path
        Where the cell's traces and its metrics lie.
    flows : DataFrame
        Its table `flows`.

    Raises
    ------
    Unreadable
        A table cannot be read.
    """
    metric, value = pl.col("metric"), pl.col("value")
    drawn = pl.col("flow").is_in(flows["flow"].head(MOST_FLOWS).implode()) & metric.is_in(_SHOWN)
    with reading(folder / "traces.parquet") as path:
        rows = (
            table_columns.scan(path)
            .filter(drawn | metric.is_in(_COUNTS))
            .with_columns(value=pl.when(metric == "ssthresh_bytes").then(value.fill_null(math.inf)).otherwise(value))
            .drop_nulls("value")
            .collect()
        )
    traces = {str(name): own for (name,), own in rows.partition_by("metric", include_key=False, as_dict=True).items()}
    with reading(folder / "queue.parquet") as path:
        queue = table_columns.scan(path).filter(pl.col("direction") == "forward").collect()
    fairness = None
    if (measured / "fairness.parquet").is_file():
        with reading(measured / "fairness.parquet") as path:
            fairness = pl.read_parquet(path)
    return Tables(flows, traces, queue, fairness)


def reduced(tables: Tables, end_s: float, segment_bytes: int, window_s: float) -> dict[str, Rows]:
    """What the timeline shows of a cell.

    Parameters
    ----------
    tables : Tables
    end_s : float
        The end of the simulation.
    segment_bytes : int
    window_s : float
        The length of the windows of Jain's index.

    Returns
    -------
    dict of str to list of dict
        Rows by name, each with ``flow``, a flow's number, where it is about one. ``states``, ``events`` and ``above``
        have times ``t`` and, but for events, ``until``; all others are lines. ``above`` tells when the slow-start
        threshold lies above the axis of the flow's windows, and its largest value then, ``most``, in segments; the line
        ``ssthresh`` ends at the `window_top`. ``unlimited`` are flows whose cwnd limits nothing at times, when it is
        drawn at the end of their axis. What was not traced is left out.
    """
    drawn = tables.flows["flow"].head(MOST_FLOWS)
    windows = trace_reduction.held(_named(tables, _WINDOWS), _BY, 0, end_s)
    windows = windows.with_columns(pl.col("value") / segment_bytes)
    threshold = windows.filter(line="ssthresh").drop("line")
    tops = _tops(windows.filter(line="cwnd"), segment_bytes)
    free = pl.col("value") * segment_bytes >= trace_reduction.NO_WINDOW_BYTES
    unlimited = sorted(windows.filter(free, line="cwnd")["flow"].unique())
    own_top = pl.col("flow").replace_strict(tops, default=0.0, return_dtype=pl.Float64)
    windows = windows.with_columns(value=pl.when(free, line="cwnd").then(own_top).otherwise("value"))
    cut = pl.when(line="ssthresh").then(pl.col("value").clip(upper_bound=window_top(tables, segment_bytes)))
    rtt = _named(tables, {"rtt_s" if "rtt_s" in tables.traces else "srtt_s": "rtt"}).sort(_BY, maintain_order=True)
    lines = [
        windows.with_columns(value=cut.otherwise("value")),
        rtt.with_columns(pl.col("value") * 1e3),
        _of_queue(tables.queue, "queue", pl.col("queued_packets").cast(pl.Float64)),
        _of_queue(tables.queue.filter(pl.col("event") == "transmit"), "delay", pl.col("delay_s") * 1e3),
    ]
    if tables.fairness is not None:
        lines.append(_fairness(tables.fairness, end_s))
    found = _lines(pl.concat(lines), end_s)
    found["above"] = _above(threshold, tops)
    found["unlimited"] = [{"flow": flow} for flow in unlimited]
    received = tables.trace("received_bytes").filter(pl.col("flow").is_in(drawn.implode()))
    found["goodput"] = _goodput(received, end_s, window_s)
    found["states"] = _states(tables.trace("congestion_state"), end_s)
    found["events"] = _events(tables.queue, end_s)
    return {name: rows for name, rows in found.items() if rows}


def _named(tables: Tables, names: Mapping[str, str]) -> pl.DataFrame:
    """Traces in one frame, with ``line``, what each is called here."""
    return pl.concat(
        [tables.trace(name).select(pl.lit(line, _LINE).alias("line"), *_POINT) for name, line in names.items()]
    )


def _of_queue(queue: pl.DataFrame, line: str, value: pl.Expr) -> pl.DataFrame:
    """A line of the queue's, which is about no flow."""
    return queue.select(line=pl.lit(line, _LINE), flow=pl.lit(0, pl.Int32), time_s="time_s", value=value)


def window_top(tables: Tables, segment_bytes: int) -> float:
    """The end of an axis of all flows' windows in segments: room for the largest cwnd, whatever ssthresh is."""
    cwnd, in_flight = (tables.trace(name)["value"] for name in ("cwnd_bytes", "in_flight_bytes"))
    largest = cwnd.filter(cwnd < trace_reduction.NO_WINDOW_BYTES).max() or in_flight.max()
    return trace_reduction.WINDOW_ROOM * cast("float", largest or segment_bytes) / segment_bytes


def _tops(cwnd: pl.DataFrame, segment_bytes: int) -> dict[int, float]:
    """The end of the axis of each flow's own windows."""
    limited = cwnd.filter(pl.col("value") * segment_bytes < trace_reduction.NO_WINDOW_BYTES)
    return dict(limited.group_by("flow").agg(pl.col("value").max() * trace_reduction.WINDOW_ROOM).iter_rows())


def for_script(data: dict[str, Rows]) -> dict[str, Rows]:
    """The rows of `reduced` with their points packed, for the page's script."""
    return {name: [_packed(row) for row in rows] for name, rows in data.items() if name != "unlimited"}


def _packed(row: dict[str, Any]) -> dict[str, Any]:
    return {name: packed(value) if isinstance(value, pl.Series) else value for name, value in row.items()}


def labels(flows: pl.DataFrame) -> list[str]:
    """The label of each flow: its number and variant, and whether it is a reverse flow."""
    return [
        f"{flow} {variant}{', reverse' if direction == 'reverse' else ''}"
        for flow, variant, direction in flows.select("flow", "variant", "direction").iter_rows()
    ]


def _lines(points: pl.DataFrame, end_s: float) -> dict[str, Rows]:
    """The lines of traces by name, one a flow; each one's points are in order of time."""
    kept = trace_reduction.thin(points, _BY, 0, end_s, SPANS)
    found: dict[str, Rows] = {}
    for (line, flow), own in kept.partition_by(_BY, as_dict=True, maintain_order=True).items():
        found.setdefault(str(line), []).append({"flow": flow, "t": own["time_s"], "v": own["value"]})
    return found


def _rows(points: pl.DataFrame) -> Rows:
    return [
        {"flow": flow, "t": own["time_s"], "v": own["value"]}
        for (flow,), own in points.partition_by("flow", as_dict=True, maintain_order=True).items()
    ]


def _above(threshold: pl.DataFrame, tops: Mapping[int, float]) -> Rows:
    """When the slow-start threshold lies at or above the end of the axis; ``most`` is None where it is infinite."""
    stretches = (
        threshold.with_columns(
            is_above=pl.col("value") >= pl.col("flow").replace_strict(tops, default=math.inf, return_dtype=pl.Float64),
            until_s=pl.col("time_s").shift(-1).over("flow"),
        )
        .with_columns(number=pl.struct("flow", "is_above").rle_id())
        .filter("is_above", pl.col("until_s") > pl.col("time_s"))
        .group_by("number", maintain_order=True)
        .agg(pl.col("flow", "time_s").first(), pl.col("until_s").last(), pl.col("value").max())
    )
    return [
        {"flow": flow, "t": begin, "until": end, "most": most if math.isfinite(most) else None}
        for flow, begin, end, most in stretches.select("flow", "time_s", "until_s", "value").iter_rows()
    ]


def _goodput(received: pl.DataFrame, end_s: float, window_s: float) -> Rows:
    """The rate of payload read in windows of this length, in Mbit/s; of at most `WINDOWS`, which are longer then.

    Each line also has the windows' ``width`` in s.
    """
    width_s = min(max(window_s, end_s / WINDOWS), end_s)
    bounds = [number * width_s for number in range(math.ceil(end_s / width_s - 1e-9))]
    rates = trace_reduction.rates(received, ["flow"], [*bounds, end_s])
    return [row | {"width": width_s} for row in _rows(rates)]


def _fairness(windows: pl.DataFrame, end_s: float) -> pl.DataFrame:
    """Jain's index, for each stretch without a gap a "flow"; its last value holds until its window ends."""
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
    return lines.select(pl.lit("jain", _LINE).alias("line"), pl.col("flow").cast(pl.Int32), "time_s", "value")


def _states(states: pl.DataFrame, end_s: float) -> Rows:
    """When flows were not in the state open: the worst state in each of `SPANS` parts of the time."""
    found = trace_reduction.worst(states, ["flow"], 0, end_s, SPANS)
    return [
        {"flow": flow, "state": trace_reduction.STATES[int(state)], "t": round(begin, 6), "until": round(end, 6)}
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

# SPDX-License-Identifier: MIT
"""The data of the timeline on a cell's page: its traces reduced to the detail that a screen can show."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.figures import cell_traces, trace_reduction
from tcpsweep.core.figures.cell_traces import OfFlows
from tcpsweep.core.figures.packed_numbers import packed
from tcpsweep.core.figures.trace_reduction import Trace
from tcpsweep.core.words import table_columns

Rows: TypeAlias = list[dict[str, Any]]
"""A chart's rows, each a line, a state or an event. Lines have their points as arrays ``t`` in s and ``v``."""

SPANS = 500  # parts of the time axis; each keeps its lowest and highest value
WINDOWS = 200  # most parts of the time whose goodput is shown
MOST_FLOWS = 8
# An event in the queue's table to its name in the chart.
EVENTS = {
    "drop": "dropped on arrival",
    "drop_after_wait": "dropped after a wait",
    "mark": "marked",
    "loss": "lost on the link",
}
_DRAWN = ["cwnd_bytes", "ssthresh_bytes", "in_flight_bytes", "rtt_s", "srtt_s", "congestion_state"]
_NOT_DRAWN = ("unlimited", "smoothed")  # but named in words
_EVENT_NAMES = table_columns.EVENT.categories.to_list()
_COUNTS = ["received_bytes", "ip_received_bytes", "timeouts"]  # needed for all flows, also for flows that are not drawn


class Unreadable(Exception):
    """A file of a cell cannot be read, or lacks something; says which file, and why."""


@contextlib.contextmanager
def reading(path: Path) -> Iterator[Path]:
    """Name the file in the errors of a block that reads it, which become `Unreadable`."""
    try:
        yield path
    except (OSError, ValueError, pl.exceptions.PolarsError) as error:
        raise Unreadable(f"{path}: {error}") from error


def collected(scans: Mapping[Path, pl.LazyFrame]) -> list[pl.DataFrame]:
    """The rows of files, read together because polars starts slowly; raises `Unreadable`."""
    try:
        return pl.collect_all(list(scans.values()))
    except (OSError, ValueError, pl.exceptions.PolarsError):
        for path, scan in scans.items():  # find the unreadable file
            with reading(path):
                scan.collect()
        raise


class Tables(NamedTuple):
    """The parts of a cell's tables that its page shows over time."""

    flows: pl.DataFrame
    traces: Mapping[str, OfFlows]  # an infinite slow-start threshold is infinite
    queue: pl.DataFrame  # the shown rows of one direction of one link
    fairness: pl.DataFrame | None

    def trace(self, name: str) -> OfFlows:
        """A trace of the flows; empty if it was not recorded."""
        return self.traces.get(name, {})


def cell_tables(folder: Path, measured: Path, flows: pl.DataFrame, queued: pl.Expr | None = None) -> Tables:
    """Read a cell's tables; raises `Unreadable` if one cannot be read.

    ``folder`` has its traces, ``measured`` its metrics; ``flows`` is its table of that name, and ``queued`` are the
    rows of its table `queue`, from `drawn_queue.is_drawn`. Default: the forward direction's rows.
    """
    metric = pl.col("metric")
    trace_file, queue_file = folder / "traces.parquet", folder / "queue.parquet"
    fairness_file = measured / "fairness.parquet"
    is_drawn = cell_traces.wanted(_DRAWN, flows["flow"].head(MOST_FLOWS).to_list())
    is_shown = pl.col("direction") == "forward" if queued is None else queued
    scans = {
        trace_file: cell_traces.scan(trace_file, is_drawn | metric.is_in(_COUNTS)),
        queue_file: cell_traces.queue(queue_file, is_shown),
    }
    if fairness_file.is_file():
        scans[fairness_file] = pl.scan_parquet(fairness_file)
    trace_rows, of_queue, *others = collected(scans)
    return Tables(flows, cell_traces.of_flows(trace_rows), of_queue, others[0] if others else None)


def reduced(tables: Tables, end_s: float, segment_bytes: int, window_s: float) -> dict[str, Rows]:
    """The timeline's data for a cell up to the simulation's end, with Jain's index in windows of ``window_s``.

    Rows by name, each with ``flow``, a flow's number, where it is about one. ``states``, ``events`` and ``above`` have
    times ``t`` and, but for events, ``until``; all others are lines. ``above`` has the times when the slow-start
    threshold exceeds the axis of the flow's windows, and its largest value then, ``most``, in segments; the line
    ``ssthresh`` ends at the `window_top`. ``unlimited`` lists flows whose cwnd limits nothing at times, when it is
    drawn at the end of their axis; ``smoothed`` lists flows whose ``rtt`` is smoothed. Traces that were not recorded
    are left out.
    """
    drawn_flows = tables.flows["flow"].head(MOST_FLOWS).to_list()
    cwnd, threshold, in_flight = (
        _in_segments(tables.trace(name), end_s, segment_bytes)
        for name in ("cwnd_bytes", "ssthresh_bytes", "in_flight_bytes")
    )
    top_by_flow, top = _top_by_flow(cwnd, segment_bytes), window_top(tables, segment_bytes)
    is_free = {flow: trace.value * segment_bytes >= trace_reduction.NO_WINDOW_BYTES for flow, trace in cwnd.items()}
    cwnd = {
        flow: trace._replace(value=np.where(is_free[flow], top_by_flow.get(flow, 0.0), trace.value))
        for flow, trace in cwnd.items()
    }
    cut_threshold = {flow: trace._replace(value=np.minimum(trace.value, top)) for flow, trace in threshold.items()}
    rtt, smoothed = cell_traces.round_trips(tables.traces)
    # After a lost segment is repaired, an application reads the waiting data all at once, faster than any link.
    arrived = tables.trace("ip_received_bytes") or tables.trace("received_bytes")
    received = {flow: trace for flow, trace in arrived.items() if flow in drawn_flows}
    data = {
        "cwnd": _lines(cwnd, end_s),
        "ssthresh": _lines(cut_threshold, end_s),
        "in flight": _lines(in_flight, end_s),
        "rtt": _lines({flow: cell_traces.scaled(trace, 1e3) for flow, trace in rtt.items()}, end_s),
        "queue": _lines({0: cell_traces.queue_lengths(tables.queue)}, end_s),
        "delay": _lines({0: cell_traces.waits_ms(tables.queue)}, end_s),
        "jain": [] if tables.fairness is None else _lines(_fairness(tables.fairness, end_s), end_s),
        "above": _times_above(threshold, top_by_flow),
        "unlimited": [{"flow": flow} for flow, unlimited in is_free.items() if unlimited.any()],
        "smoothed": [{"flow": flow} for flow in smoothed],
        "goodput": _rates(received, end_s, window_s, is_of_arrivals=bool(tables.trace("ip_received_bytes"))),
        "states": _states(tables.trace("congestion_state"), end_s),
        "events": _events(tables.queue, end_s),
    }
    return {name: rows for name, rows in data.items() if rows}


def _in_segments(trace: OfFlows, end_s: float, segment_bytes: int) -> dict[int, Trace]:
    """A trace of windows in segments, which hold until the next, of the flows that have any, in order."""
    windows_by_flow = {flow: trace_reduction.held(windows, 0, end_s) for flow, windows in sorted(trace.items())}
    return {
        flow: cell_traces.scaled(windows, 1 / segment_bytes)
        for flow, windows in windows_by_flow.items()
        if len(windows.value)
    }


def _event_numbers(queue: pl.DataFrame) -> npt.NDArray[np.uint8]:
    """The rows' events, by their numbers in `table_columns.EVENT`."""
    return queue["event"].to_physical().to_numpy()


def window_top(tables: Tables, segment_bytes: int) -> float:
    """The end of an axis of all flows' windows in segments: room for the largest cwnd, but not always for ssthresh."""
    cwnd, in_flight = (
        np.concatenate([[0.0], *(trace.value for trace in tables.trace(name).values())])
        for name in ("cwnd_bytes", "in_flight_bytes")
    )
    largest_bytes = float(cwnd[cwnd < trace_reduction.NO_WINDOW_BYTES].max()) or float(in_flight.max())
    return trace_reduction.WINDOW_ROOM * (largest_bytes or segment_bytes) / segment_bytes


def _top_by_flow(cwnd: OfFlows, segment_bytes: int) -> dict[int, float]:
    """The end of the axis of each flow's own windows."""
    limited = {
        flow: windows.value[windows.value * segment_bytes < trace_reduction.NO_WINDOW_BYTES]
        for flow, windows in cwnd.items()
    }
    return {flow: float(value.max()) * trace_reduction.WINDOW_ROOM for flow, value in limited.items() if len(value)}


def for_script(data: dict[str, Rows]) -> dict[str, Rows]:
    """The rows of `reduced` with their points packed, for the page's script."""
    return {name: [_packed_row(row) for row in rows] for name, rows in data.items() if name not in _NOT_DRAWN}


def _packed_row(row: dict[str, Any]) -> dict[str, Any]:
    return {name: packed(value) if isinstance(value, np.ndarray) else value for name, value in row.items()}


def labels(flows: pl.DataFrame, names: Mapping[str, str]) -> list[str]:
    """The label of each flow: its number, its variant's name from ``names``, and whether it is a reverse flow."""
    return [
        f"{flow} {names.get(variant, variant)}{', reverse' if direction == 'reverse' else ''}"
        for flow, variant, direction in zip(flows["flow"], flows["variant"], flows["direction"], strict=True)
    ]


def _lines(traces: OfFlows, end_s: float) -> Rows:
    """A line for each flow that has points, with the extremes in each of `SPANS` parts of the time."""
    thin = {flow: trace_reduction.thin(trace, 0, end_s, SPANS) for flow, trace in traces.items() if len(trace.value)}
    return [{"flow": flow, "t": trace.time_s, "v": trace.value} for flow, trace in thin.items()]


def _times_above(threshold: OfFlows, top_by_flow: Mapping[int, float]) -> Rows:
    """When the slow-start threshold lies at or above the end of the axis; ``most`` is None where it is infinite."""
    return [
        {"flow": flow, "t": begin, "until": end, "most": most if math.isfinite(most) else None}
        for flow, trace in threshold.items()
        for begin, end, most in trace_reduction.above(trace, top_by_flow.get(flow, math.inf))
    ]


def _rates(received: OfFlows, end_s: float, window_s: float, *, is_of_arrivals: bool = False) -> Rows:
    """The rate of arrivals in windows of this length, in Mbit/s; longer windows where there would be over `WINDOWS`.

    Each line also has the windows' ``width`` in s, and whether it ``is_of_arrivals``, not of bytes read.
    """
    width_s = min(max(window_s, end_s / WINDOWS), end_s)
    bounds = [*(number * width_s for number in range(math.ceil(end_s / width_s - 1e-9))), end_s]
    return [
        {"flow": flow, "t": np.array(bounds), "v": trace_reduction.rates(counter, bounds), "width": width_s}
        | {"is_of_arrivals": is_of_arrivals}
        for flow, counter in received.items()
    ]


def _fairness(windows: pl.DataFrame, end_s: float) -> dict[int, Trace]:
    """Jain's index, with a "flow" for each stretch without a gap; its last value holds until its window ends."""
    from_s, jain = windows["from_s"].to_numpy(), windows["jain"].to_numpy()
    # Windows are equally long. A gap, in which there are no two flows, has the length of whole windows.
    width_s = (float(np.diff(from_s).min()) if len(from_s) > 1 else 0) or end_s
    has_jain = ~np.isnan(jain)
    from_s, jain = from_s[has_jain], jain[has_jain]
    gaps = np.flatnonzero(np.diff(from_s) > 1.5 * width_s) + 1
    stretches = zip(np.split(from_s, gaps), np.split(jain, gaps), strict=True)
    return {
        number: Trace(np.append(times, min(times[-1] + width_s, end_s)), np.append(values, values[-1]))
        for number, (times, values) in enumerate(stretches)
        if len(times)
    }


def _states(states: OfFlows, end_s: float) -> Rows:
    """When flows were not in the state open: the worst state in each of `SPANS` parts of the time."""
    states_by_flow = {flow: trace_reduction.held(trace, 0, end_s) for flow, trace in sorted(states.items())}
    return [
        {"flow": flow, "state": trace_reduction.STATES[state], "t": round(begin, 6), "until": round(end, 6)}
        for flow, trace in states_by_flow.items()
        for state, begin, end in trace_reduction.worst(trace, 0, end_s, SPANS)
    ]


def _events(queue: pl.DataFrame, end_s: float) -> Rows:
    """The number of packets dropped, marked or lost in each of `SPANS` parts of the time."""
    numbers, time_s, counted = _event_numbers(queue), queue["time_s"].to_numpy(), []
    for event in EVENTS:
        times = time_s[numbers == _EVENT_NAMES.index(event)]
        span = np.floor(times * (1 / (end_s / SPANS)))
        _, firsts, counts = np.unique(span, return_index=True, return_counts=True)
        counted += [(first, event, count) for first, count in zip(times[firsts].tolist(), counts.tolist(), strict=True)]
    return [{"what": EVENTS[event], "t": round(first, 6), "packets": count} for first, event, count in sorted(counted)]

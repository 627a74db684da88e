# SPDX-License-Identifier: MIT
"""The data of the figures over time that a sweep file asks for: their pictures, and the cells' traces in them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias, cast

import numpy as np
import polars as pl

from tcpsweep.core.figures import cell_traces, drawn_queue, trace_reduction
from tcpsweep.core.figures.cell_traces import OfFlows
from tcpsweep.core.figures.trace_reduction import Trace
from tcpsweep.core.store import cell_files
from tcpsweep.core.sweep import assignment, axes, requests
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.requests import FigureRequest, Line
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run

SPANS = 500  # parts of the time that a figure shows; each keeps its lowest and highest value
INTERVALS = 100  # default number of parts of it whose rates are shown; the sweep file may set their length
# Panel to its trace: windows and counts in bytes, shown in segments.
IN_SEGMENTS = {"window": "cwnd_bytes", "cwnd": "cwnd_bytes", "in_flight": "in_flight_bytes", "acked": "acked_bytes"}
# Panel to the count of bytes whose rate it shows.
_RATE_COUNTERS = {"goodput": "received_bytes", "throughput": "ip_received_bytes"}
_QUEUE_PANELS = ("queue", "queueing_delay")
_OWN_NAMES: Mapping[str, str] = MappingProxyType({})
# Panel to a metric of what it shows, which defects affect as they affect the panel.
METRICS = {
    **dict.fromkeys(("window", "cwnd", "in_flight"), "cwnd_reductions"),
    **dict.fromkeys(("acked", "goodput"), "goodput_bps"),
    "throughput": "throughput_bps",
    "rtt": "owd_mean_s",
    "queue": "queue_mean_packets",
    "queueing_delay": "queueing_delay_mean_s",
}

Panels: TypeAlias = dict[str, pl.DataFrame]
"""By panel ``line`` (its label), ``part`` (the trace), ``time_s`` and ``value`` in the unit of the panel's axis."""


@dataclass(frozen=True)
class Picture:
    """One of the pictures that a request for figures makes."""

    title: str
    said: str  # the title with variants' names for print
    show: list[str]  # its panels, from top to bottom
    each: list[str]  # the axes that have one value here and others in the request's other pictures
    cells: list[Run]  # the finished runs that it shows
    missing: int  # how many cells without a result it would show as well
    from_s: float
    to_s: float
    interval_s: float  # the length of the intervals whose rates it shows
    width_pt: float  # on paper, in LaTeX's points


def picture(
    request: FigureRequest,
    values: tuple[str, ...],
    cells: list[Run],
    missing: int,
    end_s: float,
    names: Mapping[str, str] = _OWN_NAMES,
) -> Picture:
    """The picture for some values of the axes that a request has pictures for; ``end_s`` is the simulations' end.

    ``names`` are variants' names for print.
    """
    to_s = request.to_s or end_s
    network_words = [
        axes.axes_in_words(dict(zip(request.each, values, strict=True)), variant_names)
        for variant_names in (_OWN_NAMES, names)
    ]
    title, said = (f"{request.title}: {words}" if words else request.title for words in network_words)
    return Picture(
        title,
        said,
        request.show,
        request.each,
        cells,
        missing,
        request.from_s,
        to_s,
        request.interval_s or (to_s - request.from_s) / INTERVALS,
        request.width_pt,
    )


def pictures(
    sweep: PlannedSweep, asked: list[FigureRequest], names: Mapping[str, str] = _OWN_NAMES
) -> Iterator[Picture]:
    """The pictures of a sweep's requests that have a finished cell; ``names`` are variants' names for print."""
    rows, finished = sweep.combinations, sweep.finished()
    for request in asked:
        planned_runs = requests.chosen_cells(request, sweep.cells, sweep)
        finished_runs = requests.chosen_cells(request, finished, sweep)
        for values, cells in finished_runs.items():
            end_s = requests.end_s([rows[number] for _, number, _ in cells])
            yield picture(request, values, cells, len(planned_runs[values]) - len(cells), end_s, names)


def lines(sweep: PlannedSweep, picture: Picture, names: Mapping[str, str] = _OWN_NAMES) -> list[Line]:
    """The lines of a picture, in the order of its cells and their flows; ``names`` are variants' names for print."""
    rows = [sweep.combinations[combination] for _, combination, _ in picture.cells]
    runs, with_variant = [run for _, _, run in picture.cells], axes.beside_variant(sweep)
    figure_lines: list[Line] = requests.figure_lines(picture.show, rows, runs, with_variant, names)
    return figure_lines


def variants(sweep: PlannedSweep, picture: Picture) -> dict[str, str | None]:
    """The variant of each line of a picture, by its label; None for the only bottleneck."""
    by_label: dict[str, str | None] = {}
    for line in lines(sweep, picture):
        _, combination, run = picture.cells[line.cell]
        row = sweep.combinations[combination]
        of_run = row.variant if len(picture.cells) > 1 else None
        by_label.setdefault(line.label, of_run if line.flow is None else assignment.flow_variants(row, run)[line.flow])
    return by_label


def panels(sweep: PlannedSweep, picture: Picture) -> tuple[Panels, pl.DataFrame | None]:
    """A picture's data: its panels that have a value, and congestion states: ``state``, ``time_s``, ``until_s``.

    The states are None unless the picture shows only the window of one flow.
    """
    all_lines = lines(sweep, picture)
    has_one_flow = "window" in picture.show and len([line for line in all_lines if line.flow is not None]) == 1
    by_panel: dict[str, list[pl.DataFrame]] = {panel: [] for panel in picture.show}
    states = None
    for number, (cell, combination, run) in enumerate(picture.cells):
        folder, row = sweep.parquet(cell), sweep.combinations[combination]
        cell_files.check(folder, ("traces.parquet", "queue.parquet"))
        flows = {line.flow: line.label for line in all_lines if line.cell == number and line.flow is not None}
        traces = cell_traces.read(folder / "traces.parquet", _wanted(picture, list(flows)))
        for panel, frames in by_panel.items():
            if panel in _QUEUE_PANELS:
                queued = drawn_queue.rows_of_cell(sweep.measured(Run(cell, combination, run)))
                (label,) = (line.label for line in all_lines if line.cell == number and line.flow is None)
                frames.append(
                    _rows(label, panel, _queue_values(folder / "queue.parquet", panel, picture, queued), picture)
                )
                continue
            for name, by_flow in _traces_in_panel(panel, traces, row, picture, with_ssthresh=has_one_flow):
                # Windows come in the order of the lines' labels, all else as the flows do.
                in_order = sorted(by_flow, key=flows.__getitem__) if panel in IN_SEGMENTS else by_flow
                frames += [_rows(flows[flow], name, by_flow[flow], picture) for flow in in_order]
        if has_one_flow:
            states = _states(traces.get("congestion_state", {}), picture)
    whole = {panel: pl.concat(frames) for panel, frames in by_panel.items() if frames}
    return {panel: frame for panel, frame in whole.items() if frame.height}, states


def _wanted(picture: Picture, flows: list[int]) -> pl.Expr:
    """The rows of a cell's traces up to a picture's end that its panels show."""
    names = {*IN_SEGMENTS.values(), *_RATE_COUNTERS.values(), "ssthresh_bytes", "rtt_s", "srtt_s", "congestion_state"}
    is_there = pl.col("value").is_not_null() & (pl.col("time_s") <= picture.to_s)
    return cell_traces.wanted(names, flows) & is_there & cell_traces.is_limit()


def _rows(label: str, part: str, trace: Trace, picture: Picture) -> pl.DataFrame:
    """A trace's rows in a panel, with its extremes in each part of the time."""
    thin = trace_reduction.thin(trace, picture.from_s, picture.to_s, SPANS)
    return cell_traces.frame(thin, line=label, part=part)


def _states(states: OfFlows, picture: Picture) -> pl.DataFrame:
    """The worst states of a flow in each part of the time: ``time_s``, ``until_s``, ``state``."""
    rows = [
        (begin_s, until_s, trace_reduction.STATES[state])
        for trace in states.values()
        for state, begin_s, until_s in trace_reduction.worst(
            trace_reduction.held(trace, picture.from_s, picture.to_s), picture.from_s, picture.to_s, SPANS
        )
    ]
    return pl.DataFrame(rows, schema={"time_s": pl.Float64, "until_s": pl.Float64, "state": pl.String}, orient="row")


def window_top(frame: pl.DataFrame) -> float | None:
    """Where the axis of a panel of windows with ssthresh ends, from `trace_reduction.window_top`; None for others."""
    if "ssthresh_bytes" not in set(frame["part"]):
        return None
    return trace_reduction.window_top(frame.filter(pl.col("part") == "cwnd_bytes")["value"])


def is_cut(frame: pl.DataFrame) -> bool:
    """Whether an ssthresh of a panel of windows lies beyond its axis."""
    top = window_top(frame)
    return top is not None and bool((frame.filter(pl.col("part") == "ssthresh_bytes")["value"] > top).any())


def _traces_in_panel(
    panel: str, traces: Mapping[str, OfFlows], row: Combination, picture: Picture, with_ssthresh: bool
) -> Iterator[tuple[str, dict[int, Trace]]]:
    """A cell's traces in a panel by name, in the unit of its axis."""
    from_s, to_s = picture.from_s, picture.to_s
    if panel == "rtt":
        round_trips, smoothed = cell_traces.round_trips(traces)
        for name in ("rtt_s", "srtt_s"):
            flows = [flow for flow in round_trips if (flow in smoothed) == (name == "srtt_s")]
            yield (
                name,
                {flow: cell_traces.scaled(cell_traces.between(round_trips[flow], from_s, to_s), 1e3) for flow in flows},
            )
    elif panel in _RATE_COUNTERS:
        times, name = bounds(picture), _RATE_COUNTERS[panel]
        yield (
            name,
            {
                flow: Trace(np.array(times), trace_reduction.rates(counter, times))
                for flow, counter in traces.get(name, {}).items()
            },
        )
    else:
        per_segment = 1 / cast(int, row["segment_size"])
        for name in [IN_SEGMENTS[panel], *(["ssthresh_bytes"] if panel == "window" and with_ssthresh else [])]:
            yield (
                name,
                {
                    flow: cell_traces.scaled(trace_reduction.held(trace, from_s, to_s), per_segment)
                    for flow, trace in traces.get(name, {}).items()
                },
            )


def bounds(picture: Picture) -> list[float]:
    """The ends of a picture's intervals in s; the last is shorter if they do not divide its time."""
    # A hundredth of a time that is no binary fraction must not leave a sliver at the end.
    count = math.ceil((picture.to_s - picture.from_s) / picture.interval_s - 1e-9)
    return [picture.from_s + number * picture.interval_s for number in range(count)] + [picture.to_s]


def _queue_values(file: Path, panel: str, picture: Picture, queued: pl.Expr) -> Trace:
    """The packets that remain in the bottleneck whenever one leaves, or the time that this one was there, in ms.

    ``queued`` are its rows of the table `queue`, from `drawn_queue`.
    """
    rows = cell_traces.queue(file, queued & (pl.col("time_s") <= picture.to_s)).collect()
    if panel == "queue":
        return trace_reduction.held(cell_traces.queue_lengths(rows), picture.from_s, picture.to_s)
    return cell_traces.between(cell_traces.waits_ms(rows), picture.from_s, picture.to_s)

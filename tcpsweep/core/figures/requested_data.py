# SPDX-License-Identifier: MIT
"""The data of the figures over time that a sweep file asks for: their pictures, and the cells' traces in them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias, cast

import polars as pl

from tcpsweep.core.figures import drawn_queue, trace_reduction
from tcpsweep.core.store import cell_files
from tcpsweep.core.sweep import assignment, axes, requests
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.requests import FigureRequest, Line
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.core.words import table_columns

SPANS = 500  # parts of the time that a figure shows; each keeps its lowest and highest value
INTERVALS = 100  # default number of parts of it whose rates are shown; the sweep file may set their length
# Panel to its trace: windows and counts in bytes, shown in segments.
IN_SEGMENTS = {"window": "cwnd_bytes", "cwnd": "cwnd_bytes", "in_flight": "in_flight_bytes", "acked": "acked_bytes"}
# Panel to the count of bytes whose rate it shows.
_RATE_COUNTERS = {"goodput": "received_bytes", "throughput": "ip_received_bytes"}
# Panel to the column of the queue's table, and the factor to the panel's unit.
_QUEUE_PANELS = {"queue": ("queued_packets", 1), "queueing_delay": ("delay_s", 1e3)}
_TRACE_KEY = ["line", "part"]
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
        of_run = str(row["variant"]) if len(picture.cells) > 1 else None
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
        cell_lines = [line for line in all_lines if line.cell == number]
        for panel, frames in by_panel.items():
            if panel in _QUEUE_PANELS:
                queued = drawn_queue.rows_of_cell(sweep.measured(Run(cell, combination, run)))
                frames.append(_queue_values(folder, cell_lines, panel, picture, queued))
            else:
                frames += _traces_in_panel(panel, folder, row, cell_lines, picture, with_ssthresh=has_one_flow)
        if has_one_flow:
            changes = _trace(folder, cell_lines, "congestion_state", picture)
            worst = trace_reduction.worst(changes, _TRACE_KEY, picture.from_s, picture.to_s, SPANS)
            states = worst.select("time_s", "until_s", state=pl.col("value").replace_strict(trace_reduction.STATES))
    # Values that hold until the next begin and end with the figure; other values lie in it.
    thinned = {
        panel: trace_reduction.thin(pl.concat(frames), _TRACE_KEY, picture.from_s, picture.to_s, SPANS)
        for panel, frames in by_panel.items()
    }
    return {panel: frame for panel, frame in thinned.items() if frame.height}, states


def window_top(frame: pl.DataFrame) -> float | None:
    """Where the axis of a panel of windows with ssthresh ends, from `trace_reduction.window_top`; None for others."""
    if "ssthresh_bytes" not in set(frame["part"]):
        return None
    return trace_reduction.window_top(frame.filter(pl.col("part") == "cwnd_bytes")["value"])


def is_cut(frame: pl.DataFrame) -> bool:
    """Whether an ssthresh of a panel of windows lies beyond its axis."""
    return trace_reduction.is_cut(frame.filter(pl.col("part") == "ssthresh_bytes")["value"], window_top(frame))


def _traces_in_panel(
    panel: str, folder: Path, row: Combination, cell_lines: list[Line], picture: Picture, with_ssthresh: bool
) -> list[pl.DataFrame]:
    """A cell's traces in a panel, whose Parquet lies in ``folder``; ``cell_lines`` are its lines."""
    if panel == "rtt":
        return [_round_trips(folder, cell_lines, picture)]
    if panel in _RATE_COUNTERS:
        counter = _trace(folder, cell_lines, _RATE_COUNTERS[panel], picture)
        return [trace_reduction.rates(counter, _TRACE_KEY, bounds(picture))]
    names = [IN_SEGMENTS[panel], *(["ssthresh_bytes"] if panel == "window" and with_ssthresh else [])]
    per_segment = 1 / cast(int, row["segment_size"])
    return [_held_values(_trace(folder, cell_lines, name, picture), picture, per_segment) for name in names]


def _trace(folder: Path, cell_lines: list[Line], name: str, picture: Picture) -> pl.DataFrame:
    """A trace of a cell's flows up to a picture's end: ``line``, ``part``, ``time_s``, ``value``."""
    flows = {line.flow: line.label for line in cell_lines if line.flow is not None}
    is_wanted = (pl.col("metric") == name) & pl.col("flow").is_in(list(flows)) & (pl.col("time_s") <= picture.to_s)
    return (
        table_columns.scan(folder / "traces.parquet")
        .filter(is_wanted & pl.col("value").is_not_null() & trace_reduction.limits())
        .select(
            pl.col("flow").replace_strict(flows, return_dtype=pl.String).alias("line"),
            pl.lit(name).alias("part"),
            "time_s",
            "value",
        )
        .collect()
    )


def _held_values(trace: pl.DataFrame, picture: Picture, factor: float = 1.0) -> pl.DataFrame:
    """A trace of values that hold until the next, each multiplied by a factor."""
    held = trace_reduction.held(trace, _TRACE_KEY, picture.from_s, picture.to_s)
    return held.with_columns(value=pl.col("value") * factor)


def _round_trips(folder: Path, cell_lines: list[Line], picture: Picture) -> pl.DataFrame:
    """Each sample of the round-trip time in ms; the smoothed ones of flows without samples, as Linux' are."""
    both = pl.concat([_trace(folder, cell_lines, name, picture) for name in ("rtt_s", "srtt_s")])
    return (
        trace_reduction.round_trips(both, "part", "line")
        .filter(pl.col("time_s") >= picture.from_s)
        .with_columns(value=pl.col("value") * 1e3)
    )


def bounds(picture: Picture) -> list[float]:
    """The ends of a picture's intervals in s; the last is shorter if they do not divide its time."""
    # A hundredth of a time that is no binary fraction must not leave a sliver at the end.
    count = math.ceil((picture.to_s - picture.from_s) / picture.interval_s - 1e-9)
    return [picture.from_s + number * picture.interval_s for number in range(count)] + [picture.to_s]


def _queue_values(folder: Path, cell_lines: list[Line], panel: str, picture: Picture, queued: pl.Expr) -> pl.DataFrame:
    """The packets that remain in the bottleneck whenever one leaves, or the time that this one was there, in ms.

    ``queued`` are its rows of the table `queue`, from `drawn_queue`.
    """
    (label,) = (line.label for line in cell_lines if line.flow is None)
    column, factor = _QUEUE_PANELS[panel]
    is_wanted = queued & (pl.col("time_s") <= picture.to_s)
    if panel == "queueing_delay":
        is_wanted &= (pl.col("event") == "transmit") & (pl.col("time_s") >= picture.from_s)
    value = pl.col(column).cast(pl.Float64) * factor
    events = (
        table_columns.scan(folder / "queue.parquet")
        .filter(is_wanted)
        .select(line=pl.lit(label), part=pl.lit(panel), time_s="time_s", value=value)
        .collect()
    )
    return _held_values(events, picture) if panel == "queue" else events

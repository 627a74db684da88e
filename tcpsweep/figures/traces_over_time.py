# SPDX-License-Identifier: MIT
"""From cells' traces to the figures over time that a sweep file asks for: their data, their words, their charts."""

import math
from dataclasses import dataclass, replace

import polars as pl

from tcpsweep.figures import over_time_charts, thinning, trace_values
from tcpsweep.store import layout
from tcpsweep.sweep import axes, figure_request
from tcpsweep.words import table_columns

SPANS = 500  # of the time that a figure shows: of each the lowest and the highest value stays
INTERVALS = 100  # over which rates are told unless the sweep file says
# Panel to its traces: windows and counts in bytes, shown in segments; counts whose rates are shown.
_IN_SEGMENTS = {"window": "cwnd_bytes", "cwnd": "cwnd_bytes", "in_flight": "in_flight_bytes", "acked": "acked_bytes"}
_RATES = {"goodput": "received_bytes", "throughput": "ip_received_bytes"}
_WAITING = {"queue": ("queued_packets", 1), "queueing_delay": ("delay_s", 1e3)}
_BY = ["line", "part"]


@dataclass(frozen=True)
class Drawn:
    """A figure: its words, and its chart as Vega-Lite."""

    title: str
    caption: str
    chart: dict


def of(sweep, figures):
    """The figures over time of a sweep.

    Parameters
    ----------
    sweep : dict
        Its table.
    figures : list of dict
        As `figure_request.of` gives them.

    Yields
    ------
    Drawn
        Of cells of which at least one is finished and was traced.
    """
    rows, finished = sweep.combinations, sweep.finished()
    places = sweep.swept, sweep.published.first
    for figure in figures:
        all_cells = figure_request.choose(figure, figure_request.candidates(figure, sweep.cells, *places), rows)
        for values, cells in figure_request.choose(
            figure, figure_request.candidates(figure, finished, *places), rows
        ).items():
            ends_s = figure.to_s or figure_request.end_s([rows[number] for _, number, _ in cells])
            picture = replace(figure, to_s=ends_s)
            panels, states = data(sweep, picture, cells)
            if panels:
                missing = len(all_cells[values]) - len(cells)
                place = axes.said(dict(zip(figure.each, values, strict=True)))
                labels = list(dict.fromkeys(line.label for line in _lines(sweep, picture, cells)))
                yield Drawn(
                    f"{figure.title}: {place}" if place else figure.title,
                    _caption(sweep, picture, cells, panels, missing, states is not None),
                    over_time_charts.chart(panels, states, labels, picture.from_s, picture.to_s),
                )


def _lines(sweep, figure, cells):
    return figure_request.lines(figure.show, [sweep.combinations[combination] for _, combination, _ in cells])


def data(sweep, figure, cells):
    """What a figure shows.

    Parameters
    ----------
    sweep : dict
    figure : dict
        As `figure_request.of` gives it, with ``to_s``.
    cells : list of (str, int, int)
        The cells that are drawn, with combination and run.

    Returns
    -------
    panels : dict of str to DataFrame
        By panel ``line`` (its label), ``part`` (the trace), ``time_s`` and ``value`` in the unit of the panel's axis;
        panels without a value are left out.
    states : DataFrame or None
        Of a figure of one flow that shows its window ``state``, ``time_s`` and ``until_s``.
    """
    lines, show = _lines(sweep, figure, cells), figure.show
    single = "window" in show and len([line for line in lines if line.flow is not None]) == 1
    found, states = {panel: [] for panel in show}, None
    for place, (cell, combination, _) in enumerate(cells):
        folder, row = layout.parquet(cell, sweep.parser), sweep.combinations[combination]
        labels = {line.flow: line.label for line in lines if line.cell == place}
        for panel, parts in found.items():
            if panel in figure_request.QUEUE:
                parts.append(_waiting(folder, labels[None], panel, figure))
            elif panel == "rtt":
                parts.append(_round_trips(folder, labels, figure))
            elif panel in _RATES:
                parts.append(_rates(_trace(folder, labels, _RATES[panel], figure), figure))
            else:
                names = [_IN_SEGMENTS[panel], *(["ssthresh_bytes"] if panel == "window" and single else [])]
                parts += [
                    _held(_trace(folder, labels, name, figure), figure, 1 / row["segment_size"]) for name in names
                ]
        if single:
            changes = _trace(folder, labels, "congestion_state", figure)
            states = trace_values.worst(changes, _BY, figure.from_s, figure.to_s, SPANS)
            states = states.select("time_s", "until_s", state=pl.col("value").replace_strict(trace_values.STATES))
    # What holds from one value to the next begins and ends with the figure, other values lie in it.
    panels = {
        panel: thinning.thin(pl.concat(parts), _BY, figure.from_s, figure.to_s, SPANS) for panel, parts in found.items()
    }
    return {panel: frame for panel, frame in panels.items() if frame.height}, states


def _trace(folder, labels, name, figure):
    """A trace of a cell's flows up to a figure's end: ``line``, ``part``, ``time_s``, ``value``."""
    flows = {flow: label for flow, label in labels.items() if flow is not None}
    wanted = (pl.col("metric") == name) & pl.col("flow").is_in(list(flows)) & (pl.col("time_s") <= figure.to_s)
    return (
        table_columns.scan(folder / "traces.parquet")
        .filter(wanted & pl.col("value").is_not_null())
        .select(
            pl.col("flow").replace_strict(flows, return_dtype=pl.String).alias("line"),
            pl.lit(name).alias("part"),
            "time_s",
            "value",
        )
        .collect()
    )


def _held(trace, figure, factor=1.0):
    """A trace of values that hold until the next."""
    held = trace_values.held(trace, _BY, figure.from_s, figure.to_s)
    return held.with_columns(value=pl.col("value") * factor)


def _round_trips(folder, labels, figure):
    """Each sample of the round-trip time in ms; the smoothed one where there are none, as in older ns-3 versions."""
    samples = _trace(folder, labels, "rtt_s", figure)
    samples = samples if samples.height else _trace(folder, labels, "srtt_s", figure)
    return samples.filter(pl.col("time_s") >= figure.from_s).with_columns(value=pl.col("value") * 1e3)


def _rates(counter, figure):
    """What flows received in each interval, in Mbit/s."""
    return trace_values.rates(counter, _BY, bounds(figure))


def bounds(figure):
    """The ends of a figure's intervals in s; the last is shorter where they do not divide its time."""
    begin_s, end_s = figure.from_s, figure.to_s
    width_s = interval_s(figure)
    # A hundredth of a time that is no binary fraction must not leave a sliver at the end.
    whole = math.ceil((end_s - begin_s) / width_s - 1e-9)
    return [begin_s + number * width_s for number in range(whole)] + [end_s]


def interval_s(figure):
    """Over what rates are told: as the sweep file says, else a hundredth of the figure's time."""
    return figure.interval_s or (figure.to_s - figure.from_s) / INTERVALS


def _waiting(folder, label, panel, figure):
    """The packets that are left in the bottleneck whenever one leaves, or how long it was there, in ms."""
    column, factor = _WAITING[panel]
    wanted = (pl.col("direction") == "forward") & (pl.col("time_s") <= figure.to_s)
    if panel == "queueing_delay":
        wanted &= (pl.col("event") == "transmit") & (pl.col("time_s") >= figure.from_s)
    value = pl.col(column).cast(pl.Float64) * factor
    events = (
        table_columns.scan(folder / "queue.parquet")
        .filter(wanted)
        .select(line=pl.lit(label), part=pl.lit(panel), time_s="time_s", value=value)
        .collect()
    )
    return _held(events, figure) if panel == "queue" else events


def _caption(sweep, figure, cells, panels, missing, shaded):
    """What a reader must know of a figure: which cells, what holds for all of them, and what its lines are."""
    rows = [sweep.combinations[combination] for _, combination, _ in cells]
    apart = {*figure_request.differences(rows), *figure.each}
    several = {name for name, values in sweep.axes.items() if len(values) > 1} | {"variant"}
    common = axes.said({name: axes.text(rows[0], name) for name in rows[0] if name in several - apart})
    runs = sorted({run for _, _, run in cells})
    words = [f"Run{'s' * (len(runs) > 1)} {', '.join(map(str, runs))}{f' at {common}' if common else ''}."]
    sizes = {row["segment_size"] for row in rows}
    if set(panels) & set(_IN_SEGMENTS) and len(sizes) == 1:
        words.append(f"Segments are of {sizes.pop()} B.")
    kinds = {"goodput": "goodput is of what the application read", "throughput": "throughput of the IP bytes that came"}
    told = ", ".join(text for name, text in kinds.items() if name in panels)
    if told:
        words.append(f"In each {interval_s(figure):.4g} s, {told}.")
    if "queue" in panels:
        words.append("The queue is told whenever a packet leaves it or is dropped.")
    lacking = [over_time_charts.TITLES[name].partition(" [")[0] for name in figure.show if name not in panels]
    if lacking:
        words.append(f"There are no values of {' and '.join(lacking)} in this time.")
    if missing:
        words.append(f"{missing} cell{'s' * (missing > 1)} without a result {'is' if missing == 1 else 'are'} missing.")
    words.append(f"Drawn are the lowest and the highest value in each {SPANS}th of the time.")
    if shaded:
        words.append("Shaded is the worst congestion state in it, where that is not open.")
    return " ".join([*words, *([f"Cell {cells[0][0]}."] if len(cells) == 1 else [])])

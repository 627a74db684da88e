# SPDX-License-Identifier: MIT
"""The figures that show one cell of each variant: which cells these are, their traces, and their charts over time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

import numpy as np
import polars as pl

from tcpsweep.core.figures import cell_traces, chart_look, time_panels, trace_reduction
from tcpsweep.core.figures.charts import VegaLite
from tcpsweep.core.figures.series_styles import Style
from tcpsweep.core.figures.time_panels import Traces
from tcpsweep.core.figures.trace_reduction import Trace
from tcpsweep.core.store import cell_files, layout
from tcpsweep.core.sweep import assignment
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run

MOST_CELLS, MOST_FLOWS = 8, 8
SPANS = 1000  # parts of the time; each keeps its lowest and highest value
_WINDOWS = {"cwnd_bytes": "cwnd", "ssthresh_bytes": "ssthresh"}

_DASHES = {"cwnd": chart_look.SOLID, "ssthresh": chart_look.SSTHRESH_DASH}


def chosen(sweep: PlannedSweep) -> list[Run]:
    """The runs whose traces are drawn: for each variant the first combination that has a finished run."""
    by_variant: dict[str, Run] = {}
    for run in sweep.finished():
        if run.combination < sweep.swept:
            by_variant.setdefault(sweep.combinations[run.combination].variant, run)
    return list(by_variant.values())[:MOST_CELLS]


def traces(sweep: PlannedSweep, cell: str, row: Combination, run: int) -> tuple[pl.DataFrame, list[str], list[str]]:
    """A cell's traces for its figure, the labels of its flows in order, and the labels with smoothed round trips.

    Traces have ``metric`` ("cwnd", "ssthresh" or "rtt"), ``flow`` (its label), ``time_s``, ``value`` in segments or ms;
    windows beyond the `window_top` have that value. Older ns-3 versions and Linux report no samples of round-trip
    times.
    """
    flow_labels, end_s = labels(row, run), row.duration_s
    file = cell_files.checked(layout.parquet(cell, sweep.parser) / "traces.parquet")
    read = cell_traces.read(file, cell_traces.wanted([*_WINDOWS, "rtt_s", "srtt_s"], range(MOST_FLOWS)))
    cwnd = np.concatenate([[], *(trace.value for trace in read.get("cwnd_bytes", {}).values())])
    top = trace_reduction.window_top(pl.Series(cwnd[cwnd < trace_reduction.NO_WINDOW_BYTES]))
    round_trips, smoothed = cell_traces.round_trips(read)
    parts, ends = [], []
    for name, part in _WINDOWS.items():
        for flow, trace in read.get(name, {}).items():
            cut = trace._replace(value=np.minimum(trace.value, math.inf if top is None else top))
            finite = Trace(cut.time_s[np.isfinite(cut.value)], cut.value[np.isfinite(cut.value)])
            if len(finite.value):
                whole = Trace(np.append(finite.time_s, end_s), np.append(finite.value, finite.value[-1]))
                thin = trace_reduction.thin(whole, 0, end_s, SPANS)
                windows = cell_traces.scaled(thin, 1 / cast(int, row["segment_size"]))
                frame = cell_traces.frame(windows, metric=part, flow=flow_labels[flow])
                parts.append(frame[:-1])
                ends.append(frame[-1:])
    for flow in sorted(round_trips, key=smoothed.__contains__):
        thin = trace_reduction.thin(round_trips[flow], 0, end_s, SPANS)
        parts.append(cell_traces.frame(cell_traces.scaled(thin, 1e3), metric="rtt", flow=flow_labels[flow]))
    nothing = cell_traces.frame(Trace(cwnd[:0], cwnd[:0]), metric="", flow="")
    return pl.concat([nothing, *parts, *ends]), flow_labels, [flow_labels[flow] for flow in smoothed]


def window_top(traces: pl.DataFrame) -> float | None:
    """The end of the axis of windows in segments, from `trace_reduction.window_top`."""
    return trace_reduction.window_top(traces.filter(pl.col("metric") == "cwnd")["value"])


def is_cut(traces: pl.DataFrame) -> bool:
    """Whether an ssthresh lies beyond the axis."""
    top = window_top(traces)
    # The cut was in bytes, so allow for rounding.
    ssthresh = traces.filter(pl.col("metric") == "ssthresh")["value"]
    return top is not None and bool((ssthresh > top * (1 - 1e-9)).any())


def labels(row: Combination, run: int, names: Mapping[str, str] = MappingProxyType({})) -> list[str]:
    """The labels of the first flows: their numbers, in a mix their variants, and which are reverse.

    ``names`` are variants' names for print; a variant without one has its own.
    """
    is_mixed, forward = row.mix.is_mixed, assignment.forward_count(row)
    return [
        f"flow {flow}{f' ({names.get(variant, variant)})' if is_mixed else ''}{', reverse' if flow >= forward else ''}"
        for flow, variant in enumerate(assignment.flow_variants(row, run)[:MOST_FLOWS])
    ]


def chart(traces: pl.DataFrame, styles: Mapping[str, Style], end_s: float, rtt_title: str, width: float) -> VegaLite:
    """A cell's windows and round-trip times up to ``end_s``, from `traces`, in a width in pixels.

    ``styles`` are the flows' styles, in their order; ``rtt_title`` is the title of the axis of round-trip times.
    """
    lines = traces.select("time_s", "value", line="flow", part="metric")
    windows, rtt = lines.filter(pl.col("part") != "rtt"), lines.filter(pl.col("part") == "rtt")
    panels = []
    if windows.height:
        # An infinite ssthresh, which a flow without losses has, must not press cwnd to the ground.
        top = window_top(traces)
        panels.append(Traces("window [segments]", windows, 120, zero=True, steps=True, top=top))
    if rtt.height:
        panels.append(Traces(rtt_title, rtt, 95, zero=False, steps=True))
    return time_panels.chart(width, panels, styles, _DASHES, 0, end_s)

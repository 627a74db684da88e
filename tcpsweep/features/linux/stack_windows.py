# SPDX-License-Identifier: MIT
"""The congestion windows of flows with ns-3's TCP and with Linux', one above the other, in each network."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from tcpsweep.core.figures import cell_traces, plot_scales, series_styles, trace_reduction
from tcpsweep.core.report.sections import over_time
from tcpsweep.core.store.cell_files import Damaged
from tcpsweep.core.sweep import assignment, axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.core.words import units
from tcpsweep.core.words.mixes import Mix
from tcpsweep.features.linux import stack_table

MOST_DRAWN = 60  # pairs of runs whose windows are in the page
MOST_S = 60.0  # of the time from the beginning, where slow start ends
SPANS = 100  # parts of that time; each keeps its lowest and highest value
WIDTH, HEIGHT = 600, 80  # the size of the area for a picture's lines
_USUAL = 0.98  # a quantile of a window's values; values over twice this quantile are cut off
_TIME_TICKS, _WINDOW_TICKS = 7, 4


_Line = tuple[int, bool, str]
"""A flow's window: the number of its colour, whether it is not its variant's first flow, and an SVG's path."""


class _Picture(NamedTuple):  # the windows in a network
    where: str
    run: int
    is_cut: bool  # whether larger windows are cut off
    ticks: list[tuple[int, str]]  # of the windows: place in pixels, and text
    seconds: list[tuple[float, str]]  # of the time: place in percent, and text
    rows: list[tuple[str, list[_Line]]]  # the stack and its flows, ns-3's first


class VariantWindows(NamedTuple):
    """The pictures of a variant or mix."""

    variant: str
    flows: list[tuple[str, int]]  # each variant of it with the number of its colour
    pictures: list[_Picture]
    more: int  # networks that are left out


def window_pictures(sweep: PlannedSweep, finished: Sequence[Run]) -> list[VariantWindows]:
    """The pictures, for each variant or mix: in each network the first run that has finished with both stacks."""
    runs: dict[int, dict[int, Run]] = {}
    for run in finished:
        runs.setdefault(run.combination, {})[run.run] = run
    places = axes.network_texts(sweep)
    colours = {mix: number for number, mix in enumerate(series_styles.styles(sweep))}
    run_pairs: dict[str, list[tuple[Run, Run]]] = {}
    is_whole = pl.col("mix").is_null()
    for row in (
        stack_table.pairs(sweep).filter(is_whole).unique("combination", maintain_order=True).iter_rows(named=True)
    ):
        linux, ns3 = (runs.get(row["combination"], {}), runs.get(row["reference_combination"], {}))
        if common := sorted(linux.keys() & ns3.keys()):
            run_pairs.setdefault(row["variant"], []).append((ns3[common[0]], linux[common[0]]))
    groups = []
    for mix, pairs in run_pairs.items():
        pictures = []
        for pair in pairs[: max(1, MOST_DRAWN // len(run_pairs))]:
            # A page without a picture is better than none.
            with contextlib.suppress(OSError, Damaged, pl.exceptions.PolarsError):
                where = {mix: text for mix, text in places[pair[1].combination].items() if mix != stack_table.STACK}
                pictures.append(_picture(sweep, axes.axes_in_words(where), pair, colours))
        flows = [(variant, colours[axes.series(variant, mix)]) for variant in dict.fromkeys(Mix.parse(mix).variants)]
        groups.append(VariantWindows(mix, flows, pictures, len(pairs) - len(pictures)))
    return [group for group in groups if group.pictures]


def _picture(sweep: PlannedSweep, where: str, pair: tuple[Run, Run], colours: dict[str, int]) -> _Picture:
    to_s = min(MOST_S, float(units.si(sweep.combinations[pair[0].combination]["duration"], "time")))
    windows = [_windows(sweep, run, to_s) for run in pair]
    window_values = pl.concat([frame["value"] for frame in windows]).sort()
    largest, usual_segments = (float(window_values[index]) for index in (-1, int(_USUAL * (len(window_values) - 1))))
    is_cut = usual_segments > 0 and largest > 4 * usual_segments
    window_scale = plot_scales.around(0.0, 2 * usual_segments if is_cut else largest, zero=True, most=_WINDOW_TICKS)
    seconds = [tick for tick in plot_scales.around(0.0, to_s, True, _TIME_TICKS).ticks if tick <= to_s]
    return _Picture(
        where,
        pair[0].run,
        is_cut,
        [(_pixels_from_top(window_scale, tick), plot_scales.label(tick)) for tick in window_scale.ticks],
        [(100 * tick / to_s, plot_scales.label(tick)) for tick in seconds],
        [
            (stack, _lines(sweep, run, frame, window_scale, to_s, colours))
            for stack, run, frame in zip((stack_table.NS3, stack_table.LINUX), pair, windows, strict=True)
        ],
    )


def _windows(sweep: PlannedSweep, run: Run, to_s: float) -> pl.DataFrame:
    """A run's windows, thinned: ``flow``, ``time_s``, ``value`` in segments."""
    row = sweep.combinations[run.combination]
    traces = over_time.first_flows(sweep.parquet(run.cell), ["cwnd_bytes"], assignment.flow_count(row))
    segment_bytes = float(row["segment_size"])
    frames = [pl.DataFrame(schema={"flow": pl.Int32, "time_s": pl.Float64, "value": pl.Float64})]
    for flow, trace in traces.get("cwnd_bytes", {}).items():
        thin = trace_reduction.thin(trace_reduction.held(trace, 0.0, to_s), 0.0, to_s, SPANS)
        frames.append(cell_traces.frame(thin._replace(value=thin.value / segment_bytes), flow=flow))
    return pl.concat(frames)


def _lines(
    sweep: PlannedSweep,
    run: Run,
    windows: pl.DataFrame,
    window_scale: plot_scales.Scale,
    to_s: float,
    colours: dict[str, int],
) -> list[_Line]:
    """The lines of a run's flows. Those of one variant have one colour; all but the first of them are faint."""
    row = sweep.combinations[run.combination]
    variants, mix = assignment.flow_variants(row, run.run), row.variant
    lines: list[_Line] = []
    for (flow,), frame in windows.partition_by("flow", as_dict=True, maintain_order=True).items():
        colour = colours[axes.series(variants[flow], mix)]
        points = (
            f"{round(WIDTH * t / to_s)} {_pixels_from_top(window_scale, v)}"
            for t, v in frame.select("time_s", "value").iter_rows()
        )
        is_faint = any(number == colour for number, _, _ in lines)
        lines.append((colour, is_faint, "M" + "L".join(dict.fromkeys(points))))
    return lines


def _pixels_from_top(window_scale: plot_scales.Scale, window: float) -> int:
    """A window's place, in pixels from the top; a value beyond the axis lies on its end."""
    return round(HEIGHT * (1 - min(1.0, window_scale.place(window))))

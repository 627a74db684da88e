# SPDX-License-Identifier: MIT
"""The static figures of turning points: their lines with their bands over another axis, and each network's strip."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import altair as alt
import polars as pl

from tcpsweep.figures import metric_marks, paper_chart, turning_data
from tcpsweep.figures.chart_look import VegaLite
from tcpsweep.figures.picture_files import Figure
from tcpsweep.figures.series_styles import Style
from tcpsweep.figures.turning_data import Map, Turning
from tcpsweep.sweep import axes
from tcpsweep.sweep.sweep_record import PlannedSweep

GROUP = "Turning points"
MOST_MAPS, MOST_STRIPS = 12, 40
BAND, INK = "#dcdcdc", "#222222"
MAP_HEIGHT, ROW = 170.0, 16.0
NAMES = 0.36  # of a figure's width, the most that networks' names take
# By sign, in the page's colours: apart for people without red or green cones, and by their shapes in print.
STYLES = {
    "1": Style("#e8852f", "triangle-up", []),
    "-1": Style("#2f93c9", "triangle-down", []),
    "0": Style("#9a9a9a", "circle", []),
    "band": Style(BAND, "square", []),
}


def of(sweep: PlannedSweep, points: pl.DataFrame, turns: pl.DataFrame, width: float) -> Iterator[Figure]:
    """The figures of a sweep's tables ``refined_points`` and ``refined``; none if nothing was looked at."""
    turning = turning_data.of(sweep, points, turns)
    if turning is None:
        return
    difference = f"{turning.metric}, {turning.ahead[1]} less {turning.ahead[-1]}"
    how = (
        "It has a sign where its 95 % interval leaves out 0; a band reaches from the last value of the one "
        "sign to the first of the other, the line is where the mean difference is 0."
    )
    for number, each in enumerate(turning_data.maps(sweep, turning)[:MOST_MAPS]):
        where = f", {each.where}" if each.where else ""
        yield Figure(
            f"turning-map-{number}",
            GROUP,
            f"Where {turning.ahead[1]} and {turning.ahead[-1]} change places{where}",
            f"The {turning.axis.title} at which the sign of a difference changes: {difference}. {how}",
            "metric",
            _map(turning, each, width),
            turns,
            width,
        )
    yield Figure(
        "turning-strips",
        GROUP,
        f"Values of the {turning.axis.title} that were looked at",
        f"Each network's values, by the sign of a difference: {difference}. {how}",
        "metric",
        _strips(turning, width),
        points,
        width,
    )


def _map(turning: Turning, drawn: Map, width: float) -> VegaLite:
    across, up = turning_data.across_scale(drawn), turning.scale
    extent, title = paper_chart.extent_of_numbers(up), paper_chart.title_lines(turning.axis.head, MAP_HEIGHT)
    x: dict[str, Any] = {
        "title": drawn.across.head,
        "scale": paper_chart.scale_of_numbers(across, padding=10),
        "axis": paper_chart.level_axis(across, 11),
    }
    y: dict[str, Any] = {
        "title": title,
        "scale": paper_chart.scale_of_numbers(up, padding=5),
        "axis": paper_chart.upward_axis(up, extent, MAP_HEIGHT),
    }
    areas, turns, points = [], [], []
    for number, pair in enumerate(turning_data.joined(drawn)):
        areas += [
            {"pair": number, "at": at, "low": turn.low_edge, "high": turn.high_edge, "estimate": turn.estimate}
            for at, turn in pair
        ]
    for network in drawn.networks:
        at = drawn.across.values[network.place[drawn.across.name]]
        turns += [
            {"at": at, "low": turn.low_edge, "high": turn.high_edge, "estimate": turn.estimate}
            for turn in network.turns
        ]
        points += [{"at": at, "value": each.at, "series": str(each.sign)} for each in network.seen]
    of_areas, of_turns, of_points = (alt.Chart(alt.InlineData(values=rows)) for rows in (areas, turns, points))
    place = alt.X("at:Q", **x)
    layers = [
        of_areas.mark_area(color=BAND, opacity=1).encode(x=place, y=alt.Y("low:Q", **y), y2="high", detail="pair:N"),
        of_turns.mark_rule(color=BAND, strokeWidth=6).encode(x=place, y=alt.Y("low:Q", **y), y2="high"),
        of_areas.mark_line(color=INK, strokeWidth=1.2).encode(x=place, y=alt.Y("estimate:Q", **y), detail="pair:N"),
        _marks(turning, of_points, width, extent, title).encode(x=place, y=alt.Y("value:Q", **y)),
        of_turns.mark_tick(color=INK, thickness=1.4, size=10, orient="horizontal").encode(
            x=place, y=alt.Y("estimate:Q", **y)
        ),
    ]
    room = paper_chart.panel_width(width, extent, title)
    return paper_chart.vega_lite(alt.layer(*layers).properties(width=room, height=MAP_HEIGHT))


def _strips(turning: Turning, width: float) -> VegaLite:
    shown, scale = turning.networks[:MOST_STRIPS], turning.scale
    names = [
        paper_chart.wrapped(axes.axes_in_words(network.place) or "all", paper_chart.SMALL, NAMES * width)
        for network in shown
    ]
    extent = paper_chart.extent_of_texts(names)
    x: dict[str, Any] = {
        "title": turning.axis.head,
        "scale": paper_chart.scale_of_numbers(scale, padding=6),
        "axis": paper_chart.level_axis(scale, 7),
    }
    beside = alt.Axis(grid=True, labelExpr=paper_chart.LINES_OF_LABEL, labelLimit=0, minExtent=extent, maxExtent=extent)
    place = alt.Y("place:N", sort=names, title=None, axis=beside)
    turns = [
        {"place": name, "low": turn.low_edge, "high": turn.high_edge, "estimate": turn.estimate}
        for name, network in zip(names, shown, strict=True)
        for turn in network.turns
    ]
    points = [
        {"place": name, "value": each.at, "series": str(each.sign)}
        for name, network in zip(names, shown, strict=True)
        for each in network.seen
    ]
    of_turns, of_points = (alt.Chart(alt.InlineData(values=rows)) for rows in (turns, points))
    layers = [
        of_turns.mark_bar(color=BAND, height=12).encode(y=place, x=alt.X("low:Q", **x), x2="high"),
        of_turns.mark_tick(color=INK, thickness=1.4, size=12, orient="vertical").encode(
            y=place, x=alt.X("estimate:Q", **x)
        ),
        _marks(turning, of_points, width, extent, []).encode(y=place, x=alt.X("value:Q", **x)),
    ]
    room = paper_chart.panel_width(width, extent, ())
    return paper_chart.vega_lite(alt.layer(*layers).properties(width=room, height=ROW * len(shown) + 8))


def _marks(turning: Turning, points: alt.Chart, width: float, extent: float, title: Sequence[str]) -> alt.Chart:
    """Marks by the sign of the difference, with their legend."""
    words = {
        "1": f"{turning.ahead[1]} has more",
        "-1": f"{turning.ahead[-1]} has more",
        "0": "undecided",
        "band": "band of a turn",
    }
    legend = paper_chart.legend_below(
        list(words.values()),
        paper_chart.room_below(width, extent, title),
        labelExpr=f"{json.dumps(words)}[datum.label]",
    )
    encodings = paper_chart.series_encodings(STYLES, list(words), legend)
    marks = points.mark_point(filled=True, opacity=1, size=28, **metric_marks.EDGE)
    encoded: alt.Chart = marks.encode(color=encodings["color"], shape=encodings["shape"])
    return encoded

# SPDX-License-Identifier: MIT
"""The static figures of turning points: their lines with their bands over another axis, and each network's strip."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.figures import metric_marks, paper_chart, series_styles
from tcpsweep.core.figures.chart_look import VegaLite, column, marks
from tcpsweep.core.figures.picture_files import Figure
from tcpsweep.core.figures.series_styles import Style, Styles
from tcpsweep.core.sweep import axes
from tcpsweep.features.refine import refine_record, turning_data
from tcpsweep.features.refine.turning_data import Map, Turning

GROUP = "Crossovers"
MOST_MAPS, MOST_STRIPS = 12, 40
BAND, INK = "#dcdcdc", "#222222"
MAP_HEIGHT, ROW = 170.0, 16.0
_POINT: dict[str, Any] = {"filled": True, "opacity": 1, "size": 28} | metric_marks.EDGE
NAMES = 0.36  # of a figure's width, the most that networks' names take
# By sign: where a variant has more, its colour; by shape in print, too.
SHAPES = {1: "triangle-up", -1: "triangle-down"}
OTHER_STYLES = {"0": Style("#9a9a9a", "circle", []), "band": Style(BAND, "square", [])}


def figures(results: SweepResults, width: float) -> Iterator[Figure]:
    """The figures of a sweep's tables ``refined_points`` and ``refined``; none if no value was simulated."""
    sweep, points, turns = results.sweep, results.table("refined_points"), results.table("refined")
    turning, asked = turning_data.turning_points(sweep, points, turns), refine_record.of(sweep)
    if turning is None or asked is None:
        return
    series = series_styles.styles(sweep)
    styles = {
        str(sign): Style(series_styles.colour(series, turning.ahead[sign]), shape, []) for sign, shape in SHAPES.items()
    } | OTHER_STYLES
    turning = turning_data.printed(turning, axes.names_for_print(sweep))
    difference = f"{turning.metric}, {turning.ahead[1]} less {turning.ahead[-1]}"
    metrics_and_combinations = (
        [asked.metric],
        points["combination"].drop_nulls().unique().to_list(),
    )
    explanation = (
        "The difference has a sign if its 95 % interval excludes 0. A band reaches from the last value of one "
        "sign to the first value of the other. The line is where the mean difference is 0."
    )
    for number, drawn in enumerate(turning_data.maps(sweep, turning)[:MOST_MAPS]):
        where = f", {drawn.where}" if drawn.where else ""
        yield Figure(
            f"turning-map-{number}",
            GROUP,
            f"Where {turning.ahead[1]} and {turning.ahead[-1]} change places{where}",
            f"The {turning.axis.title} at which the sign of a difference changes: {difference}. {explanation}",
            "metric",
            _map(turning, drawn, width, styles),
            turns,
            width,
            *metrics_and_combinations,
        )
    yield Figure(
        "turning-strips",
        GROUP,
        f"Values of the {turning.axis.title} that were looked at",
        f"Each network's values, by the sign of a difference: {difference}. {explanation}",
        "metric",
        _strips(turning, width, styles),
        points,
        width,
        *metrics_and_combinations,
    )


def _map(turning: Turning, drawn: Map, width: float, styles: Styles) -> VegaLite:
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
        points += [{"at": at, "value": value.at, "series": str(value.sign)} for value in network.seen]
    of_areas, of_turns, of_points = ({"values": rows} for rows in (areas, turns, points))
    place, of_pair = {"x": column("at:Q", **x)}, {"detail": column("pair:N")}
    band = place | {"y": column("low:Q", **y), "y2": {"field": "high"}}
    estimate = place | {"y": column("estimate:Q", **y)}
    looked_at = place | {"y": column("value:Q", **y)} | _sign_encodings(turning, width, extent, title, styles)
    layers = [
        marks("area", band | of_pair, of_areas, color=BAND, opacity=1),
        marks("rule", band, of_turns, color=BAND, strokeWidth=6),
        marks("line", estimate | of_pair, of_areas, color=INK, strokeWidth=1.2),
        marks("point", looked_at, of_points, **_POINT),
        marks("tick", estimate, of_turns, color=INK, thickness=1.4, size=10, orient="horizontal"),
    ]
    room = paper_chart.panel_width(width, extent, title)
    return paper_chart.with_data({"layer": layers, "width": room, "height": MAP_HEIGHT})


def _strips(turning: Turning, width: float, styles: Styles) -> VegaLite:
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
    place = {"y": column("place:N", sort=names, title=None, axis=paper_chart.axis_of_names(extent))}
    turns = [
        {"place": name, "low": turn.low_edge, "high": turn.high_edge, "estimate": turn.estimate}
        for name, network in zip(names, shown, strict=True)
        for turn in network.turns
    ]
    points = [
        {"place": name, "value": value.at, "series": str(value.sign)}
        for name, network in zip(names, shown, strict=True)
        for value in network.seen
    ]
    of_turns, of_points = ({"values": rows} for rows in (turns, points))
    band = place | {"x": column("low:Q", **x), "x2": {"field": "high"}}
    estimate = place | {"x": column("estimate:Q", **x)}
    looked_at = place | {"x": column("value:Q", **x)} | _sign_encodings(turning, width, extent, [], styles)
    layers = [
        marks("bar", band, of_turns, color=BAND, height=12),
        marks("tick", estimate, of_turns, color=INK, thickness=1.4, size=12, orient="vertical"),
        marks("point", looked_at, of_points, **_POINT),
    ]
    room = paper_chart.panel_width(width, extent, ())
    return paper_chart.with_data({"layer": layers, "width": room, "height": ROW * len(shown) + 8})


def _sign_encodings(turning: Turning, width: float, extent: float, title: Sequence[str], styles: Styles) -> VegaLite:
    """The encodings of marks by the sign of the difference, with their legend."""
    words = {
        "1": f"{turning.ahead[1]} has more",
        "-1": f"{turning.ahead[-1]} has more",
        "0": "inconclusive",
        "band": "band of a crossover",
    }
    legend = paper_chart.legend_below(
        list(words.values()),
        paper_chart.room_below(width, extent, title),
        labelExpr=f"{json.dumps(words)}[datum.label]",
    )
    encodings = paper_chart.series_encodings(styles, list(words), legend)
    return {"color": encodings["color"], "shape": encodings["shape"]}

# SPDX-License-Identifier: MIT
"""The static figures of turning points: their lines with their bands over another axis, and each network's strip."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.figures import charts, paper_chart, series_styles
from tcpsweep.core.figures.charts import Slots, VegaLite
from tcpsweep.core.figures.paper_chart import Room
from tcpsweep.core.figures.picture_files import Figure
from tcpsweep.core.figures.series_styles import Style, Styles
from tcpsweep.core.sweep import axes
from tcpsweep.features.refine import refine_record, turning_data
from tcpsweep.features.refine.turning_data import Map, Turning

GROUP = "Crossovers"
MOST_MAPS, MOST_STRIPS = 12, 40
MAP_HEIGHT, ROW = 170.0, 16.0
NAMES = 0.36  # of a figure's width, the most that networks' names take
# By sign: where a variant has more, its colour; by shape in print, too.
SHAPES = {1: "triangle-up", -1: "triangle-down"}
OTHER_STYLES = {"0": Style("#9a9a9a", "circle", []), "band": Style("#dcdcdc", "square", [])}


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
    from tcpsweep.features.refine import turning_kinds  # altair takes long

    across, up = turning_data.across_scale(drawn), turning.scale
    room = paper_chart.room(width, paper_chart.extent_of_numbers(up), turning.axis.head, MAP_HEIGHT)
    slots = {
        **paper_chart.size(room.panel, MAP_HEIGHT),
        **paper_chart.level_axis(across, drawn.across.head, 11, padding=10),
        **paper_chart.upward_axis(up, room, MAP_HEIGHT, padding=5),
        **_signs(turning, room, styles),
    }
    areas, turns, points = [], [], []
    for number, pair in enumerate(turning_data.joined(drawn)):
        areas += [{"pair": number, "at": at, **_band(turn)} for at, turn in pair]
    for network in drawn.networks:
        at = drawn.across.values[network.place[drawn.across.name]]
        turns += [{"at": at, **_band(turn)} for turn in network.turns]
        points += [{"at": at, "value": value.at, "series": str(value.sign)} for value in network.seen]
    return charts.filled(charts.built(turning_kinds.turning_map), slots, areas=areas, turns=turns, points=points)


def _band(turn: Any) -> dict[str, Any]:
    return {"low": turn.low_edge, "high": turn.high_edge, "estimate": turn.estimate}


def _strips(turning: Turning, width: float, styles: Styles) -> VegaLite:
    from tcpsweep.features.refine import turning_kinds  # altair takes long

    shown = turning.networks[:MOST_STRIPS]
    names = [
        paper_chart.wrapped(axes.axes_in_words(network.place) or "all", paper_chart.SMALL, NAMES * width)
        for network in shown
    ]
    height = ROW * len(shown) + 8
    room = paper_chart.room(width, paper_chart.extent_of_texts(names), "", height)
    slots = {
        **paper_chart.size(room.panel, height),
        **paper_chart.level_axis(turning.scale, turning.axis.head, 7, padding=6),
        **paper_chart.axis_of_names(names, room),
        **_signs(turning, room, styles),
    }
    named = list(zip(names, shown, strict=True))
    turns = [{"at": name, **_band(turn)} for name, network in named for turn in network.turns]
    points = [
        {"at": name, "value": value.at, "series": str(value.sign)} for name, network in named for value in network.seen
    ]
    return charts.filled(charts.built(turning_kinds.strips), slots, turns=turns, points=points)


def _signs(turning: Turning, room: Room, styles: Styles) -> Slots:
    """The slots of marks by the sign of the difference, with their legend."""
    words = {
        "1": f"{turning.ahead[1]} has more",
        "-1": f"{turning.ahead[-1]} has more",
        "0": "inconclusive",
        "band": "band of a crossover",
    }
    labels = f"{json.dumps(words)}[datum.label]"
    return paper_chart.of_series(
        styles, list(words), paper_chart.legend_below(list(words.values()), room.legend, labelExpr=labels)
    )

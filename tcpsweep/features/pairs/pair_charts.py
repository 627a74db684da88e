# SPDX-License-Identifier: MIT
"""The static charts of variants compared with each other: a matrix as a heat map, ranks, and a frontier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from tcpsweep.core.figures import metric_marks, paper_chart, plot_scales, text_sizes
from tcpsweep.core.figures.chart_look import VegaLite, column, marks
from tcpsweep.core.figures.paper_chart import SMALL, Facets
from tcpsweep.core.figures.series_styles import Styles
from tcpsweep.features.pairs import pair_words

# Apart for people without red or green cones too, and light enough for text in them.
ABOVE, BELOW = "#eea263", "#63aed7"
_LARGEST_CELL = 40.0
_NAMES = 0.4  # of a figure's width, the most that names take
_RANK_ROW = 14.0
FRONTIER_HEIGHT = 190.0


def matrix(variants: Sequence[str], values: Mapping[tuple[str, str], float], middle: float, width: float) -> VegaLite:
    """A matrix with its values by row and column in the cells, in a width in pixels.

    Variants are rows from the top and columns from the left. ``middle`` is the value without colour; as far from it as
    1 is, the colour is the fullest.
    """
    extent = paper_chart.extent_of_texts([text_sizes.cut(name, SMALL, _NAMES * width) for name in variants])
    cell = min(_LARGEST_CELL, (width - 2 * paper_chart.EDGE - extent) // len(variants))
    longest = max(text_sizes.width(name, SMALL) for name in variants)
    points = pl.DataFrame(
        [
            {
                "row": one,
                "column": other,
                "value": values.get((one, other)),
                "text": _cell_text(values.get((one, other)), cell),
            }
            for one in variants
            for other in variants
        ]
    )
    axis: dict[str, Any] = {"ticks": False, "grid": False, "labelLimit": _NAMES * width}
    above = axis | {"orient": "top", "labelAngle": 0 if longest <= cell - 2 else -90}
    beside = axis | {"minExtent": extent, "maxExtent": extent}
    colours = {"domain": [2 * middle - 1, middle, 1], "range": [BELOW, "#ffffff", ABOVE]}
    colour = column("value:Q", scale=colours | {"interpolate": "rgb", "clamp": True}, legend=None)
    place = {
        "x": column("column:N", sort=list(variants), title=None, axis=above),
        "y": column("row:N", sort=list(variants), title=None, axis=beside),
    }
    text = place | {"text": column("text:N")}
    layers = [
        marks("rect", place | {"color": colour}, stroke="white", strokeWidth=1, invalid=None),
        marks("text", text, fontSize=min(SMALL, cell * 0.42), color="#222"),
    ]
    size = cell * len(variants)
    chart = {"data": paper_chart.POINTS, "layer": layers, "width": size, "height": size}
    return paper_chart.with_data(chart, points=points)


def _cell_text(value: float | None, cell: float) -> str:
    if value is None:
        return "–"
    text = pair_words.short(value)
    return text if cell >= 24 else text.replace("0.", ".", 1)


def ranks(rankings: Mapping[str, Sequence[Mapping[str, Any]]], variants: Sequence[str], width: float) -> VegaLite:
    """Ranks as dots with the bars of their intervals, a panel for each score, in a width in pixels.

    ``rankings`` has the title of each score with the rows of the table of ranks; ``variants`` are from the top.
    """
    names = {name: paper_chart.wrapped(name, paper_chart.SMALL, _NAMES * width) for name in variants}
    extent = paper_chart.extent_of_texts(list(names.values()))
    room = paper_chart.panel_width(width, extent, (), Facets(list(rankings), across=len(rankings)))
    wrapped_titles = {title: paper_chart.wrapped(title, paper_chart.SIZE, room) for title in rankings}
    points = pl.DataFrame(
        [
            {"column": wrapped_titles[title], "variant": names[row["variant"]]}
            | {name: row[name] for name in ("rank", "rank_low", "rank_high")}
            for title, rows in rankings.items()
            for row in rows
        ],
        infer_schema_length=None,
    )
    count = len(variants)
    step = max(1, -(-count // 6))
    x: dict[str, Any] = {
        "title": None,
        "scale": {"domain": [1, count], "nice": False, "zero": False, "padding": 0.06 * room},
        "axis": {"values": list(range(1, count + 1, step))},
    }
    y = column("variant:N", sort=list(names.values()), title=None, axis=paper_chart.axis_of_names(extent))
    interval = {"y": y, "x": column("rank_low:Q", **x), "x2": {"field": "rank_high"}}
    rank = {"y": y, "x": column("rank:Q", **x)}
    layers = [
        marks("rule", interval, color="#666666", strokeWidth=2.2),
        marks("point", rank, filled=True, size=34, opacity=1, color="#0b5cad", **metric_marks.EDGE),
    ]
    panel = {"layer": layers, "width": room, "height": _RANK_ROW * count}
    facets = Facets(list(wrapped_titles.values()), across=len(wrapped_titles))
    return paper_chart.with_data(paper_chart.faceted(panel, facets, ("rank", ())), points=points)


def frontier(rows: Sequence[Mapping[str, Any]], titles: tuple[str, str], styles: Styles, width: float) -> VegaLite:
    """Goodput against delay, marks as large as it is probable that they lie on the frontier, in a width in pixels.

    Rows have ``variant``; ``x``, ``y``, in the units of the axes' titles; ``size``, from 0 to 1; ``label``.
    """
    x = plot_scales.logarithmic([row["x"] for row in rows])
    y = plot_scales.around(min(row["y"] for row in rows), max(row["y"] for row in rows), zero=False)
    extent, title = paper_chart.extent_of_numbers(y), paper_chart.title_lines(titles[1], FRONTIER_HEIGHT)
    labels = [row["label"] for row in rows]
    of_label = {row["label"]: styles[row["variant"]] for row in rows}
    legend = paper_chart.legend_below(labels, paper_chart.room_below(width, extent, title))
    encodings = paper_chart.series_encodings(of_label, labels, legend)
    # A mark's area, with a radius of 2.4 to 6 pixels; large marks are below small ones.
    points = pl.DataFrame(
        [
            {"x": row["x"], "y": row["y"], "series": row["label"], "area": 3.2 * (2.4 + 3.6 * row["size"]) ** 2}
            for row in sorted(rows, key=lambda row: -row["size"])
        ]
    )
    x_options = {"title": titles[0], "axis": paper_chart.level_axis(x, 9)}
    y_options = {"title": title, "axis": paper_chart.upward_axis(y, extent, FRONTIER_HEIGHT)}
    encoding = {
        "x": column("x:Q", scale=paper_chart.scale_of_numbers(x, padding=8), **x_options),
        "y": column("y:Q", scale=paper_chart.scale_of_numbers(y, padding=6), **y_options),
        "color": encodings["color"],
        "shape": encodings["shape"],
        "size": column("area:Q", scale=None),
    }
    chart = marks("point", encoding, paper_chart.POINTS, filled=True, opacity=1, **metric_marks.EDGE)
    size = {"width": paper_chart.panel_width(width, extent, title), "height": FRONTIER_HEIGHT}
    return paper_chart.with_data(chart | size, points=points)

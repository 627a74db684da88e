# SPDX-License-Identifier: MIT
"""The static charts of variants compared with each other: a matrix as a heat map, ranks, and a frontier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tcpsweep.core.figures import charts, paper_chart, plot_scales, text_sizes
from tcpsweep.core.figures.charts import VegaLite
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
    points = [
        {"row": one, "column": other, "mean": value, "label": _cell_text(value, cell), "ink": "#222"}
        for one in variants
        for other in variants
        for value in [values.get((one, other))]
    ]
    axis: dict[str, Any] = {"ticks": False, "grid": False, "labelLimit": _NAMES * width}
    colours = {"domain": [2 * middle - 1, middle, 1], "range": [BELOW, "#ffffff", ABOVE]}
    slots = {
        **paper_chart.size(cell * len(variants), cell * len(variants)),
        **{"columns": list(variants), "rows": list(variants), "x title": None, "y title": None},
        "x axis": axis | {"orient": "top", "labelAngle": 0 if longest <= cell - 2 else -90},
        "y axis": axis | {"minExtent": extent, "maxExtent": extent},
        "value colours": colours | {"interpolate": "rgb", "clamp": True},
        **{"value legend": None, "box edge width": 1, "labels": "labels", "label size": min(SMALL, cell * 0.42)},
    }
    return charts.filled(charts.kind("matrix"), slots, points=points)


def _cell_text(value: float | None, cell: float) -> str:
    if value is None:
        return "–"
    text = pair_words.short(value)
    return text if cell >= 24 else text.replace("0.", ".", 1)


def ranks(rankings: Mapping[str, Sequence[Mapping[str, Any]]], variants: Sequence[str], width: float) -> VegaLite:
    """Ranks as dots with the bars of their intervals, a panel for each score, in a width in pixels.

    ``rankings`` has the title of each score with the rows of the table of ranks; ``variants`` are from the top.
    """
    from tcpsweep.features.pairs import pair_kinds  # altair takes long

    names = {name: paper_chart.wrapped(name, SMALL, _NAMES * width) for name in variants}
    count, height = len(variants), _RANK_ROW * len(variants)
    facets = Facets(list(rankings), across=len(rankings))
    room = paper_chart.room(width, paper_chart.extent_of_texts(list(names.values())), "", height, facets)
    wrapped_titles = {title: paper_chart.wrapped(title, paper_chart.SIZE, room.panel) for title in rankings}
    points = [
        {"column": wrapped_titles[title], "variant": names[row["variant"]]}
        | {name: row[name] for name in ("rank", "rank_low", "rank_high")}
        for title, rows in rankings.items()
        for row in rows
    ]
    slots = {
        **paper_chart.size(room.panel, height),
        **paper_chart.axis_of_names(list(names.values()), room),
        "x title": "rank",
        "x scale": {"domain": [1, count], "nice": False, "zero": False, "padding": 0.06 * room.panel},
        "x axis": {"values": list(range(1, count + 1, max(1, -(-count // 6))))},
    }
    facets = Facets(list(wrapped_titles.values()), across=len(wrapped_titles))
    return paper_chart.in_panels(charts.built(pair_kinds.ranks), facets, slots, points=points)


def frontier(rows: Sequence[Mapping[str, Any]], titles: tuple[str, str], styles: Styles, width: float) -> VegaLite:
    """Goodput against delay, marks as large as it is probable that they lie on the frontier, in a width in pixels.

    Rows have ``variant``; ``x``, ``y``, in the units of the axes' titles; ``size``, from 0 to 1; ``label``.
    """
    from tcpsweep.features.pairs import pair_kinds  # altair takes long

    x = plot_scales.logarithmic([row["x"] for row in rows])
    y = plot_scales.around(min(row["y"] for row in rows), max(row["y"] for row in rows), zero=False)
    room = paper_chart.room(width, paper_chart.extent_of_numbers(y), titles[1], FRONTIER_HEIGHT)
    labels = [row["label"] for row in rows]
    of_label = {row["label"]: styles[row["variant"]] for row in rows}
    # A mark's area, with a radius of 2.4 to 6 pixels; large marks are below small ones.
    points = [
        {"x": row["x"], "y": row["y"], "series": row["label"], "size": 3.2 * (2.4 + 3.6 * row["size"]) ** 2}
        for row in sorted(rows, key=lambda row: -row["size"])
    ]
    slots = {
        **paper_chart.size(room.panel, FRONTIER_HEIGHT),
        **paper_chart.level_axis(x, titles[0], 9, padding=8),
        **paper_chart.upward_axis(y, room, FRONTIER_HEIGHT, padding=6),
        **paper_chart.of_series(of_label, labels, paper_chart.legend_below(labels, room.legend)),
        "size scale": None,
    }
    return charts.filled(charts.built(pair_kinds.frontier), slots, points=points)

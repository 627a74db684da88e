# SPDX-License-Identifier: MIT
"""The static charts of variants compared with each other: a matrix as a heat map, ranks, and a frontier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import polars as pl

from tcpsweep.figures import metric_marks, paper_chart, plot_scales, text_sizes
from tcpsweep.figures.chart_look import VegaLite
from tcpsweep.figures.paper_chart import SMALL, Facets
from tcpsweep.figures.series_styles import Styles
from tcpsweep.words import pair_words

# Apart for people without red or green cones too, and light enough for text in them.
ABOVE, BELOW = "#eea263", "#63aed7"
_LARGEST_CELL = 40.0
_NAMES = 0.4  # of a figure's width, the most that names take
_RANK_ROW = 14.0
FRONTIER_HEIGHT = 190.0


def matrix(variants: Sequence[str], values: Mapping[tuple[str, str], float], middle: float, width: float) -> VegaLite:
    """A matrix with its values in the cells.

    Parameters
    ----------
    variants : list of str
        Rows from the top, columns from the left.
    values : dict
        By row and column.
    middle : float
        The value without colour; as far from it as 1 is, the colour is the fullest.
    width : float
        The figure's, in pixels.
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
                "text": _short(values.get((one, other)), cell),
            }
            for one in variants
            for other in variants
        ]
    )
    axis: dict[str, Any] = {"ticks": False, "grid": False, "labelLimit": _NAMES * width}
    above = alt.Axis(orient="top", labelAngle=0 if longest <= cell - 2 else -90, **axis)
    beside = alt.Axis(minExtent=extent, maxExtent=extent, **axis)
    colours = alt.Scale(
        domain=[2 * middle - 1, middle, 1], range=[BELOW, "#ffffff", ABOVE], interpolate="rgb", clamp=True
    )
    base = alt.Chart(alt.NamedData("points")).encode(
        x=alt.X("column:N", sort=list(variants), title=None, axis=above),
        y=alt.Y("row:N", sort=list(variants), title=None, axis=beside),
    )
    boxes = base.mark_rect(stroke="white", strokeWidth=1, invalid=None).encode(
        color=alt.Color("value:Q", scale=colours, legend=None)
    )
    texts = base.mark_text(fontSize=min(SMALL, cell * 0.42), color="#222").encode(text="text:N")
    chart = alt.layer(boxes, texts).properties(width=cell * len(variants), height=cell * len(variants))
    return paper_chart.vega_lite(chart, points=points)


def _short(value: float | None, cell: float) -> str:
    if value is None:
        return "–"
    text = pair_words.short(value)
    return text if cell >= 24 else text.replace("0.", ".", 1)


def ranks(rankings: Mapping[str, Sequence[Mapping[str, Any]]], variants: Sequence[str], width: float) -> VegaLite:
    """Ranks as dots with the bars of their intervals, a panel for each score.

    Parameters
    ----------
    rankings : dict
        The title of each score to the rows of the table of ranks.
    variants : list of str
        From the top.
    width : float
        The figure's, in pixels.
    """
    names = {name: paper_chart.wrapped(name, paper_chart.SMALL, _NAMES * width) for name in variants}
    extent = paper_chart.extent_of_texts(list(names.values()))
    room = paper_chart.panel_width(width, extent, (), Facets(list(rankings), across=len(rankings)))
    heads = {title: paper_chart.wrapped(title, paper_chart.SIZE, room) for title in rankings}
    points = pl.DataFrame(
        [
            {"column": heads[title], "variant": names[row["variant"]]}
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
        "scale": alt.Scale(domain=[1, count], nice=False, zero=False, padding=0.06 * room),
        "axis": alt.Axis(values=list(range(1, count + 1, step))),
    }
    y_axis = alt.Axis(grid=True, labelExpr=paper_chart.LINES_OF_LABEL, labelLimit=0, minExtent=extent, maxExtent=extent)
    base = alt.Chart().encode(y=alt.Y("variant:N", sort=list(names.values()), title=None, axis=y_axis))
    layers = [
        base.mark_rule(color="#666666", strokeWidth=2.2).encode(x=alt.X("rank_low:Q", **x), x2="rank_high"),
        base.mark_point(filled=True, size=34, opacity=1, color="#0b5cad", **metric_marks.EDGE).encode(
            x=alt.X("rank:Q", **x)
        ),
    ]
    panel = alt.layer(*layers).properties(width=room, height=_RANK_ROW * count)
    facets = Facets(list(heads.values()), across=len(heads))
    return paper_chart.vega_lite(paper_chart.faceted(panel, "points", facets, ("rank", ())), points=points)


def frontier(rows: Sequence[Mapping[str, Any]], titles: tuple[str, str], styles: Styles, width: float) -> VegaLite:
    """Goodput against delay, marks as large as it is probable that they lie on the frontier.

    Parameters
    ----------
    rows : list of dict
        ``variant``; ``x``, ``y``, in the units of the titles; ``size``, from 0 to 1; ``label``.
    titles : tuple of str
        The axes'.
    styles : dict
        Each variant's.
    width : float
        The figure's, in pixels.
    """
    x = plot_scales.logarithmic([row["x"] for row in rows])
    y = plot_scales.around(min(row["y"] for row in rows), max(row["y"] for row in rows), zero=False)
    extent, title = paper_chart.extent_of_numbers(y), paper_chart.title_lines(titles[1], FRONTIER_HEIGHT)
    labels = [row["label"] for row in rows]
    of_label = {row["label"]: styles[row["variant"]] for row in rows}
    legend = paper_chart.legend_below(labels, paper_chart.room_below(width, extent, title))
    encodings = paper_chart.series_encodings(of_label, labels, legend)
    # A mark's area, with a radius of 2.4 to 6 pixels; large marks are behind small ones.
    points = pl.DataFrame(
        [
            {"x": row["x"], "y": row["y"], "series": row["label"], "area": 3.2 * (2.4 + 3.6 * row["size"]) ** 2}
            for row in sorted(rows, key=lambda row: -row["size"])
        ]
    )
    marks = alt.Chart(alt.NamedData("points")).mark_point(filled=True, opacity=1, **metric_marks.EDGE)
    chart = marks.encode(
        x=alt.X(
            "x:Q",
            title=titles[0],
            scale=paper_chart.scale_of_numbers(x, padding=8),
            axis=paper_chart.level_axis(x, 9),
        ),
        y=alt.Y(
            "y:Q",
            title=title,
            scale=paper_chart.scale_of_numbers(y, padding=6),
            axis=paper_chart.upward_axis(y, extent, FRONTIER_HEIGHT),
        ),
        color=encodings["color"],
        shape=encodings["shape"],
        size=alt.Size("area:Q", scale=None),
    )
    room = paper_chart.panel_width(width, extent, title)
    return paper_chart.vega_lite(chart.properties(width=room, height=FRONTIER_HEIGHT), points=points)

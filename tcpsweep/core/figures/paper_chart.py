# SPDX-License-Identifier: MIT
"""Charts of a given width on paper: axes, legend, and panels of one size in exact rows and columns.

Every axis has a fixed extent, so the width of a panel is known before the chart is drawn. Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from tcpsweep.core.figures import chart_look, metric_marks, plot_scales, text_sizes
from tcpsweep.core.figures.chart_look import VegaLite, column, marks
from tcpsweep.core.figures.plot_scales import Scale
from tcpsweep.core.figures.series_styles import Styles

SIZE, SMALL = 10.0, 9.0  # of titles and legends, and of ticks' labels: 7.5 and 6.75 pt
EDGE, GAP, TICK = 3.0, 9.0, 3.0  # around the figure, between panels, a tick's length
LINE = SIZE * text_sizes.LINE
_SYMBOL, _BETWEEN = 15.0, 12.0  # a legend's symbol with its room, and the space between its columns
_AXIS = {
    "minExtent": 0,
    "labelFontSize": SMALL,
    "titleFontSize": SIZE,
    "tickSize": TICK,
    "labelPadding": 2,
    "titlePadding": 4,
    "titleFontWeight": "normal",
}
LOOK: VegaLite = chart_look.LOOK | {
    "padding": EDGE,
    "axis": chart_look.LOOK["axis"] | _AXIS,
    "header": chart_look.LOOK["header"] | {"titleFontWeight": "normal", "titlePadding": 3, "labelPadding": 3},
    "legend": chart_look.LOOK["legend"]
    | {
        "symbolStrokeWidth": 0,
        "symbolSize": 40,
        "columnPadding": _BETWEEN,
        "rowPadding": 1,
        "offset": 6,
    },
    "title": {"fontSize": SIZE, "fontWeight": "normal", "color": "#222", "offset": 3},
    # Vega adds the width of the panels' strokes, and rounds up.
    "facet": {"spacing": GAP - 2},
    "concat": {"spacing": GAP - 2},
}


@dataclass(frozen=True)
class Facets:
    """The heads of a chart's panels by ``column`` and ``row`` of its data; without rows, the columns wrap."""

    columns: Sequence[str] = ()
    rows: Sequence[str] = ()
    across: int = 1  # the number of panels in a row


def level_axis(scale: Scale, flush: float) -> VegaLite:
    """A horizontal axis with the ticks of a scale; labels within ``flush`` of its ends do not reach beyond them."""
    return _axis_of_numbers(scale, values=scale.ticks, labelOverlap="parity", labelFlush=flush)


def upward_axis(scale: Scale, extent: float, height: float) -> VegaLite:
    """A vertical axis with the ticks of a scale, whose labels take exactly the given room to its left."""
    ticks: list[float] = []
    for tick in scale.ticks:
        if not ticks or (scale.place(tick) - scale.place(ticks[-1])) * height >= SMALL:
            ticks.append(tick)
    return _axis_of_numbers(scale, values=ticks, labelOverlap=False, minExtent=extent, maxExtent=extent)


def _axis_of_numbers(scale: Scale, **options: Any) -> VegaLite:
    """An axis of numbers, with a darker line at zero where the scale has numbers on both sides of it."""
    colour = {"condition": {"test": "datum.value === 0", "value": "#666"}, "value": "#e8e8e8"}
    zero_line: dict[str, Any] = {"gridColor": colour} if scale.kind != "log" and scale.least < 0 < scale.largest else {}
    return {"labelExpr": metric_marks.NUMBER} | zero_line | options


def axis_of_names(extent: float) -> VegaLite:
    """A vertical axis of `wrapped` names, whose labels take exactly the given room to its left."""
    return {"grid": True, "labelExpr": LINES_OF_LABEL, "labelLimit": 0, "minExtent": extent, "maxExtent": extent}


def scale_of_numbers(scale: Scale, **options: Any) -> VegaLite:
    """A scale as Vega-Lite has it; ``options`` are Vega-Lite's."""
    near_zero: dict[str, Any] = {"constant": scale.threshold} if scale.kind == "symlog" else {}
    return {"type": scale.kind, "domain": [scale.least, scale.largest], "nice": False} | near_zero | options


def extent_of_numbers(*scales: Scale) -> float:
    """The room that the labels of vertical axes need, with their ticks."""
    return extent_of_texts([plot_scales.label(tick) for scale in scales for tick in scale.ticks])


def extent_of_texts(labels: Sequence[str]) -> float:
    """The room that labels left of an axis need, with their ticks; a label may be of several lines."""
    lines = [line for label in labels for line in label.split("\n")]
    return TICK + 3 + max((text_sizes.width(line, SMALL) for line in lines), default=0)


def title_lines(title: str, length: float) -> list[str]:
    """A title on as many lines as it needs on an axis of this length."""
    return text_sizes.broken(title, SIZE, length)


def wrapped(text: str, size: float, most: float) -> str:
    """A text with line breaks that keep it at most ``most`` pixels wide."""
    return "\n".join(text_sizes.broken(text, size, most))


POINTS = {"name": "points"}  # the data of most charts
LINES_OF_LABEL = "split(datum.label, '\\n')"
"""The lines of a `wrapped` text, for an axis or a head."""


def panel_width(width: float, extent: float, title: Sequence[str], facets: Facets | None = None) -> float:
    """How wide each panel is; ``extent`` is the room for the labels of the vertical axis, ``title`` has its lines."""
    across = facets.across if facets else 1
    right = LINE + 11 if facets and facets.rows else 4
    return (room_below(width, extent, title) - right - GAP * (across - 1)) // across


def room_below(width: float, extent: float, title: Sequence[str]) -> float:
    """The room from the left end of the first panel to the right end of the figure, which a legend has."""
    return width - 2 * EDGE - extent - (len(title) * LINE + 4 if title else 0)


STROKES: dict[str, Any] = {"symbolType": "stroke", "symbolStrokeWidth": 1.4, "symbolSize": 200}
"""The options of a legend of lines without marks."""


def legend_below(labels: Sequence[str], room: float, **options: Any) -> VegaLite:
    """A legend below the panels in as many columns as have room; ``options`` are Vega-Lite's."""
    widths = [_SYMBOL + text_sizes.width(label, SIZE) for label in labels]
    for count in range(len(widths), 1, -1):
        columns = [max(widths[number::count]) for number in range(count)]
        if sum(columns) + _BETWEEN * (count - 1) <= room:
            break
    else:
        count = 1
    return {"orient": "bottom", "columns": count, "title": None, "labelLimit": room - _SYMBOL} | options


def series_encodings(styles: Styles, series: Sequence[str], legend: VegaLite | None) -> VegaLite:
    """The encodings of the column ``series`` by colour, shape and dash, in the order of the series."""
    colours, shapes, dashes = zip(*(styles[name] for name in series), strict=True)

    def channel(values: Sequence[Any], legend: VegaLite | None) -> VegaLite:
        return column("series:N", scale={"domain": list(series), "range": list(values)}, legend=legend)

    return {"color": channel(colours, legend), "shape": channel(shapes, legend), "strokeDash": channel(dashes, None)}


def cut_sign(height: float, upright: bool = True) -> VegaLite:
    """The sign that an axis does not begin at zero: two short strokes across its beginning."""
    x, y = (0.0, height - 5) if upright else (5.0, height)
    place = {"x": {"value": x}, "y": {"value": y}}
    return marks("text", place, {"values": [{}]}, text="//", fontSize=SMALL, angle=90 if upright else 0)


def faceted(panel: VegaLite, facets: Facets, titles: tuple[str, Sequence[str]]) -> VegaLite:
    """A copy of a panel without axis titles for each part of the data ``points``, with one title for each axis.

    ``titles`` are the horizontal axis' title, and the lines of the vertical axis' title.
    """
    header: VegaLite = {"labelExpr": LINES_OF_LABEL, "title": titles[0], "labelOrient": "top", "titleOrient": "bottom"}
    column_facet = column("column:N", sort=list(facets.columns), header=header)
    chart: VegaLite = {"data": POINTS, "spec": panel}
    if facets.rows:
        row_header = header | {"title": list(titles[1]) or None, "labelOrient": "right", "titleOrient": "left"}
        header["titlePadding"] = -7  # Vega-Lite leaves 10 pixels more than elsewhere
        return chart | {
            "facet": {"column": column_facet, "row": column("row:N", sort=list(facets.rows), header=row_header)}
        }
    left_title = {"title": {"text": list(titles[1]), "orient": "left", "anchor": "middle"}} if titles[1] else {}
    return chart | {"facet": column_facet, "columns": facets.across} | left_title


def with_data(chart: VegaLite, **frames: pl.DataFrame) -> VegaLite:
    """A chart with its data, in the look of figures on paper."""
    return chart_look.with_data(chart, **frames) | {"config": LOOK}

# SPDX-License-Identifier: MIT
"""Charts of a given width on paper: axes, legend, and panels of one size that are exactly below and beside each other.

Every axis has a fixed extent, so the width of a panel is known before the chart is drawn. Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import polars as pl

from tcpsweep.figures import chart_look, metric_marks, plot_scales, text_sizes
from tcpsweep.figures.chart_look import VegaLite, View
from tcpsweep.figures.plot_scales import Scale
from tcpsweep.figures.series_styles import Styles

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
    """The panels of a chart by the columns ``column`` and ``row`` of its data.

    Attributes
    ----------
    columns, rows : list of str
        The heads of the panels; without rows, the columns wrap.
    across : int
        How many panels are beside each other.
    """

    columns: Sequence[str] = ()
    rows: Sequence[str] = ()
    across: int = 1


def level_axis(scale: Scale, flush: float) -> alt.Axis:
    """A horizontal axis with the ticks of a scale; labels within ``flush`` of its ends do not reach beyond them."""
    return _axis(scale, values=scale.ticks, labelOverlap="parity", labelFlush=flush)


def upward_axis(scale: Scale, extent: float, height: float) -> alt.Axis:
    """A vertical axis with the ticks of a scale, whose labels take exactly so much room to its left."""
    ticks: list[float] = []
    for tick in scale.ticks:
        if not ticks or (scale.place(tick) - scale.place(ticks[-1])) * height >= SMALL:
            ticks.append(tick)
    return _axis(scale, values=ticks, labelOverlap=False, minExtent=extent, maxExtent=extent)


def _axis(scale: Scale, **options: Any) -> alt.Axis:
    """An axis of numbers, with a darker line at zero where the scale has numbers on both sides of it."""
    zero = {"condition": {"test": "datum.value === 0", "value": "#666"}, "value": "#e8e8e8"}
    crossed: dict[str, Any] = {"gridColor": zero} if scale.kind != "log" and scale.least < 0 < scale.largest else {}
    return alt.Axis(labelExpr=metric_marks.NUMBER, **crossed, **options)


def scale_of_numbers(scale: Scale, **options: Any) -> alt.Scale:
    """A scale as altair has it; ``options`` are altair's."""
    bent: dict[str, Any] = {"constant": scale.threshold} if scale.kind == "symlog" else {}
    return alt.Scale(type=scale.kind, domain=[scale.least, scale.largest], nice=False, **bent, **options)


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
    """A text with line breaks, so that it is at most so wide."""
    return "\n".join(text_sizes.broken(text, size, most))


LINES_OF_LABEL = "split(datum.label, '\\n')"
"""What an axis or a head shows of a `wrapped` text."""


def panel_width(width: float, extent: float, title: Sequence[str], facets: Facets | None = None) -> float:
    """How wide each panel is.

    Parameters
    ----------
    width : float
        The figure's.
    extent : float
        The room for the labels of the vertical axis.
    title : list of str
        The lines of that axis' title.
    facets : Facets, optional
    """
    across = facets.across if facets else 1
    right = LINE + 11 if facets and facets.rows else 4
    return (room_below(width, extent, title) - right - GAP * (across - 1)) // across


def room_below(width: float, extent: float, title: Sequence[str]) -> float:
    """The room from the left end of the first panel to the right end of the figure, which a legend has."""
    return width - 2 * EDGE - extent - (len(title) * LINE + 4 if title else 0)


STROKES: dict[str, Any] = {"symbolType": "stroke", "symbolStrokeWidth": 1.4, "symbolSize": 200}
"""What a legend of lines without marks has."""


def legend_below(labels: Sequence[str], room: float, **options: Any) -> alt.Legend:
    """A legend below the panels in as many columns as have room; ``options`` are altair's."""
    widths = [_SYMBOL + text_sizes.width(label, SIZE) for label in labels]
    for count in range(len(widths), 1, -1):
        columns = [max(widths[number::count]) for number in range(count)]
        if sum(columns) + _BETWEEN * (count - 1) <= room:
            break
    else:
        count = 1
    return alt.Legend(orient="bottom", columns=count, title=None, labelLimit=room - _SYMBOL, **options)


def series_encodings(styles: Styles, series: Sequence[str], legend: alt.Legend | None) -> dict[str, Any]:
    """The encodings of the column ``series`` by colour, shape and dash, in the order of the series."""

    def scale(values: list[Any]) -> alt.Scale:
        return alt.Scale(domain=list(series), range=values)

    return {
        "color": alt.Color("series:N", scale=scale([styles[name].colour for name in series]), legend=legend),
        "shape": alt.Shape("series:N", scale=scale([styles[name].shape for name in series]), legend=legend),
        "strokeDash": alt.StrokeDash("series:N", scale=scale([styles[name].dash for name in series]), legend=None),
    }


def cut_sign(height: float, upright: bool = True) -> alt.Chart:
    """The sign that an axis does not begin at zero: two short strokes across its beginning."""
    x, y = (0.0, height - 5) if upright else (5.0, height)
    text = alt.Chart(alt.InlineData(values=[{}])).mark_text(text="//", fontSize=SMALL, angle=90 if upright else 0)
    sign: alt.Chart = text.encode(x=alt.value(x), y=alt.value(y))
    return sign


def faceted(panel: View, points: str, facets: Facets, titles: tuple[str, Sequence[str]]) -> View:
    """A panel for each part of the data, with one title for each axis.

    Parameters
    ----------
    panel : altair chart
        Of one panel, without titles of its axes.
    points : str
        The name of its data.
    facets : Facets
    titles : tuple
        Of the horizontal axis, and the lines of the vertical one's.
    """
    look: dict[str, Any] = {"labelExpr": LINES_OF_LABEL, "labelOrient": "top", "titleOrient": "bottom"}
    across = alt.Header(title=titles[0], **look)
    data = alt.NamedData(points)
    if facets.rows:
        column = alt.Column("column:N", sort=list(facets.columns), header=across)
        beside = look | {"labelOrient": "right", "titleOrient": "left"}
        across.titlePadding = -7  # Vega-Lite leaves 10 pixels more than elsewhere
        row = alt.Row("row:N", sort=list(facets.rows), header=alt.Header(title=list(titles[1]), **beside))
        return panel.facet(column=column, row=row, data=data)
    one = alt.Facet("column:N", sort=list(facets.columns), header=across)
    side: dict[str, Any] = {"title": alt.Title(list(titles[1]), orient="left", anchor="middle")} if titles[1] else {}
    return panel.facet(one, columns=facets.across, data=data, **side)


def vega_lite(chart: alt.TopLevelMixin, **frames: pl.DataFrame) -> VegaLite:
    """A chart as Vega-Lite with its data, in the look of figures on paper."""
    return chart_look.vega_lite(chart, **frames) | {"config": LOOK}

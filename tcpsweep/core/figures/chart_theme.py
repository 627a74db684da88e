# SPDX-License-Identifier: MIT
"""The look of all charts as themes of altair, and the slots of charts, which each figure fills with its own values."""

from __future__ import annotations

import functools
from typing import Any

import altair as alt

from tcpsweep.core.figures.chart_look import FONT

_TEXT = {
    "labelFontSize": 10,
    "titleFontSize": 10,
    "titleFontWeight": "normal",
    "labelColor": "#222",
    "titleColor": "#222",
}
_AXIS = _TEXT | {"domain": False, "gridColor": "#e8e8e8", "tickColor": "#888", "titlePadding": 6}
_LEGEND = _TEXT | {"labelLimit": 0, "symbolSize": 50, "symbolOpacity": 1, "symbolStrokeWidth": 1.4, "title": None}
_HEADER = _TEXT | {"labelPadding": 4, "labelLimit": 0}
_ALL = {"font": FONT, "aria": False, "tick": {"opacity": 1}}
# On a page, colours are names of its style sheet, so that charts follow its scheme.
_ON_PAGE = {"labelFontSize": 12, "titleFontSize": 12, "labelColor": "var(--ink)", "titleColor": "var(--ink)"}
_LABELS = 46  # pixels for the labels of all vertical axes of a cell's page, so that the plots begin at the same place


# Vega adds the width of the panels' strokes, and rounds up.
_SPACING = {"spacing": 7}
LOOKS: dict[str, dict[str, Any]] = {
    "paper": {
        "background": "white",
        "padding": 3,
        "axis": _AXIS | {"minExtent": 0, "labelFontSize": 9, "tickSize": 3, "labelPadding": 2, "titlePadding": 4},
        "legend": _LEGEND
        | {"symbolStrokeWidth": 0, "symbolSize": 40, "columnPadding": 12, "rowPadding": 1, "offset": 6},
        "header": _HEADER | {"titlePadding": 3, "labelPadding": 3},
        "title": {"fontSize": 10, "fontWeight": "normal", "color": "#222", "offset": 3},
        "view": {"stroke": "#bbb"},
        "facet": _SPACING,
        "concat": _SPACING,
    },
    "page": {
        "background": "transparent",
        "padding": 4,
        "axis": _AXIS | _ON_PAGE | {"gridColor": "var(--grid)", "tickColor": "var(--soft)"},
        "legend": _LEGEND | _ON_PAGE,
        "header": _HEADER | _ON_PAGE,
        "title": {"color": "var(--ink)", "anchor": "start", "fontSize": 12, "fontWeight": "normal"},
        "view": {"stroke": "var(--line)"},
        "facet": {"spacing": 14},
        "text": {"color": "var(--ink)"},
        "rule": {"color": "var(--soft)"},
    },
    # Charts over time, which are below each other.
    "cell page": {
        "background": None,
        "padding": {"left": 0, "top": 6, "right": 2, "bottom": 0},
        "axis": {"labelFontSize": 11, "labelColor": "var(--soft)", "labelFont": "inherit", "domain": False}
        | {"gridColor": "var(--line)", "tickColor": "var(--line)"},
        "axisY": {"minExtent": _LABELS, "maxExtent": _LABELS, "tickCount": 4},
        "axisX": {"labelSeparation": 12, "labelFlush": True},
        "view": {"stroke": "var(--line)"},
    },
}


def look(name: str) -> alt.theme.ThemeConfig:
    """One of `LOOKS` as a theme of altair."""
    return {"config": _ALL | LOOKS[name]}  # type: ignore[typeddict-item]


for _name in LOOKS:
    alt.theme.register(_name, enable=_name == "paper")(functools.partial(look, _name))


def slot(name: str) -> Any:
    """A place in a chart for a figure's own value, such as a scale; `charts.filled` fills it."""
    return alt.ExprRef(f"slot {name}")


# On paper, a thin edge separates a mark from the marks that it covers.
MARK: dict[str, Any] = {"filled": True, "opacity": 1, "stroke": slot("edge"), "strokeWidth": slot("edge width")}


def across(field: str, **options: Any) -> alt.X:
    """The horizontal place by a column of numbers, with slots for the axis' title, scale and ticks."""
    return alt.X(f"{field}:Q", **{"title": slot("x title"), "scale": slot("x scale"), "axis": slot("x axis")} | options)


def up(field: str, **options: Any) -> alt.Y:
    """The vertical place by a column of numbers, with slots for the axis' title, scale and ticks."""
    return alt.Y(f"{field}:Q", **{"title": slot("y title"), "scale": slot("y scale"), "axis": slot("y axis")} | options)


# The look of the column ``series``.
COLOUR = alt.Color("series:N", scale=slot("colours"), legend=slot("legend"))
SHAPE = alt.Shape("series:N", scale=slot("shapes"), legend=slot("legend"))
DASH = alt.StrokeDash("series:N", scale=slot("dashes"), legend=slot("dash legend"))


def rows(name: str) -> alt.Chart:
    """A layer with rows of its own; without any, the layer is left out."""
    return alt.Chart(alt.NamedData(name))


def layered(*layers: Any, **options: Any) -> alt.LayerChart:
    """Layers that have the rows ``points``, but for those with `rows` of their own; its size has slots."""
    size = {"width": slot("width"), "height": slot("height")}
    return alt.LayerChart(layer=layers, data=alt.NamedData("points"), **size, **options)

# SPDX-License-Identifier: MIT
"""The look that all charts share: font, sizes, legends; and the parts that Vega-Lite charts are made of.

Charts are written as Vega-Lite, because altair's objects take longer than drawing does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import polars as pl

VegaLite: TypeAlias = dict[str, Any]
"""A chart's specification as JSON."""
_KINDS = {"Q": "quantitative", "N": "nominal"}

SHAPES = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right", "triangle-left"]
SOLID, DASHES = [1, 0], [[5, 2], [2, 2], [6, 2, 2, 2]]
SSTHRESH_DASH = [4, 3]
# The backgrounds of congestion states.
SHADES = {"disorder": "#e4e4e4", "CWR": "#bfe3f5", "recovery": "#f6dc9b", "loss": "#f2b8a0"}
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
_TEXT = {
    "labelFontSize": 10,
    "titleFontSize": 10,
    "titleFontWeight": "normal",
    "labelColor": "#222",
    "titleColor": "#222",
}
LOOK: VegaLite = {
    "font": FONT,
    "background": "white",
    "padding": 4,
    "aria": False,
    "axis": _TEXT | {"domain": False, "gridColor": "#e8e8e8", "tickColor": "#888", "titlePadding": 6},
    "legend": _TEXT | {"labelLimit": 0, "symbolSize": 50, "symbolOpacity": 1, "symbolStrokeWidth": 1.4, "title": None},
    "header": _TEXT | {"labelPadding": 4, "labelLimit": 0},
    "view": {"stroke": "#bbb"},
    "facet": {"spacing": 14},
    "tick": {"opacity": 1},
}


def column(name: str, **options: Any) -> VegaLite:
    """An encoding by a column of the data, with its kind: ``mean:Q``, a number, or ``series:N``, a name."""
    field, _, kind = name.partition(":")
    return {"field": field, "type": _KINDS[kind]} | options


def marks(kind: str, encoding: Mapping[str, Any], data: VegaLite | None = None, **options: Any) -> VegaLite:
    """A layer of marks of one kind, such as "line"; without data, it has the data of the chart around it."""
    of_data = {} if data is None else {"data": data}
    return of_data | {"mark": {"type": kind} | options, "encoding": dict(encoding)}


def with_data(chart: VegaLite, **frames: pl.DataFrame) -> VegaLite:
    """A chart with the shared look, and with the data that it refers to by these names."""
    return chart | {"config": LOOK, "datasets": {name: _rows(frame) for name, frame in frames.items()}}


def _rows(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """A frame as Vega-Lite's data, its numbers as short as a figure needs them."""
    return [
        {name: float(f"{value:.7g}") if isinstance(value, float) else value for name, value in row.items()}
        for row in frame.iter_rows(named=True)
    ]


def legend_below(labels: list[str], width: float) -> VegaLite:
    """A legend below a figure of a width in pixels, in as many columns as fit."""
    longest = max(len(label) for label in labels)
    return {"orient": "bottom", "columns": max(1, int((width + 50) // (longest * 5 + 28))), "offset": 6}

# SPDX-License-Identifier: MIT
"""The marks of the plane of link use and queueing delay, the same on the report's page and in its picture."""

from __future__ import annotations

from tcpsweep.core.figures.chart_look import VegaLite, column, marks

# Where the good corner is, above the plane so that it covers no mark. Fonts of figures lack the arrow up and left.
BETTER: VegaLite = {
    "text": "← better, ↑ better",
    "anchor": "start",
    "frame": "group",
    "fontSize": 11,
    "fontWeight": "normal",
}


def layers(x: VegaLite, y: VegaLite, series: VegaLite, frontier: str) -> list[VegaLite]:
    """Every network's means, small, the mean over networks, large, and the frontier of the large ones in its colour.

    Their data: rows with ``kind`` ("network", "mean" or "frontier"), ``x``, ``y``, ``series``, and ``order`` along the
    frontier. ``series`` has the encodings ``color``, ``shape``, and perhaps ``tooltip``.
    """
    place = {"x": x, "y": y}
    line: VegaLite = {"interpolate": "step-after", "strokeDash": [4, 3], "strokeWidth": 1.4, "stroke": frontier}
    return [
        of_kind("frontier") | marks("line", place | {"order": column("order:Q")}, **line),
        of_kind("network") | marks("point", place | series, filled=True, size=26, opacity=0.45),
        of_kind("mean") | marks("point", place | series, filled=True, size=150, opacity=1),
    ]


def of_kind(kind: str) -> VegaLite:
    """A filter that leaves a layer the rows of one kind."""
    return {"transform": [{"filter": f"datum.kind == '{kind}'"}]}

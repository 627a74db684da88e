# SPDX-License-Identifier: MIT
"""The plane on the report's overview: all networks at once, the share of the link against the queueing delay."""

from __future__ import annotations

from tcpsweep.figures.chart_look import VegaLite
from tcpsweep.figures.explorer_template import field, tooltip, view


def chart() -> VegaLite:
    """The plane, as a template; delay grows to the left, so that better is up and to the right.

    The script's data: rows with ``kind`` ("network", "mean" or "frontier"), ``x``, ``y``, ``series``, ``label``, the
    tooltip's columns. The script also sets titles and scales.
    """
    base = {
        "x": field("x:Q", title=None, scale={"reverse": True}),
        "y": field("y:Q", title=None, scale={}),
    }
    series = field("series:N", legend=None)
    marks = base | {"color": series, "shape": series, "tooltip": tooltip()}
    frontier = {"interpolate": "step-after", "strokeDash": [4, 3], "strokeWidth": 1.4, "stroke": "var(--soft)"}
    name = {"fontSize": 11, "fontWeight": "bold", "color": "var(--ink)"}
    return {
        "layer": [
            view("line", base | {"order": field("order:Q")}, "frontier", **frontier),
            view("point", marks, "network", filled=True, size=26, opacity=0.45),
            view("point", marks, "mean", filled=True, size=150, opacity=1),
            view("text", base | {"text": field("label:N")}, "mean", **name),
        ]
    }

# SPDX-License-Identifier: MIT
"""The throughput-delay plane of the report's explorer: each run as a point, each series with its ellipse."""

from __future__ import annotations

from tcpsweep.figures import explorer_template
from tcpsweep.figures.chart_look import VegaLite
from tcpsweep.figures.explorer_template import field, view


def chart() -> VegaLite:
    """The plane, as a template; delay grows to the left, so that better is up and to the right.

    The script's data: rows with ``kind`` ("run", "mean" or "ellipse"), ``delay``, ``rate``, ``series``, ``network``,
    the tooltip's columns, and for the points of an ellipse their ``order``.
    """
    series = explorer_template.series()
    base = {
        "x": field("delay:Q", title=None, scale={"reverse": True, "zero": False}),
        "y": field("rate:Q", title=None, scale={"zero": False}),
        "color": series["color"],
    }
    of_ellipse = {"order": field("order:Q"), "strokeDash": series["strokeDash"], "detail": field("network:N")}
    points = base | {"shape": series["shape"], "tooltip": explorer_template.tooltip()}
    return {
        "layer": [
            view("line", base | of_ellipse, "ellipse", strokeWidth=1.4, fill=None),
            view("point", points, "run", filled=True, size=16, opacity=0.6),
            view("point", points, "mean", filled=True, size=90, opacity=1),
        ]
    }

# SPDX-License-Identifier: MIT
"""The small multiples of the report's networks: in each, a metric's mean of every variant with its interval."""

from __future__ import annotations

from tcpsweep.figures import explorer_template
from tcpsweep.figures.chart_look import VegaLite
from tcpsweep.figures.explorer_template import end, field, view


def chart() -> VegaLite:
    """One network's panel, as a template; the script makes the facets, and sets titles, scales and the series' order.

    The script's data: a row per series and network with ``network``, ``series``, ``mean``, ``low``, ``high``, and the
    tooltip's columns.
    """
    series = explorer_template.series()
    y = field("series:N", title=None, sort=None, axis={"grid": True, "labels": False, "ticks": False})
    base = {"y": y, "color": series["color"], "tooltip": explorer_template.tooltip()}
    ends = {"x": field("low:Q", title=None), "x2": end("high")}
    interval = view("rule", base | ends, strokeWidth=2)
    place = {"x": field("mean:Q", title=None), "shape": series["shape"]}
    mean = view("point", base | place, filled=True, size=60, opacity=1)
    return {"layer": [interval, mean]}

# SPDX-License-Identifier: MIT
"""The lines of the report's runs over time: one quantity, a panel a variant."""

from __future__ import annotations

from tcpsweep.figures.chart_look import VegaLite
from tcpsweep.figures.explorer_template import field, view


def chart() -> VegaLite:
    """One panel's lines, as a template; the script makes a panel a variant, and a row of them a quantity.

    The script's data: a row per point with ``time``, ``value``, ``series``, ``flow`` and ``faint``, whether the flow is
    not its variant's first.
    """
    encoding = {
        "x": field("time:Q", title=None, axis={"tickCount": 4}, scale={"nice": False}),
        "y": field("value:Q", title=None, axis={"tickCount": 4}),
        "color": field("series:N", legend=None),
        "detail": field("flow:N"),
        "opacity": {"condition": {"test": "datum.faint", "value": 0.45}, "value": 1},
    }
    return view("line", encoding, strokeWidth=1, clip=True, interpolate="linear")

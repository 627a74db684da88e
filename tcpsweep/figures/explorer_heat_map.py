# SPDX-License-Identifier: MIT
"""The heat map of the report's explorer: a metric's means by variant and network."""

from __future__ import annotations

from tcpsweep.figures.chart_look import VegaLite
from tcpsweep.figures.explorer_template import field, tooltip, view


def chart() -> VegaLite:
    """The heat map, as a template.

    The script's data: a row per field with ``variant``, ``network``, ``mean``, ``label`` (the value, with a sign where
    a difference is shown) in the colour ``ink``, and the tooltip's columns. The script also sets the colours' scale.
    """
    base = {
        "x": field("network:N", sort=None, title=None, axis={"labelLimit": 260}),
        "y": field("variant:N", sort=None, title=None, axis={"labelLimit": 260}),
        "tooltip": tooltip(),
    }
    legend = {"gradientLength": 200, "orient": "top"}
    boxes = view("rect", base | {"color": field("mean:Q", scale={"scheme": "viridis"}, legend=legend)})
    of_words = {"text": field("label:N"), "color": field("ink:N", scale=None)}
    words = view("text", base | of_words, fontSize=12)
    return {"layer": [boxes, words], "resolve": {"scale": {"color": "independent"}}}

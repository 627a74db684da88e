# SPDX-License-Identifier: MIT
"""The shares of the report's fairness: what part of a mix's goodput each of its variants gets, in each network."""

from __future__ import annotations

from tcpsweep.figures import explorer_template
from tcpsweep.figures.chart_look import VegaLite
from tcpsweep.figures.explorer_template import field, view


def chart() -> VegaLite:
    """The bars, as a template.

    The script's data: a row per variant of a mix and network with ``network``, ``series``, ``part`` (of 1), ``middle``
    of its bar, ``label`` in the colour ``ink``, and the tooltip's columns.
    """
    y = field("network:N", title=None, sort=None, axis={"labelLimit": 260})
    axis, scale = {"format": "%", "tickCount": 5}, {"domain": [0, 1]}
    of_bars = {
        "x": field("part:Q", stack="zero", title="share of the goodput", axis=axis, scale=scale),
        "y": y,
        "color": explorer_template.series()["color"],
        "order": field("order:Q"),
        "tooltip": explorer_template.tooltip(),
    }
    of_words = {"x": field("middle:Q"), "y": y, "text": field("label:N"), "color": field("ink:N", scale=None)}
    return {
        "layer": [
            view("bar", of_bars),
            view("text", of_words, fontSize=11, fontWeight="bold"),
            view("rule", {"x": field("fair:Q")}, strokeDash=[4, 3], strokeWidth=1.5),
        ]
    }

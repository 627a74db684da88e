# SPDX-License-Identifier: MIT
"""The shares of the report's fairness: what part of a mix's goodput each of its variants gets, in each network."""

from __future__ import annotations

import altair as alt

from tcpsweep.figures import explorer_template
from tcpsweep.figures.chart_look import VegaLite


def chart() -> VegaLite:
    """The bars, as a template.

    The script's data: a row per variant of a mix and network with ``network``, ``series``, ``part`` (of 1), ``middle``
    of its bar, ``label`` in the colour ``ink``, and the tooltip's columns.
    """
    base = alt.Chart().encode(y=alt.Y("network:N", title=None, sort=None, axis=alt.Axis(labelLimit=260)))
    axis = alt.Axis(format="%", tickCount=5)
    x = alt.X("part:Q", stack="zero", title="share of the goodput", axis=axis, scale=alt.Scale(domain=[0, 1]))
    bars = base.mark_bar().encode(
        x=x, color=explorer_template.series()["color"], order="order:Q", tooltip=explorer_template.tooltip()
    )
    words = base.mark_text(fontSize=11, fontWeight="bold").encode(
        x=alt.X("middle:Q"), text="label:N", color=alt.Color("ink:N", scale=None)
    )
    fair = alt.Chart().mark_rule(strokeDash=[4, 3], strokeWidth=1.5).encode(x=alt.X("fair:Q"))
    return explorer_template.template(alt.layer(bars, words, fair))

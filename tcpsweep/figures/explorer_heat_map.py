# SPDX-License-Identifier: MIT
"""The heat map of the report's explorer: a metric's means by variant and network."""

from __future__ import annotations

import altair as alt

from tcpsweep.figures import explorer_template
from tcpsweep.figures.chart_look import VegaLite


def chart() -> VegaLite:
    """The heat map, as a template.

    The script's data: a row per field with ``variant``, ``network``, ``mean``, ``label`` (the value, with a sign where
    a difference is shown) in the colour ``ink``, and the tooltip's columns. The script also sets the colours' scale.
    """
    base = alt.Chart().encode(
        x=alt.X("network:N", sort=None, title=None, axis=alt.Axis(labelLimit=260)),
        y=alt.Y("variant:N", sort=None, title=None, axis=alt.Axis(labelLimit=260)),
        tooltip=explorer_template.tooltip(),
    )
    colour = alt.Color("mean:Q", scale=alt.Scale(scheme="viridis"), legend=alt.Legend(orient="top", gradientLength=200))
    boxes = base.mark_rect().encode(color=colour)
    words = base.mark_text(fontSize=12).encode(text="label:N", color=alt.Color("ink:N", scale=None))
    return explorer_template.template(alt.layer(boxes, words).resolve_scale(color="independent"))

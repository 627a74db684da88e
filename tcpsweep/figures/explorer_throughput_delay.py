# SPDX-License-Identifier: MIT
"""The throughput-delay plane of the report's explorer: each run as a point, each series with its ellipse."""

from __future__ import annotations

import altair as alt

from tcpsweep.figures import explorer_template
from tcpsweep.figures.chart_look import VegaLite


def chart() -> VegaLite:
    """The plane, as a template; delay grows to the left, so that better is up and to the right.

    The script's data: rows with ``kind`` ("run", "mean" or "ellipse"), ``delay``, ``rate``, ``series``, ``network``,
    the tooltip's columns, and for the points of an ellipse their ``order``.
    """
    series = explorer_template.series()
    x = alt.X("delay:Q", title=None, scale=alt.Scale(reverse=True, zero=False))
    y = alt.Y("rate:Q", title=None, scale=alt.Scale(zero=False))
    base = alt.Chart().encode(x=x, y=y, color=series["color"])
    tooltip = explorer_template.tooltip()
    ellipse = base.mark_line(strokeWidth=1.4, fill=None).encode(
        order="order:Q", strokeDash=series["strokeDash"], detail="network:N"
    )
    runs = base.mark_point(filled=True, size=16, opacity=0.6).encode(shape=series["shape"], tooltip=tooltip)
    means = base.mark_point(filled=True, size=90, opacity=1).encode(shape=series["shape"], tooltip=tooltip)
    layers = [
        part.transform_filter(f"datum.kind == '{kind}'")
        for kind, part in (("ellipse", ellipse), ("run", runs), ("mean", means))
    ]
    return explorer_template.template(alt.layer(*layers))

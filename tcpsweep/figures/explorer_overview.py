# SPDX-License-Identifier: MIT
"""The plane on the report's overview: all networks at once, the share of the link against the queueing delay."""

from __future__ import annotations

from typing import Any

import altair as alt

from tcpsweep.figures import explorer_template
from tcpsweep.figures.chart_look import VegaLite


def chart() -> VegaLite:
    """The plane, as a template; delay grows to the left, so that better is up and to the right.

    The script's data: rows with ``kind`` ("network", "mean" or "frontier"), ``x``, ``y``, ``series``, ``label``, the
    tooltip's columns. The script also sets titles and scales.
    """
    base = alt.Chart().encode(
        x=alt.X("x:Q", title=None, scale=alt.Scale(reverse=True, nice=True)),
        y=alt.Y("y:Q", title=None, scale=alt.Scale(zero=False, nice=True)),
    )
    named = base.encode(color=alt.Color("series:N", legend=None), tooltip=explorer_template.tooltip())
    marks = named.encode(shape=alt.Shape("series:N", legend=None))
    frontier = base.mark_line(interpolate="step-after", strokeDash=[4, 3], strokeWidth=1.4, stroke="var(--soft)")
    name: dict[str, Any] = {"fontSize": 11, "fontWeight": "bold"}
    layers = [
        _only(frontier, "frontier").encode(order="order:Q"),
        _only(marks.mark_point(filled=True, size=26, opacity=0.45), "network"),
        _only(marks.mark_point(filled=True, size=150, opacity=1), "mean"),
        _only(base.mark_text(**name, color="var(--ink)"), "mean").encode(text="label:N"),
    ]
    return explorer_template.template(alt.layer(*layers))


def _only(chart: alt.Chart, kind: str) -> alt.Chart:
    return chart.transform_filter(f"datum.kind == '{kind}'")

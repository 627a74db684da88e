# SPDX-License-Identifier: MIT
"""The lines of the report's runs over time: one quantity, a panel a variant."""

from __future__ import annotations

import altair as alt

from tcpsweep.figures import explorer_template
from tcpsweep.figures.chart_look import VegaLite


def chart() -> VegaLite:
    """One panel's lines, as a template; the script makes a panel a variant, and a row of them a quantity.

    The script's data: a row per point with ``time``, ``value``, ``series``, ``flow`` and ``faint``, whether the flow is
    not its variant's first.
    """
    lines = alt.Chart().mark_line(strokeWidth=1, clip=True, interpolate="linear")
    encoded = lines.encode(
        x=alt.X("time:Q", title=None, axis=alt.Axis(tickCount=4), scale=alt.Scale(nice=False)),
        y=alt.Y("value:Q", title=None, axis=alt.Axis(tickCount=4)),
        color=alt.Color("series:N", legend=None),
        detail="flow:N",
        opacity=alt.condition("datum.faint", alt.value(0.45), alt.value(1)),
    )
    return explorer_template.template(encoded)

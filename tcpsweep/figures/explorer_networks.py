# SPDX-License-Identifier: MIT
"""The small multiples of the report's networks: in each, a metric's mean of every variant with its interval."""

from __future__ import annotations

import altair as alt

from tcpsweep.figures import explorer_template
from tcpsweep.figures.chart_look import VegaLite


def chart() -> VegaLite:
    """One network's panel, as a template; the script makes the facets, and sets titles, scales and the series' order.

    The script's data: a row per series and network with ``network``, ``series``, ``mean``, ``low``, ``high``, and the
    tooltip's columns.
    """
    y = alt.Y("series:N", title=None, sort=None, axis=alt.Axis(labels=False, ticks=False, grid=True))
    series = explorer_template.series()
    base = alt.Chart().encode(y=y, color=series["color"], tooltip=explorer_template.tooltip())
    interval = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=None), x2="high:Q")
    mean = base.mark_point(filled=True, size=60, opacity=1).encode(x=alt.X("mean:Q", title=None), shape=series["shape"])
    return explorer_template.template(alt.layer(interval, mean))

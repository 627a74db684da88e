# SPDX-License-Identifier: MIT
"""The lines of the report's explorer: a metric's means with their intervals against an axis."""

from __future__ import annotations

import altair as alt

from tcpsweep.figures import explorer_template, mean_layers
from tcpsweep.figures.chart_look import VegaLite
from tcpsweep.sweep.axes import Axis


def chart(axis: Axis) -> VegaLite:
    """The lines against an axis, as a template.

    The script's data: a row per point with ``place`` on the axis, ``mean``, ``low``, ``high``, ``series``, ``dodge``
    in pixels, and the tooltip's columns.
    """
    layers = mean_layers.means(
        axis,
        lambda column: alt.Y(f"{column}:Q", title=None),
        **explorer_template.series(),
        tooltip=explorer_template.tooltip(),
    )
    return explorer_template.template(alt.layer(*layers))

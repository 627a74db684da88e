# SPDX-License-Identifier: MIT
"""The marks of the plane of link use and queueing delay, the same on the report's page and in its picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt


def marks(x: alt.X, y: alt.Y, series: Mapping[str, Any], frontier: str) -> list[alt.Chart]:
    """Every network's means, small, the mean over networks, large, and the frontier of the large ones.

    Their data: rows with ``kind`` ("network", "mean" or "frontier"), ``x``, ``y``, ``series``, and ``order`` along the
    frontier.

    Parameters
    ----------
    x, y : altair.X, altair.Y
    series : dict
        The encodings of a series: ``color``, ``shape``, and perhaps ``tooltip``.
    frontier : str
        The colour of the frontier.
    """

    def of_kind(kind: str) -> alt.Chart:
        chart: alt.Chart = alt.Chart().transform_filter(f"datum.kind == '{kind}'").encode(x=x, y=y)
        return chart

    line = of_kind("frontier").mark_line(interpolate="step-after", strokeDash=[4, 3], strokeWidth=1.4, stroke=frontier)
    return [
        line.encode(order="order:Q"),
        of_kind("network").mark_point(filled=True, size=26, opacity=0.45).encode(**series),
        of_kind("mean").mark_point(filled=True, size=150, opacity=1).encode(**series),
    ]

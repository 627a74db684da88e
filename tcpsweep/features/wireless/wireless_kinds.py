# SPDX-License-Identifier: MIT
"""The kind of chart of a wireless network's map, as a chart of altair."""

from __future__ import annotations

import altair as alt

from tcpsweep.core.figures.chart_theme import COLOUR, SHAPE, across, layered, rows, slot, up


def side_of_map() -> alt.LayerChart:
    """One side of a map: ``points`` by their state, ``lines`` between them, and ``circles`` of a signal's range."""
    place = {"x": across("x"), "y": up("y")}
    circle = rows("circles").mark_line(color="#888", strokeDash=[4, 3], clip=True)
    return layered(
        rows("lines").mark_rule(color="#ccc", clip=True).encode(**place, x2="x2", y2="y2"),
        circle.encode(**place, order="angle:Q"),
        alt.Chart().mark_point(filled=True, size=40, opacity=1).encode(**place, color=COLOUR, shape=SHAPE),
        alt.Chart().mark_text(dx=7, dy=-6, fontSize=8).encode(**place, text="label:N"),
        title=slot("side"),
    )

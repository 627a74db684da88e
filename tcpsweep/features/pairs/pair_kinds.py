# SPDX-License-Identifier: MIT
"""The kinds of charts of variants compared with each other, as charts of altair."""

from __future__ import annotations

import altair as alt

from tcpsweep.core.figures.chart_theme import COLOUR, MARK, SHAPE, across, layered, slot, up


def ranks() -> alt.LayerChart:
    """Each ``variant``'s ``rank`` as a dot, with a bar from ``rank_low`` to ``rank_high``."""
    y = alt.Y("variant:N", sort=slot("names"), title=slot("y title"), axis=slot("y axis"))
    base = alt.Chart().encode(y=y)
    dot = base.mark_point(size=34, color="#0b5cad", **MARK)
    return layered(
        base.mark_rule(color="#666666", strokeWidth=2.2).encode(x=across("rank_low"), x2="rank_high"),
        dot.encode(x=across("rank")),
    )


def frontier() -> alt.LayerChart:
    """``y`` against ``x``, a mark for each of the ``series``, as large as its ``size``."""
    mark = alt.Chart().mark_point(**MARK)
    size = alt.Size("size:Q", scale=slot("size scale"), legend=None)
    base = mark.encode(x=across("x"), y=up("y"), size=size, color=COLOUR, shape=SHAPE)
    return layered(base.encode(opacity=slot("clearness"), tooltip=slot("tooltip")))

# SPDX-License-Identifier: MIT
"""The kinds of charts of turning points, as charts of altair.

The rows ``turns`` have a crossover's band from ``low`` to ``high`` with its ``estimate``, the rows ``points`` each
``value`` that was looked at with the sign of its difference as ``series``. Both have ``at``, their network's place.
"""

from __future__ import annotations

import altair as alt

from tcpsweep.core.figures.chart_theme import COLOUR, MARK, SHAPE, across, layered, rows, slot, up

_BAND, _INK = "#dcdcdc", "#222222"


def turning_map() -> alt.LayerChart:
    """The turning points of networks over an axis; the rows ``areas`` join them, by ``pair``."""
    areas, turns = rows("areas").encode(x=across("at"), detail="pair:N"), rows("turns").encode(x=across("at"))
    point = alt.Chart().mark_point(size=28, **MARK)
    return layered(
        areas.mark_area(color=_BAND, opacity=1).encode(y=up("low"), y2="high"),
        turns.mark_rule(color=_BAND, strokeWidth=6).encode(y=up("low"), y2="high"),
        areas.mark_line(color=_INK, strokeWidth=1.2).encode(y=up("estimate")),
        point.encode(x=across("at"), y=up("value"), color=COLOUR, shape=SHAPE),
        turns.mark_tick(color=_INK, thickness=1.4, size=10, orient="horizontal").encode(y=up("estimate")),
    )


def strips() -> alt.LayerChart:
    """A row for each network, with its values and the bands of its crossovers."""
    at = alt.Y("at:N", sort=slot("names"), title=slot("y title"), axis=slot("y axis"))
    turns = rows("turns").encode(y=at)
    point = alt.Chart().mark_point(size=28, **MARK)
    tick = turns.mark_tick(color=_INK, thickness=1.4, size=12, orient="vertical")
    return layered(
        turns.mark_bar(color=_BAND, height=12).encode(x=across("low"), x2="high"),
        tick.encode(x=across("estimate")),
        point.encode(y=at, x=across("value"), color=COLOUR, shape=SHAPE),
    )

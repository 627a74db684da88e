# SPDX-License-Identifier: MIT
"""The chart of everything over time: of one cell or several, on paper, in the report, and on a cell's page.

A panel shows traces as lines: rows with ``t`` in s, ``v``, ``line``, ``part``, and the line's ``colour`` and ``dash``.
Other rows are about a part of the time, from ``t`` to ``until``, or about a moment. They have a ``colour``, too.
"""

from __future__ import annotations

from typing import Any

import altair as alt

from tcpsweep.core.figures.chart_theme import across, layered, rows, slot, up

_COLOUR = {"stroke": alt.Stroke("colour:N", scale=None), "opacity": slot("opacity")}
_FILL = alt.Color("colour:N", scale=None)


def panel() -> alt.LayerChart:
    """Lines with congestion states behind them, bars of starving flows, marks of retransmissions, ticks of drops."""
    x, y, clip = across("t"), up("v"), slot("clip")
    line = alt.Chart(transform=slot("line transform")).mark_line(
        clip=clip, strokeWidth=1.1, interpolate=slot("interpolate")
    )
    states = rows("states").mark_rect(clip=clip).encode(x=x, x2="until", color=_FILL, tooltip=slot("state tooltip"))
    bar = rows("starved").mark_rule(clip=True, strokeWidth=5, strokeCap="butt")
    place = alt.value(alt.ExprRef("height - 4 - 6 * datum.place"))
    mark = rows("again").mark_point(clip=True, size=36, strokeWidth=1.4, shape="cross")
    tick = rows("events").mark_tick(clip=True, height=10, thickness=1.2, orient="vertical")
    cut = rows("cut").mark_text(text="//", fontSize=9, angle=90)
    layers = [
        states,
        bar.encode(
            x=x, x2="until", y=place, **_COLOUR, tooltip=_words(name="starved flow", t="from [s]", until="to [s]")
        ),
        line.encode(
            x=x,
            y=y,
            detail=["line:N", "part:N"],
            order=alt.value(0),
            strokeDash=alt.StrokeDash("dash:N", scale=None),
            strokeWidth=slot("widths"),
            **_COLOUR,
        ),
        mark.encode(x=x, y=y, **_COLOUR, tooltip=_words(name="flow", t="time [s]", packets="packets sent again")),
        tick.encode(x=x, y=alt.value(5), color=_FILL, tooltip=_words(what="what", t="time [s]", packets="packets")),
        cut.encode(x=alt.value(0.0), y=alt.value(slot("foot"))),
        *_legends(),
    ]
    own_scales = alt.ScaleResolveMap(color="independent", strokeDash="independent")
    return layered(*layers, resolve=alt.Resolve(scale=own_scales))


def _words(**titles: str) -> list[alt.Tooltip]:
    """The columns of a tooltip with their titles; ``name`` and ``what`` are texts."""
    return [
        alt.Tooltip(f"{name}:{'N' if name in ('name', 'what') else 'Q'}", title=title) for name, title in titles.items()
    ]


def _legends() -> list[alt.Chart]:
    """Layers without rows that have the legends of lines, of parts with a dash of their own, and of states."""

    def layer(name: str) -> alt.Chart:
        return alt.Chart(alt.InlineData(values=[]), name=slot(f"legend of {name}"))

    def channel(field: str, name: str) -> dict[str, Any]:
        return {"shorthand": f"{field}:N", "scale": slot(f"{name} scale"), "legend": slot(f"{name} legend")}

    colours = alt.Color(**channel("series", "lines"))
    dashes = {
        name: alt.StrokeDash(**channel(field, name)) for field, name in (("series", "line dashes"), ("part", "parts"))
    }
    return [
        layer("lines").mark_line().encode(color=colours, strokeDash=dashes["line dashes"]),
        layer("parts").mark_line(color="#222").encode(strokeDash=dashes["parts"]),
        layer("states").mark_rect().encode(color=alt.Color(**channel("state", "states"))),
    ]

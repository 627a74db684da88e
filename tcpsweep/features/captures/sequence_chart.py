# SPDX-License-Identifier: MIT
"""The time–sequence diagram as a chart of altair, without its data; `sequence_data.layer_rows` has its rows."""

from __future__ import annotations

from typing import Any

import altair as alt

from tcpsweep.core.figures import charts
from tcpsweep.core.figures.cell_timeline_chart import TIME
from tcpsweep.core.figures.chart_theme import across, layered, rows, up

HEIGHT = 380
# The custom properties of the page that hold the colours.
COLOURS = {"new": "--ink", "retransmitted": "--event-0", "late": "--event-2"}
ACK_COLOUR, EDGE_COLOUR, SACK_COLOUR, IDLE_COLOUR = "--event-3", "--event-1", "--event-2", "--state-1"
_SHOWN = "datum.t >= begin && datum.t <= until"  # bytes outside the visible time take no room on their axis
_MOMENT = alt.Tooltip("t:Q", title="time [s]", format=".7~g")
_ENDS = {"low": "from", "high": "to"}


def with_diagram(timeline: dict[str, Any]) -> dict[str, Any]:
    """The panels of `cell_timeline_chart.timeline` and the diagram's."""
    y = {"y scale": {"zero": False, "nice": False}, "y axis": {"tickCount": 6}}
    panel = {"kind": "sequence", "slots": {**TIME, **y, "width": "container", "height": HEIGHT}}
    kinds = timeline["kinds"] | {"sequence": charts.built(diagram)}
    return timeline | {"kinds": kinds, "panels": timeline["panels"] | {"sequence": panel}}


def diagram() -> alt.LayerChart:
    """Segments as bars of bytes, the lines of acknowledgements and window ends, SACK blocks, signals, idle times."""
    bar = {"x": across("t"), "y": up("low"), "y2": "high"}
    colours = alt.Scale(domain=list(COLOURS), range=[_css(name) for name in COLOURS.values()])
    about_idle = [alt.Tooltip("t:Q", title="idle from [s]"), alt.Tooltip("until:Q")]
    about_signal = [alt.Tooltip("what:N", title="event"), _MOMENT]
    about_segment = [alt.Tooltip("what:N", title="segment"), _MOMENT]
    about_segment += [alt.Tooltip(f"{end}:Q", title=f"{word} [kB]", format=",.6~g") for end, word in _ENDS.items()]
    idle = rows("idle").mark_rect(clip=True, fill=_css(IDLE_COLOUR))
    sacks = _shown("sacks").mark_rule(clip=True, stroke=_css(SACK_COLOUR), strokeWidth=2)
    segments = _shown("segments").mark_rule(clip=True, strokeWidth=2)
    signals = _shown("signals").mark_text(fill="var(--ink)", fontSize=11, fontWeight="bold")
    return layered(
        idle.encode(x=across("t"), x2="until", tooltip=about_idle),
        _line("edges", EDGE_COLOUR),
        _line("acks", ACK_COLOUR),
        sacks.encode(**bar),
        segments.encode(**bar, stroke=alt.Stroke("what:N", scale=colours, legend=None), tooltip=about_segment),
        signals.encode(x=across("t"), y=alt.value(8), text="sign:N", tooltip=about_signal),
    )


def _line(name: str, colour: str) -> Any:
    options: dict[str, Any] = {"interpolate": "step-after", "strokeWidth": 1.3, "clip": True, "stroke": _css(colour)}
    return _shown(name).encode(x=across("t"), y=up("v"), detail="line:N").mark_line(**options)


def _shown(name: str) -> alt.Chart:
    return rows(name).transform_filter(_SHOWN)


def _css(name: str) -> str:
    return f"var({name})"

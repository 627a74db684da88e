# SPDX-License-Identifier: MIT
"""The static chart of a figure over time that a sweep file asks for."""

from __future__ import annotations

from typing import Any

import altair as alt
import polars as pl

from tcpsweep.figures import chart_look
from tcpsweep.figures.chart_look import VegaLite, View
from tcpsweep.figures.requested_data import Panels

TITLES = {
    "window": "window [segments]",
    "cwnd": "cwnd [segments]",
    "rtt": "RTT [ms]",
    "acked": "acknowledged [segments]",
    "goodput": "goodput [Mbit/s]",
    "throughput": "throughput [Mbit/s]",
    "in_flight": "in flight [segments]",
    "queue": "queue [packets]",
    "queueing_delay": "queueing delay [ms]",
}
HEIGHTS, HEIGHT = {"window": 150, "cwnd": 130, "acked": 150}, 110  # of panels in pixels, and of any other panel
_NOT_FROM_ZERO = ("rtt", "acked")  # panels whose axis need not begin at 0
_DASHES = {"cwnd_bytes": chart_look.SOLID, "ssthresh_bytes": chart_look.SSTHRESH_DASH}
_LEGEND: dict[str, Any] = {"orient": "bottom", "offset": 6}


def chart(panels: Panels, states: pl.DataFrame | None, labels: list[str], from_s: float, to_s: float) -> VegaLite:
    """Panels over one time, from top to bottom, with one legend of the lines.

    Parameters
    ----------
    panels : dict of str to DataFrame
    states : DataFrame or None
        Both as `requested_data.panels` gives them.
    labels : list of str
        The lines in their order.
    from_s, to_s : float
        The time that is shown.
    """
    time = alt.X("time_s:Q", title=None, scale=alt.Scale(domain=[from_s, to_s], nice=False))
    views = []
    for panel, frame in panels.items():
        x = time.title("time [s]") if panel == list(panels)[-1] else time
        scale = alt.Scale(zero=panel not in _NOT_FROM_ZERO, nice=True)
        y = alt.Y("value:Q", title=_title(panel, frame), scale=scale, axis=alt.Axis(minExtent=36))
        # A delay is a packet's own; all else holds until the next value.
        style: dict[str, Any] = {} if panel == "queueing_delay" else {"interpolate": "step-after"}
        lines = alt.Chart(alt.NamedData(panel)).mark_line(strokeWidth=1.1, **style)
        view: View
        if panel == "window" and states is not None:
            line = lines.encode(x=x, y=y, color=_colour(labels), strokeDash=_window_dashes())
            view = alt.layer(_shades(x), line)
        else:
            view = lines.encode(x=x, y=y, color=_colour(labels), **_line_dashes(labels))
        views.append(view.properties(width=chart_look.PAGE_WIDTH, height=HEIGHTS.get(panel, HEIGHT)))
    frames = panels | ({} if states is None else {"states": states})
    return chart_look.vega_lite(alt.vconcat(*views, spacing=8), **frames)


def _title(panel: str, frame: pl.DataFrame) -> str:
    """The title of a panel's axis, which says what is in it."""
    parts = set(frame["part"])
    if panel == "window" and parts == {"cwnd_bytes"}:
        return TITLES["cwnd"]
    return f"smoothed {TITLES[panel]}" if parts == {"srtt_s"} else TITLES[panel]


def _colour(labels: list[str]) -> alt.Color:
    scale = alt.Scale(domain=labels, range=chart_look.colours(len(labels)))
    return alt.Color("line:N", scale=scale, legend=_legend(labels))


def _line_dashes(labels: list[str]) -> dict[str, alt.StrokeDash]:
    """Dashes for the lines that have a colour again; no encoding if each has a colour of its own."""
    if len(labels) <= len(chart_look.PALETTE):
        return {}
    dashes = [dash for dash in [chart_look.SOLID, *chart_look.DASHES] for _ in chart_look.PALETTE]
    scale = alt.Scale(domain=labels, range=dashes[: len(labels)])
    return {"strokeDash": alt.StrokeDash("line:N", scale=scale, legend=_legend(labels))}


def _legend(labels: list[str]) -> alt.Legend | None:
    return chart_look.legend_below(labels, chart_look.PAGE_WIDTH, symbolSize=300) if len(labels) > 1 else None


def _window_dashes() -> alt.StrokeDash:
    """A flow's cwnd is a solid line, its ssthresh a dashed one."""
    legend = alt.Legend(symbolStrokeColor="#222", symbolSize=300, labelExpr="split(datum.label, '_')[0]", **_LEGEND)
    return alt.StrokeDash("part:N", scale=alt.Scale(domain=list(_DASHES), range=list(_DASHES.values())), legend=legend)


def _shades(x: alt.X) -> alt.Chart:
    """The congestion states of the one flow, behind its windows."""
    scale = alt.Scale(domain=list(chart_look.SHADES), range=list(chart_look.SHADES.values()))
    legend = alt.Legend(symbolType="square", symbolSize=300, symbolStrokeWidth=0, **_LEGEND)
    fill = alt.Fill("state:N", scale=scale, legend=legend)
    shades: alt.Chart = alt.Chart(alt.NamedData("states")).mark_rect().encode(x=x, x2="until_s:Q", fill=fill)
    return shades

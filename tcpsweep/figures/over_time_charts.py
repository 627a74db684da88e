# SPDX-License-Identifier: MIT
"""Vega-Lite charts of the figures over time that a sweep file asks for."""

import altair as alt

from tcpsweep.figures import charts

WIDTH = 2 * charts.COLUMN_WIDTH - 70
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
HEIGHTS, HEIGHT = {"window": 150, "cwnd": 130, "acked": 150}, 110
_FROM_ANYWHERE = ("rtt", "acked")  # axes that need not begin at 0
_PARTS = {"cwnd": charts.SOLID, "ssthresh": [4, 3]}
_LEGEND = {"orient": "bottom", "offset": 6}


def chart(panels, states, labels, from_s, to_s):
    """Panels over one time, from top to bottom, with one legend of the lines.

    Parameters
    ----------
    panels : dict of str to DataFrame
        As `traces_over_time.data` gives them.
    states : DataFrame or None
        Likewise.
    labels : list of str
        The lines in their order.
    from_s, to_s : float

    Returns
    -------
    dict
        Vega-Lite.
    """
    time = alt.X("time_s:Q", title=None, scale=alt.Scale(domain=[from_s, to_s], nice=False))
    views = []
    for panel, frame in panels.items():
        x = time.title("time [s]") if panel == list(panels)[-1] else time
        scale = alt.Scale(zero=panel not in _FROM_ANYWHERE, nice=True)
        y = alt.Y("value:Q", title=title(panel, frame), scale=scale, axis=alt.Axis(minExtent=36))
        # A delay is a packet's own; all else holds until the next value.
        style = {} if panel == "queueing_delay" else {"interpolate": "step-after"}
        lines = alt.Chart(alt.NamedData(panel)).mark_line(strokeWidth=1.1, **style)
        if panel == "window" and states is not None:
            line = lines.encode(x=x, y=y, color=_colour(labels), strokeDash=_part_dashes())
            view = alt.layer(_shades(x), line)
        else:
            view = lines.encode(x=x, y=y, color=_colour(labels), **_line_dashes(labels))
        views.append(view.properties(width=WIDTH, height=HEIGHTS.get(panel, HEIGHT)))
    frames = panels | ({} if states is None else {"states": states})
    return charts.finished(alt.vconcat(*views, spacing=8), **frames)


def title(panel, frame):
    """The title of a panel's axis, which says what is in it."""
    parts = set(frame["part"])
    if panel == "window" and parts == {"cwnd_bytes"}:
        return TITLES["cwnd"]
    return f"smoothed {TITLES[panel]}" if parts == {"srtt_s"} else TITLES[panel]


def _scale(labels, styles):
    """A scale that gives each line its own of some styles, which come round."""
    return alt.Scale(domain=labels, range=styles[: len(labels)])


def _colour(labels):
    colours = charts.PALETTE * (len(labels) // len(charts.PALETTE) + 1)
    return alt.Color("line:N", scale=_scale(labels, colours), legend=_legend(labels))


def _line_dashes(labels):
    """Dashes for the lines that have a colour again; no encoding where all have their own."""
    dashes = [dash for dash in [charts.SOLID, *charts.DASHES] for _ in charts.PALETTE]
    if len(labels) <= len(charts.PALETTE):
        return {}
    return {"strokeDash": alt.StrokeDash("line:N", scale=_scale(labels, dashes), legend=_legend(labels))}


def _legend(labels):
    return charts.legend_below(labels, WIDTH, symbolSize=300) if len(labels) > 1 else None


def _part_dashes():
    """A flow's cwnd is a solid line, its ssthresh a dashed one."""
    names = [f"{name}_bytes" for name in _PARTS]
    legend = alt.Legend(symbolStrokeColor="#222", symbolSize=300, labelExpr="split(datum.label, '_')[0]", **_LEGEND)
    return alt.StrokeDash("part:N", scale=alt.Scale(domain=names, range=list(_PARTS.values())), legend=legend)


def _shades(x):
    """The congestion states of the one flow, behind its windows."""
    scale = alt.Scale(domain=list(charts.SHADES), range=list(charts.SHADES.values()))
    legend = alt.Legend(symbolType="square", symbolSize=300, symbolStrokeWidth=0, **_LEGEND)
    return (
        alt.Chart(alt.NamedData("states"))
        .mark_rect()
        .encode(x=x, x2="until_s:Q", fill=alt.Fill("state:N", scale=scale, legend=legend))
    )

# SPDX-License-Identifier: MIT
"""The static chart of one cell: its windows and round-trip times over time, one above the other."""

from __future__ import annotations

from typing import Any

import altair as alt
import polars as pl

from tcpsweep.figures import chart_look, example_cell_data
from tcpsweep.figures.chart_look import VegaLite, View


def chart(traces: pl.DataFrame, labels: list[str], end_s: float, rtt_title: str) -> VegaLite:
    """A cell's windows and round-trip times.

    Parameters
    ----------
    traces : DataFrame
        As `example_cell_data.traces` gives them.
    labels : list of str
        The flows in their order.
    end_s : float
        The end of the simulation.
    rtt_title : str
        The title of the axis of round-trip times.
    """
    width = chart_look.PAGE_WIDTH
    colours = alt.Scale(domain=labels, range=chart_look.colours(len(labels)))
    flows = alt.Color("flow:N", scale=colours, legend=chart_look.legend_below(labels, width, symbolSize=300))
    time = alt.X("time_s:Q", title="time [s]", scale=alt.Scale(domain=[0, end_s], nice=False))
    kinds = set(traces["metric"].to_list())
    windows = [name for name in ("ssthresh", "cwnd") if name in kinds]
    parts: list[View] = []

    def steps(metric: str, **encoding: Any) -> alt.Chart:
        # A value holds until the next; a slope would show values that never were.
        marks = alt.Chart(alt.NamedData(metric)).mark_line(strokeWidth=1, clip=True, interpolate="step-after")
        line: alt.Chart = marks.encode(color=flows, **encoding)
        return line

    if windows:
        dash = alt.StrokeDash(
            "metric:N",
            scale=alt.Scale(domain=["cwnd", "ssthresh"], range=[chart_look.SOLID, chart_look.SSTHRESH_DASH]),
            legend=alt.Legend(orient="bottom", symbolStrokeColor="#222", symbolSize=300),
        )
        top = example_cell_data.window_top(traces)
        scale = alt.Undefined if top is None else alt.Scale(domain=[0, top], nice=False)
        x, y = time.title(None) if "rtt" in kinds else time, alt.Y("value:Q", title="window [segments]", scale=scale)
        lines = [steps(name, x=x, y=y, strokeDash=dash) for name in windows]
        parts.append(alt.layer(*lines).properties(width=width, height=170))
    if "rtt" in kinds:
        y = alt.Y("value:Q", title=rtt_title, scale=alt.Scale(zero=False))
        parts.append(steps("rtt", x=time, y=y).properties(width=width, height=120))
    frames = {kind: traces.filter(traces["metric"] == kind) for kind in ("cwnd", "ssthresh", "rtt") if kind in kinds}
    return chart_look.vega_lite(alt.vconcat(*parts, spacing=8), **frames)

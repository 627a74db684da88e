# SPDX-License-Identifier: MIT
"""The static chart of one cell: its windows and round-trip times over time, one above the other."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from tcpsweep.figures import chart_look, example_cell_data, time_panels
from tcpsweep.figures.chart_look import VegaLite
from tcpsweep.figures.series_styles import Style
from tcpsweep.figures.time_panels import Traces

DASHES = {"cwnd": chart_look.SOLID, "ssthresh": chart_look.SSTHRESH_DASH}


def chart(traces: pl.DataFrame, styles: Mapping[str, Style], end_s: float, rtt_title: str, width: float) -> VegaLite:
    """A cell's windows and round-trip times up to ``end_s``, from `example_cell_data.traces`, in a width in pixels.

    ``styles`` are the flows' styles, in their order; ``rtt_title`` is the title of the axis of round-trip times.
    """
    lines = traces.select("time_s", "value", line="flow", part="metric")
    windows, rtt = lines.filter(pl.col("part") != "rtt"), lines.filter(pl.col("part") == "rtt")
    panels = []
    if windows.height:
        # An infinite ssthresh, which a flow without losses has, must not press cwnd to the ground.
        top = example_cell_data.window_top(traces)
        panels.append(Traces("window [segments]", windows, 120, zero=True, steps=True, top=top))
    if rtt.height:
        panels.append(Traces(rtt_title, rtt, 95, zero=False, steps=True))
    return time_panels.chart(width, panels, styles, DASHES, 0, end_s)

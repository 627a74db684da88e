# SPDX-License-Identifier: MIT
"""The static chart of a figure over time that a sweep file asks for."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from tcpsweep.figures import chart_look, requested_data, time_panels
from tcpsweep.figures.chart_look import VegaLite
from tcpsweep.figures.requested_data import Panels
from tcpsweep.figures.series_styles import Style
from tcpsweep.figures.time_panels import Traces

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
HEIGHTS, HEIGHT = {"window": 115, "cwnd": 100, "acked": 115}, 90  # of panels in pixels, and of any other panel
_NOT_FROM_ZERO = ("rtt", "acked")  # panels whose axis need not begin at 0
_DASHES = {"cwnd_bytes": chart_look.SOLID, "ssthresh_bytes": chart_look.SSTHRESH_DASH}


def chart(
    panels: Panels, states: pl.DataFrame | None, styles: Mapping[str, Style], from_s: float, to_s: float, width: float
) -> VegaLite:
    """Panels over one time, from top to bottom, with one legend of the lines, in a width in pixels.

    ``panels`` and ``states`` are from `requested_data.panels`; ``styles`` are the lines' styles, in their order.
    """
    drawn = [
        Traces(
            _title(panel, frame),
            frame,
            HEIGHTS.get(panel, HEIGHT),
            zero=panel not in _NOT_FROM_ZERO,
            # A delay is a packet's own; all else holds until the next value.
            steps=panel != "queueing_delay",
            states=states if panel == "window" else None,
            top=requested_data.window_top(frame),
        )
        for panel, frame in panels.items()
    ]
    return time_panels.chart(width, drawn, styles, _DASHES if states is not None else {}, from_s, to_s)


def table(panels: Panels) -> pl.DataFrame:
    """The drawn values as a table to write: ``panel`` with its unit, ``line``, ``part``, ``time_s`` and ``value``."""
    frames = [frame.select(pl.lit(_title(panel, frame)).alias("panel"), pl.all()) for panel, frame in panels.items()]
    return pl.concat([frame.select("panel", "line", "part", "time_s", "value") for frame in frames])


def _title(panel: str, frame: pl.DataFrame) -> str:
    """The title of a panel's axis, which names the panel's contents."""
    parts = set(frame["part"])
    if panel == "window" and parts == {"cwnd_bytes"}:
        return TITLES["cwnd"]
    if "srtt_s" in parts:
        return f"smoothed {TITLES[panel]}" if len(parts) == 1 else "RTT, Linux' smoothed [ms]"
    return TITLES[panel]

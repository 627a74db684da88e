# SPDX-License-Identifier: MIT
"""The static chart of a figure over time that a sweep file asks for, and its caption."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from tcpsweep.core.figures import chart_look, requested_data, time_panels
from tcpsweep.core.figures.charts import VegaLite
from tcpsweep.core.figures.requested_data import Panels, Picture
from tcpsweep.core.figures.series_styles import Style
from tcpsweep.core.figures.time_panels import Traces
from tcpsweep.core.sweep import axes, requests
from tcpsweep.core.sweep.sweep_record import PlannedSweep, value_text

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

_ALWAYS_NAMED = ("variant", "bandwidth", "delay", "queue")


def chart(
    panels: Panels, states: pl.DataFrame | None, styles: Mapping[str, Style], from_s: float, to_s: float, width: float
) -> VegaLite:
    """Panels over one time, from top to bottom, with one legend of the lines, in a width in pixels.

    ``panels`` and ``states`` are from `requested_data.panels`; ``styles`` are the lines' styles, in their order.
    """
    trace_panels = [
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
    return time_panels.chart(width, trace_panels, styles, _DASHES if states is not None else {}, from_s, to_s)


def pictures_table(panels: Panels) -> pl.DataFrame:
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


def caption(sweep: PlannedSweep, picture: Picture, panels: Panels, shaded: bool) -> str:
    """Name a picture's cells, the values that they share, and the meaning of its lines.

    ``panels`` are the panels with values; ``shaded`` says whether it shows congestion states.
    """
    cells = picture.cells
    rows = [sweep.combinations[combination] for _, combination, _ in cells]
    differing = {*requests.differences(rows), *picture.each}
    varying = {name for name, values in sweep.axes.items() if len(values) > 1} | {"variant"}
    common_values = {name: value_text(rows[0], name) for name in rows[0] if name in varying - differing}
    common = axes.axes_in_words(common_values, axes.names_for_print(sweep))
    where = f" at {common}" if common else ""
    if len(cells) == 1:
        where = f" of {cell_words(sweep, cells[0][1])}"
    runs = sorted({run for _, _, run in cells})
    words = [f"Run{'s' * (len(runs) > 1)} {', '.join(map(str, runs))}{where}."]
    sizes = list(dict.fromkeys(value_text(row, "segment_size") for row in rows))
    if set(panels) & set(requested_data.IN_SEGMENTS) and len(sizes) == 1:
        words.append(f"Segments are of {sizes[0]} B.")
    kinds = {
        "goodput": "goodput counts the payload that the application read",
        "throughput": "throughput counts the IP bytes that arrived",
    }
    counted = ", ".join(text for name, text in kinds.items() if name in panels)
    if counted:
        words.append(f"In each {picture.interval_s:.4g} s, {counted}.")
    if "queue" in panels:
        words.append("The queue has a value whenever a packet leaves it or is dropped.")
    lacking = [TITLES[name].partition(" [")[0] for name in picture.show if name not in panels]
    if lacking:
        words.append(f"There are no values of {' and '.join(lacking)} in this time.")
    if picture.missing:
        one = picture.missing == 1
        words.append(
            f"{picture.missing} simulation{'' if one else 's'} without a result {'is' if one else 'are'} missing."
        )
    words.append(f"The lines show the lowest and the highest value in each {requested_data.SPANS}th of the time.")
    if "window" in panels and requested_data.is_cut(panels["window"]):
        words.append("An ssthresh beyond the axis, such as an infinite one, is drawn along its upper edge.")
    if shaded:
        words.append("Shading shows the worst congestion state in it, unless that is open.")
    return " ".join(words)


def cell_words(sweep: PlannedSweep, combination: int) -> str:
    """A combination's variant, bandwidth, delay and queue, and its place on the sweep's other axes."""
    row = sweep.combinations[combination]
    names = dict.fromkeys([*_ALWAYS_NAMED, *axes.swept_axes(sweep)])
    return axes.axes_in_words(
        {name: value_text(row, name) for name in names if name in row}, axes.names_for_print(sweep)
    )

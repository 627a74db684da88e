# SPDX-License-Identifier: MIT
"""The static chart of a metric over another metric, such as throughput over delay: a mark for each variant.

Each mark stands at both means and has both intervals. Where less is better across and more is better upwards, the
horizontal axis grows to the left, as in the report's planes, so that better is up and to the right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polars as pl

from tcpsweep.figures import metric_chart, panel_layout, plot_scales, svg_parts
from tcpsweep.figures.metric_data import Panels
from tcpsweep.figures.panel_layout import Entry, Frame, Panel, Plan, Side
from tcpsweep.figures.plot_scales import Scale
from tcpsweep.figures.series_styles import Styles
from tcpsweep.words import metrics
from tcpsweep.words.metrics import Metric

_RADIUS = 4.2
_FROM_ZERO = 0.3  # an axis begins at 0 where the least value is at most so much of the largest


def chart(panels: Panels, styles: Styles, width: float, choice: metric_chart.Choice = "auto") -> str:
    """A metric over another one, with a panel for each value of the axes of panels, as SVG.

    Parameters
    ----------
    panels : Panels
        With ``over``.
    styles : dict
    width : float
        The figure's, in pixels.
    choice : str
        The scale of the vertical axis.
    """
    present = set(panels.points["series"].to_list())
    series = [name for name in styles if name in present]
    places, columns = metric_chart.grid(panels, width)
    height = 170.0 if len(places) == 1 else min(140.0, max(90.0, 0.8 * width / columns))
    heads = metric_chart.heads_of(panels, places, columns)
    turned = grows_left(panels)
    titles = (
        f"← {panels.axis.head}" if turned else panels.axis.head,
        metric_chart.head(metrics.METRICS[panels.metric]),
    )
    plan = Plan(width, [height], *heads[:2], titles, [Entry(name, styles[name]) for name in series])

    across, up = scales(panels, choice)
    up = metric_chart.with_margin(up, 6 / height)
    y = metric_chart.side_of("", up, zero=True)
    plain = [Panel(c, r, Side("", []), y, lambda frame: iter(()), heads[2].get((c, r), "")) for c, r in places]
    room = panel_layout.panel_width(plan, plain)
    across = metric_chart.with_margin(across, 6 / room)
    ticks = [(_part(across, tick, turned), plot_scales.label(tick)) for tick in across.ticks]
    x = Side("", ticks[::-1] if turned else ticks, metric_chart.is_cut(across) and not turned)

    def made(own: pl.DataFrame) -> Callable[[Frame], Iterator[str]]:
        def draw(frame: Frame) -> Iterator[str]:
            for row in own.iter_rows(named=True):
                style = styles[row["series"]]
                at = frame.across(_part(across, row["place"], turned)), frame.up(up.place(row["mean"]))
                yield from metric_chart.bar(
                    row, lambda value: frame.up(up.place(value)), at[0], style.colour, upright=True
                )
                ends = {"low": row["place_low"], "high": row["place_high"]}
                yield from metric_chart.bar(
                    ends, lambda value: frame.across(_part(across, value, turned)), at[1], style.colour, upright=False
                )
                yield svg_parts.mark(*at, style, _RADIUS)

        return draw

    found = [Panel(c, r, x, y, made(own), heads[2].get((c, r), "")) for (c, r), own in places.items()]
    return panel_layout.drawn(plan, found)


def grows_left(panels: Panels) -> bool:
    """Whether the horizontal axis grows to the left: less is better there, and more is better upwards."""
    return metrics.METRICS[panels.over].better == "lower" and metrics.METRICS[panels.metric].better == "higher"


def scales(panels: Panels, choice: metric_chart.Choice) -> tuple[Scale, Scale]:
    """The horizontal scale and the vertical one, which hold all means and the whole of their intervals."""
    over = panels.points.select(mean="place", low="place_low", high="place_high")
    across = _scale(metrics.METRICS[panels.over], over, "auto")
    return across, _scale(metrics.METRICS[panels.metric], panels.points, choice)


def _scale(metric: Metric, points: pl.DataFrame, choice: metric_chart.Choice) -> Scale:
    ends = [end for name in ("mean", "low", "high") for end in points[name].to_list() if end is not None]
    if choice == "log" or (choice == "auto" and metric_chart.is_wide(metric, points["mean"])):
        return plot_scales.logarithmic(ends)
    least, largest = min(ends), max(ends)
    return plot_scales.around(least, largest, zero=least <= _FROM_ZERO * largest)


def _part(scale: Scale, value: float, turned: bool) -> float:
    """The place of a value from left to right, 0 to 1."""
    return 1 - scale.place(value) if turned else scale.place(value)

# SPDX-License-Identifier: MIT
"""The static chart of the distribution of slowdowns: the share of flows with as much or more, on logarithmic axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from tcpsweep.figures import panel_layout, plot_scales, svg_parts
from tcpsweep.figures.panel_layout import Entry, Frame, Panel, Plan, Side
from tcpsweep.figures.plot_scales import Scale
from tcpsweep.figures.series_styles import Styles

Curve = tuple[Sequence[float], Sequence[float]]
HEIGHT = 160.0
_MOST_TICKS = 6


def chart(curves: Mapping[str, Curve], styles: Styles, width: float) -> str:
    """The curves of some series as SVG.

    Parameters
    ----------
    curves : dict
        Each series' slowdowns and the share of flows that have as much or more, as `slowdown_distributions.curve` gives
        them.
    styles : dict
        Each series' style.
    width : float
        The figure's, in pixels.
    """
    drawn = {name: curves[name] for name in styles if name in curves and curves[name][0]}
    x = plot_scales.logarithmic([value for values, _ in drawn.values() for value in values], _MOST_TICKS)
    y = plot_scales.logarithmic([share for _, shares in drawn.values() for share in shares], _MOST_TICKS)

    def draw(frame: Frame) -> Iterator[str]:
        for name, (values, shares) in drawn.items():
            points = [
                (frame.across(x.place(value)), frame.up(y.place(share)))
                for value, share in zip(values, shares, strict=True)
            ]
            yield svg_parts.path(points, styles[name].colour, 1.4, styles[name].dash)

    legend = [Entry(name, styles[name], mark=False, line=True) for name in drawn]
    plan = Plan(width, [HEIGHT], [], [], ("slowdown", "share of flows with as much or more"), legend)
    return panel_layout.drawn(plan, [Panel(0, 0, _side(x), _side(y), draw)])


def table(curves: Mapping[str, Curve]) -> pl.DataFrame:
    """The curves as a table to write: ``flow_variant``, ``slowdown``, ``share``."""
    rows = [
        (name, value, share)
        for name, (values, shares) in curves.items()
        for value, share in zip(values, shares, strict=True)
    ]
    schema = {"flow_variant": pl.String, "slowdown": pl.Float64, "share": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _side(scale: Scale) -> Side:
    return Side("", [(scale.place(tick), plot_scales.label(tick)) for tick in scale.ticks])

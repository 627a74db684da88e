# SPDX-License-Identifier: MIT
"""Panels of traces over one time, one below the other, as the figures of cells have them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import polars as pl

from tcpsweep.figures import chart_look, flow_colours, panel_layout, plot_scales, svg_parts
from tcpsweep.figures.panel_layout import Entry, Frame, Panel, Plan, Side
from tcpsweep.figures.plot_scales import Scale
from tcpsweep.figures.series_styles import Style

SHADES = 3  # of a variant's colour, if it has several lines, before dashes tell them apart
LEAST_TICK, SECONDS_TICK = 20, 45  # pixels from one tick to the next, upwards and in time


@dataclass(frozen=True)
class Traces:
    """A panel of traces.

    Attributes
    ----------
    title : str
        Its vertical axis', with the unit.
    lines : DataFrame
        ``line``, ``part``, ``time_s`` and ``value``, each line in the order of time.
    height : float
        In pixels.
    zero : bool
        Whether the axis begins at 0.
    steps : bool
        Whether a value holds until the next.
    states : DataFrame or None
        Congestion states to shade: ``state``, ``time_s``, ``until_s``.
    top : float or None
        Where the axis ends, whatever lies beyond; None for the largest value.
    """

    title: str
    lines: pl.DataFrame
    height: float
    zero: bool
    steps: bool
    states: pl.DataFrame | None = None
    top: float | None = None


def styles(variants: Mapping[str, str | None], bases: Mapping[str, str]) -> dict[str, Style]:
    """A style for each line: its variant's colour, in shades and then dashes where a variant has several lines.

    Parameters
    ----------
    variants : dict
        Each line's variant, by the line's label in order; None for a bottleneck, which is grey.
    bases : dict of str to str
        Each variant's colour in all figures of the sweep.
    """
    dashes = [chart_look.SOLID, *chart_look.DASHES]
    names = [variant or "" for variant in variants.values()]
    found, seen = {}, dict.fromkeys(names, 0)
    for label, name in zip(variants, names, strict=True):
        base, count, number = bases[name] if name else svg_parts.SOFT, names.count(name), seen[name]
        seen[name] += 1
        shades = min(count, max(SHADES, -(-count // len(dashes))))
        colour = flow_colours.of([name] * shades, {name: base})[number % shades].light if count > 1 else base
        found[label] = Style(colour, "circle", dashes[number // shades])
    return found


def drawn(
    width: float,
    panels: Sequence[Traces],
    of_line: Mapping[str, Style],
    dashes: Mapping[str, list[int]],
    from_s: float,
    to_s: float,
) -> str:
    """The panels as SVG.

    Parameters
    ----------
    width : float
        In pixels.
    panels : list of Traces
        From top to bottom.
    of_line : dict of str to Style
        Each line's style, in their order; several have a legend.
    dashes : dict
        Parts that have a dash of their own, such as ssthresh, by name; they are in the legend.
    from_s, to_s : float
        The time that is shown.
    """
    heights = [panel.height for panel in panels]
    legend = [Entry(label, style, mark=False, line=True) for label, style in of_line.items() if len(of_line) > 1]
    there = {part for panel in panels for part in panel.lines["part"].unique()}
    if len(there & set(dashes)) > 1:
        legend += [
            Entry(part.partition("_")[0], Style(svg_parts.INK, "circle", dash), mark=False, line=True)
            for part, dash in dashes.items()
            if part in there
        ]
    if any(panel.states is not None for panel in panels):
        legend += [
            Entry(state, Style(colour, "square", []), mark=False, shade=True)
            for state, colour in chart_look.SHADES.items()
        ]
    plan = Plan(width, heights, titles=("time [s]", ""), legend=legend, each_y=True)
    margin = Scale("linear", from_s, to_s)
    seconds = [
        tick
        for tick in plot_scales.around(from_s, to_s, False, max(3, int(width / SECONDS_TICK))).ticks
        if from_s - 1e-9 <= tick <= to_s + 1e-9
    ]
    x = Side("", [(margin.place(tick), plot_scales.label(tick)) for tick in seconds])
    found = []
    for row, panel in enumerate(panels):
        y = _upwards(panel)
        ticks = [(y.place(tick), plot_scales.label(tick)) for tick in y.ticks]
        side = Side(panel.title, ticks, is_cut=y.least > 0)
        found.append(Panel(0, row, x, side, _drawing(panel, of_line, dashes, margin, y)))
    return panel_layout.drawn(plan, found)


def _upwards(panel: Traces) -> Scale:
    """The scale of a panel's values."""
    values = panel.lines["value"].drop_nulls()
    least, largest = (cast(float, values.min()), cast(float, values.max())) if values.len() else (0.0, 1.0)
    most = max(3, int(panel.height / LEAST_TICK))
    if panel.top is None:
        return plot_scales.around(least, largest, panel.zero, most)
    found = plot_scales.around(min(least, panel.top), panel.top, panel.zero, most)
    return replace(found, largest=panel.top, ticks=[tick for tick in found.ticks if tick <= panel.top])


def _drawing(
    panel: Traces, of_line: Mapping[str, Style], dashes: Mapping[str, list[int]], time: Scale, y: Scale
) -> Callable[[Frame], Iterator[str]]:
    def draw(frame: Frame) -> Iterator[str]:
        if panel.states is not None:
            for state, begin, end in panel.states.select("state", "time_s", "until_s").iter_rows():
                left, right = (frame.across(min(max(time.place(at), 0), 1)) for at in (begin, end))
                if state in chart_look.SHADES and right > left:
                    yield svg_parts.box(left, frame.y, right - left, frame.height, fill=chart_look.SHADES[state])
        for (label, part), rows in panel.lines.group_by("line", "part", maintain_order=True):
            style = of_line[str(label)]
            at = [
                (frame.across(time.place(second)), frame.up(min(y.place(value), 1.0)))
                for second, value in rows.select("time_s", "value").drop_nulls().iter_rows()
            ]
            if panel.steps:
                at = _steps(at)
            own = dashes.get(str(part), chart_look.SOLID)
            yield svg_parts.path(at, style.colour, 1.1, style.dash if own == chart_look.SOLID else own)

    return draw


def _steps(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points with the corners between them: a value holds until the next."""
    corners = [((x, y), (next_x, y)) for (x, y), (next_x, _) in itertools.pairwise(points)]
    return [point for pair in corners for point in pair] + list(points[-1:])

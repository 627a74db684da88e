# SPDX-License-Identifier: MIT
"""Panels of traces over one time, one below the other, for the figures of cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import polars as pl

from tcpsweep.core.figures import chart_look, charts, flow_colours, paper_chart, plot_scales, series_styles
from tcpsweep.core.figures.charts import Table, VegaLite
from tcpsweep.core.figures.paper_chart import GAP
from tcpsweep.core.figures.plot_scales import Scale
from tcpsweep.core.figures.series_styles import Style

BOTTLENECK = "#666666"
SHADES = 3  # a variant's shades, if it has several lines, before dashes distinguish them
SHADES_ON_PAPER = (0.25, 0.72)  # their lightness in OKLab
LEAST_TICK, SECONDS_TICK = 20, 45  # pixels from one tick to the next, upwards and in time


@dataclass(frozen=True)
class Traces:
    """A panel of traces."""

    title: str  # its vertical axis', with the unit
    lines: pl.DataFrame  # ``line``, ``part``, ``time_s`` and ``value``, each line in the order of time
    height: float  # in pixels
    zero: bool  # whether the axis begins at 0
    steps: bool  # whether a value holds until the next
    states: pl.DataFrame | None = None  # congestion states to shade: ``state``, ``time_s``, ``until_s``
    top: float | None = None  # where the axis ends, even if values lie beyond; None for the largest value


def styles(variants: Mapping[str, str | None], bases: Mapping[str, str]) -> dict[str, Style]:
    """A style for each line: its variant's colour, in shades and then dashes where lines would look alike.

    ``variants`` has each line's variant by its label, in order; None for a bottleneck, which is grey. ``bases`` are the
    variants' colours in all figures of the sweep.
    """
    dashes = [chart_look.SOLID, *chart_look.DASHES]
    line_variants = [variant or "" for variant in variants.values()]
    shade_counts = {
        name: min(count, max(SHADES, -(-count // len(dashes)))) for name, count in Counter(line_variants).items()
    }
    variant_shades = [(name, shade) for name, count in shade_counts.items() for shade in range(count)]
    shade_colours = flow_colours.apart(
        [bases[name] if name else BOTTLENECK for name, _ in variant_shades], *SHADES_ON_PAPER
    )
    colours, by_label = dict(zip(variant_shades, shade_colours, strict=True)), {}
    lines_so_far = dict.fromkeys(line_variants, 0)
    for label, name in zip(variants, line_variants, strict=True):
        dash_number, shade = divmod(lines_so_far[name], shade_counts[name])
        lines_so_far[name] += 1
        by_label[label] = Style(colours[name, shade], "circle", dashes[dash_number])
    return series_styles.of_lines(by_label)


def chart(
    width: float,
    panels: Sequence[Traces],
    of_line: Mapping[str, Style],
    dashes: Mapping[str, list[int]],
    from_s: float,
    to_s: float,
) -> VegaLite:
    """The panels from top to bottom as one chart, in a width in pixels.

    ``of_line`` has each line's style, in their order; several have a legend. ``dashes`` are the
    dashes of parts with their own, such as ssthresh, by name; they are in the legend.
    """
    scales = [_scale_of(panel) for panel in panels]
    labels = paper_chart.extent_of_numbers(*scales)
    rooms = [paper_chart.room(width, labels, panel.title, panel.height + GAP - 2) for panel in panels]
    narrowest = min(rooms, key=lambda room: room.panel)
    filled_panels = []
    for number, (panel, scale, room) in enumerate(zip(panels, scales, rooms, strict=True)):
        is_lowest = number == len(panels) - 1
        ticks = max(3, int(narrowest.panel / SECONDS_TICK))
        slots = {
            **paper_chart.size(narrowest.panel, panel.height),
            **paper_chart.upward_axis(scale, room, panel.height),
            "x title": "time [s]" if is_lowest else None,
            "x scale": {"domain": [from_s, to_s], "nice": False},
            "x axis": {"tickCount": ticks, "labels": is_lowest, "ticks": is_lowest},
            "interpolate": "step-after" if panel.steps else "linear",
            **(_legends(panels, of_line, dashes, narrowest.legend) if is_lowest else {}),
        }
        tables: dict[str, Table] = {"points": _styled_lines(panel, of_line, dashes, scale.largest)}
        states = {} if panel.states is None else {"states": _with_shades(panel.states)}
        filled_panels.append((slots, {**tables, **states, **paper_chart.cut_signs(y=scale)}))
    return charts.several("vconcat", charts.kind("over time"), filled_panels)


def _styled_lines(
    panel: Traces, of_line: Mapping[str, Style], dashes: Mapping[str, list[int]], top: float
) -> pl.DataFrame:
    """A panel's lines with their colours and dashes; values above its axis are drawn along its upper edge."""
    styled_parts = [
        (
            label,
            part,
            style.colour,
            part_dash if (part_dash := dashes.get(part, chart_look.SOLID)) != chart_look.SOLID else style.dash,
        )
        for label, style in of_line.items()
        for part in panel.lines["part"].unique()
    ]
    look_of_part = pl.DataFrame(styled_parts, schema=["line", "part", "colour", "dash"], orient="row")
    lines = panel.lines.select("line", "part", "time_s", pl.col("value").clip(upper_bound=top)).drop_nulls()
    styled_lines = lines.join(look_of_part, on=["line", "part"], maintain_order="left")
    return styled_lines.rename({"time_s": "t", "value": "v"})


def _with_shades(states: pl.DataFrame) -> pl.DataFrame:
    """Congestion states with the colours of their shades."""
    shown = states.filter(pl.col("state").is_in(list(chart_look.SHADES)))
    colour = pl.col("state").replace_strict(chart_look.SHADES)
    return shown.select("state", t="time_s", until="until_s", colour=colour)


def _legends(
    panels: Sequence[Traces], of_line: Mapping[str, Style], dashes: Mapping[str, list[int]], width: float
) -> dict[str, Any]:
    """The slots of the legends of lines, of parts with a dash of their own, and of shades, as far as they occur."""

    def legend(name: str, values: Mapping[str, Any], **options: Any) -> dict[str, Any]:
        scale = {"domain": list(values), "range": list(values.values())}
        below = paper_chart.legend_below(list(values), width, **options)
        return {f"legend of {name}": name, f"{name} scale": scale, f"{name} legend": below}

    slots: dict[str, Any] = {}
    if len(of_line) > 1:
        slots |= legend("lines", {name: style.colour for name, style in of_line.items()}, **paper_chart.STROKES)
        slots |= legend("line dashes", {name: style.dash for name, style in of_line.items()}, **paper_chart.STROKES)
    dashed = {part for panel in panels for part in panel.lines["part"].unique()} & set(dashes)
    if len(dashed) > 1:
        parts = {part.partition("_")[0]: dash for part, dash in dashes.items() if part in dashed}
        slots |= legend("parts", parts, **paper_chart.STROKES)
    if any(panel.states is not None for panel in panels):
        slots |= legend("states", chart_look.SHADES, symbolType="square", symbolSize=80)
    return slots


def _scale_of(panel: Traces) -> Scale:
    """The scale of a panel's values."""
    values = panel.lines["value"].drop_nulls()
    least, largest = (cast(float, values.min()), cast(float, values.max())) if values.len() else (0.0, 1.0)
    most = max(3, int(panel.height / LEAST_TICK))
    if panel.top is None:
        return plot_scales.around(least, largest, panel.zero, most)
    scale = plot_scales.around(min(least, panel.top), panel.top, panel.zero, most)
    return replace(scale, largest=panel.top, ticks=[tick for tick in scale.ticks if tick <= panel.top])

# SPDX-License-Identifier: MIT
"""Panels of traces over one time, one below the other, for the figures of cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import polars as pl

from tcpsweep.core.figures import chart_look, flow_colours, paper_chart, plot_scales, series_styles
from tcpsweep.core.figures.chart_look import VegaLite, column, marks
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
    labels_width = paper_chart.extent_of_numbers(*scales)
    titles = [paper_chart.title_lines(panel.title, panel.height + GAP - 2) for panel in panels]
    longest = max(titles, key=len)
    room = paper_chart.panel_width(width, labels_width, longest)
    legends = _legends(panels, of_line, dashes, paper_chart.room_below(width, labels_width, longest))
    panel_charts, data_by_name = [], {}
    for number, (panel, scale, title) in enumerate(zip(panels, scales, titles, strict=True)):
        is_lowest = number == len(panels) - 1
        axis = {"tickCount": max(3, int(room / SECONDS_TICK)), "labels": is_lowest, "ticks": is_lowest}
        seconds = {"domain": [from_s, to_s], "nice": False}
        x = column("time_s:Q", title="time [s]" if is_lowest else None, axis=axis, scale=seconds)
        y = column(
            "value:Q",
            title=title,
            axis=paper_chart.upward_axis(scale, labels_width, panel.height),
            scale=paper_chart.scale_of_numbers(scale),
        )
        name = f"lines_{number}"
        data_by_name[name] = _styled_lines(panel, of_line, dashes, scale.largest)
        layers = [_line_layer(panel, name, x, y)]
        if panel.states is not None:
            data_by_name["states"] = _with_shades(panel.states)
            shades = {"x": x, "x2": {"field": "until_s"}, "color": column("colour:N", scale=None)}
            layers.insert(0, marks("rect", shades, {"name": "states"}))
        layers += [paper_chart.cut_sign(panel.height)] if scale.least > 0 else []
        layers += legends if is_lowest else []
        own_scales = {"scale": {"color": "independent", "strokeDash": "independent"}}
        panel_charts.append({"layer": layers, "width": room, "height": panel.height, "resolve": own_scales})
    return paper_chart.with_data({"vconcat": panel_charts}, **data_by_name)


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
    return lines.join(look_of_part, on=["line", "part"], maintain_order="left")


def _line_layer(panel: Traces, name: str, x: VegaLite, y: VegaLite) -> VegaLite:
    """A panel's lines, which have their data by this name."""
    encoding = {
        "x": x,
        "y": y,
        "detail": [column("line:N"), column("part:N")],
        "order": {"value": 0},
        "stroke": column("colour:N", scale=None),
        "strokeDash": column("dash:N", scale=None),
    }
    return marks(
        "line", encoding, {"name": name}, strokeWidth=1.1, interpolate="step-after" if panel.steps else "linear"
    )


def _with_shades(states: pl.DataFrame) -> pl.DataFrame:
    """Congestion states with the colours of their shades."""
    shown = states.filter(pl.col("state").is_in(list(chart_look.SHADES)))
    return shown.with_columns(colour=pl.col("state").replace_strict(chart_look.SHADES))


def _legends(
    panels: Sequence[Traces], of_line: Mapping[str, Style], dashes: Mapping[str, list[int]], room: float
) -> list[VegaLite]:
    """Layers without data that have the legends of lines, of parts with a dash of their own, and of shades."""
    nothing: VegaLite = {"values": []}
    layers = []
    if len(of_line) > 1:
        legend = paper_chart.legend_below(list(of_line), room, **paper_chart.STROKES)
        encodings = paper_chart.series_encodings(dict(of_line), list(of_line), legend)
        dash = encodings["strokeDash"] | {"legend": legend}
        layers.append(marks("line", {"color": encodings["color"], "strokeDash": dash}, nothing))
    dashed = {part for panel in panels for part in panel.lines["part"].unique()} & set(dashes)
    if len(dashed) > 1:
        parts = {part.partition("_")[0]: dash for part, dash in dashes.items() if part in dashed}
        legend = paper_chart.legend_below(list(parts), room, **paper_chart.STROKES)
        scale = {"domain": list(parts), "range": list(parts.values())}
        dash = column("part:N", scale=scale, legend=legend)
        layers.append(marks("line", {"strokeDash": dash}, nothing, color="#222"))
    if any(panel.states is not None for panel in panels):
        legend = paper_chart.legend_below(list(chart_look.SHADES), room, symbolType="square", symbolSize=80)
        scale = {"domain": list(chart_look.SHADES), "range": list(chart_look.SHADES.values())}
        layers.append(marks("rect", {"color": column("state:N", scale=scale, legend=legend)}, nothing))
    return layers


def _scale_of(panel: Traces) -> Scale:
    """The scale of a panel's values."""
    values = panel.lines["value"].drop_nulls()
    least, largest = (cast(float, values.min()), cast(float, values.max())) if values.len() else (0.0, 1.0)
    most = max(3, int(panel.height / LEAST_TICK))
    if panel.top is None:
        return plot_scales.around(least, largest, panel.zero, most)
    scale = plot_scales.around(min(least, panel.top), panel.top, panel.zero, most)
    return replace(scale, largest=panel.top, ticks=[tick for tick in scale.ticks if tick <= panel.top])

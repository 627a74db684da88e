# SPDX-License-Identifier: MIT
"""The slots of charts of a given width on paper: axes, legend, and panels of one size in exact rows and columns.

Every axis has a fixed extent, so the width of a panel is known before the chart is drawn. Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tcpsweep.core.figures import charts, plot_scales, text_sizes
from tcpsweep.core.figures.charts import Slots, Table, VegaLite
from tcpsweep.core.figures.plot_scales import Scale
from tcpsweep.core.figures.series_styles import Style
from tcpsweep.core.sweep.axes import Axis

SIZE, SMALL = 10.0, 9.0  # of titles and legends, and of ticks' labels: 7.5 and 6.75 pt
EDGE, GAP, TICK = 3.0, 9.0, 3.0  # around the figure, between panels, a tick's length
LINE = SIZE * text_sizes.LINE
MOST_TICKS = 6  # of an axis of numbers: up to this number of values, each has a tick
_SYMBOL, _BETWEEN = 15.0, 12.0  # a legend's symbol with its room, and the space between its columns
NUMBER = "format(datum.value, datum.value && abs(datum.value) < 1e-4 ? '.3~e' : '.6~g')"
"""An axis' format for numbers: very small ones are powers of ten."""
_LINES_OF_LABEL = "split(datum.label, '\\n')"
"""The lines of a `wrapped` text, for an axis or a head."""
STROKES: dict[str, Any] = {"symbolType": "stroke", "symbolStrokeWidth": 1.4, "symbolSize": 200}
"""The options of a legend of lines without marks."""


@dataclass(frozen=True)
class Facets:
    """The heads of a chart's panels by ``column`` and ``row`` of its data; without rows, the columns wrap."""

    columns: Sequence[str] = ()
    rows: Sequence[str] = ()
    across: int = 1  # the number of panels in a row


@dataclass(frozen=True)
class Room:
    """The lengths of a chart of a width, from `room`."""

    labels: float  # left of the vertical axis, with its ticks
    title: list[str]  # the lines of the vertical axis' title
    panel: float  # the width of each panel
    legend: float  # from the left end of the first panel to the right end of the figure


def room(
    width: float, labels: float, title: str, height: float, facets: Facets | None = None, beside: float = 0.0
) -> Room:
    """The lengths of a chart whose panels have this height; ``beside`` is the room that it leaves at their right."""
    title_lines = text_sizes.broken(title, SIZE, _title_room(facets, height)) if title else []
    legend = width - 2 * EDGE - labels - (len(title_lines) * LINE + 4 if title else 0)
    across = facets.across if facets else 1
    right = LINE + 11 if facets and facets.rows else 4
    return Room(labels, title_lines, (legend - beside - right - GAP * (across - 1)) // across, legend)


def _title_room(facets: Facets | None, height: float) -> float:
    """The length limit of the vertical axis' title: the height of all panels together."""
    if facets is None:
        return height
    down = len(facets.rows) or -(-len(facets.columns) // facets.across)
    return down * (height + GAP)


def level_axis(scale: Scale, title: str, flush: float, **options: Any) -> Slots:
    """The slots of a horizontal axis of numbers; labels within ``flush`` of its ends do not reach beyond them.

    ``options`` are the scale's, as Vega-Lite has them.
    """
    axis = _axis_of_numbers(scale, values=scale.ticks, labelOverlap="parity", labelFlush=flush)
    return {"x title": title, "x scale": scale_of_numbers(scale, **options), "x axis": axis}


def upward_axis(scale: Scale, rooms: Room, height: float, **options: Any) -> Slots:
    """The slots of a vertical axis of numbers, whose labels take exactly their room; ``options`` are the scale's."""
    ticks: list[float] = []
    for tick in scale.ticks:
        if not ticks or (scale.place(tick) - scale.place(ticks[-1])) * height >= SMALL:
            ticks.append(tick)
    extent = {"minExtent": rooms.labels, "maxExtent": rooms.labels}
    axis = _axis_of_numbers(scale, values=ticks, labelOverlap=False, **extent)
    return {"y title": rooms.title, "y scale": scale_of_numbers(scale, **options), "y axis": axis}


def axis_of_names(names: Sequence[str], rooms: Room) -> Slots:
    """The slots of a vertical axis of `wrapped` names, whose labels take exactly their room."""
    extent = {"minExtent": rooms.labels, "maxExtent": rooms.labels}
    axis = {"grid": True, "labelExpr": _LINES_OF_LABEL, "labelLimit": 0} | extent
    return {"y title": rooms.title or None, "names": list(names), "y axis": axis}


def place_on_numbers(axis: Axis, width: float | None = None) -> Slots:
    """The slots of the horizontal place of points on an axis of numbers; ``width`` is its length, if that is known."""
    numbers = sorted(set(axis.values.values()))
    scale: dict[str, Any] = {"nice": False, "padding": 12}
    ticks: dict[str, Any] = {"values": numbers} if len(numbers) <= MOST_TICKS or axis.logarithmic else {}
    if axis.logarithmic and numbers[0] > 0:
        scale |= {"type": "log"}
    elif axis.logarithmic:
        # Zero has its place a step left of the least positive value.
        scale |= {"type": "symlog", "constant": next(number for number in numbers if number > 0)}
    else:
        scale |= {"zero": False}
        ticks = ticks or ({"tickCount": int(width / 34)} if width else {})
    return {"x title": axis.head, "x scale": scale, "x axis": {"labelExpr": NUMBER, "labelOverlap": "parity"} | ticks}


def _axis_of_numbers(scale: Scale, **options: Any) -> VegaLite:
    """An axis of numbers, with a darker line at zero where the scale has numbers on both sides of it."""
    colour = {"condition": {"test": "datum.value === 0", "value": "#666"}, "value": "#e8e8e8"}
    zero_line: dict[str, Any] = {"gridColor": colour} if scale.kind != "log" and scale.least < 0 < scale.largest else {}
    return {"labelExpr": NUMBER} | zero_line | options


def scale_of_numbers(scale: Scale, **options: Any) -> VegaLite:
    """A scale as Vega-Lite has it; ``options`` are Vega-Lite's."""
    near_zero: dict[str, Any] = {"constant": scale.threshold} if scale.kind == "symlog" else {}
    return {"type": scale.kind, "domain": [scale.least, scale.largest], "nice": False} | near_zero | options


def extent_of_numbers(*scales: Scale) -> float:
    """The room that the labels of vertical axes need, with their ticks."""
    return extent_of_texts([plot_scales.label(tick) for scale in scales for tick in scale.ticks])


def extent_of_texts(labels: Sequence[str]) -> float:
    """The room that labels left of an axis need, with their ticks; a label may be of several lines."""
    lines = [line for label in labels for line in label.split("\n")]
    return TICK + 3 + max((text_sizes.width(line, SMALL) for line in lines), default=0)


def wrapped(text: str, size: float, most: float) -> str:
    """A text with line breaks that keep it at most ``most`` pixels wide."""
    return "\n".join(text_sizes.broken(text, size, most))


def legend_below(labels: Sequence[str], width: float, **options: Any) -> VegaLite:
    """A legend below the panels in as many columns as a width has room for; ``options`` are Vega-Lite's."""
    widths = [_SYMBOL + text_sizes.width(label, SIZE) for label in labels]
    for count in range(len(widths), 1, -1):
        columns = [max(widths[number::count]) for number in range(count)]
        if sum(columns) + _BETWEEN * (count - 1) <= width:
            break
    else:
        count = 1
    return {"orient": "bottom", "columns": count, "title": None, "labelLimit": width - _SYMBOL} | options


def of_series(styles: Mapping[str, Style], series: Sequence[str], legend: VegaLite | None) -> Slots:
    """The slots of the column ``series``: its colours, shapes and dashes, in the order of the series."""
    looks = zip(*((styles[name].colour, styles[name].shape, styles[name].dash) for name in series), strict=True)
    scales = {
        name: {"domain": list(series), "range": list(values)}
        for name, values in zip(("colours", "shapes", "dashes"), looks, strict=True)
    }
    return scales | {"legend": legend, "dash legend": None}


def size(width: float, height: float) -> Slots:
    """The slots of a panel's size."""
    return {"width": width, "height": height, "foot": height - 5}


def cut_signs(x: Scale | None = None, y: Scale | None = None) -> dict[str, Table]:
    """The rows of the signs that the horizontal and the vertical axis leave out zero."""
    return {name: [{}] for name, scale in (("cut", y), ("cut across", x)) if scale and plot_scales.is_cut(scale)}


def in_panels(chart: VegaLite, facets: Facets | None, slots: Slots, **tables: Table) -> VegaLite:
    """A chart with a copy for each part of its ``points``, and one title for each axis; itself without facets."""
    if facets is None:
        return charts.filled(chart, slots, **tables)
    titles = {name: slots.get(f"{name} title") for name in "xy"}
    heads: VegaLite = {"labelExpr": _LINES_OF_LABEL, "title": titles["x"], "labelOrient": "top"}
    heads |= {"titleOrient": "bottom"}
    row_heads = heads | {"title": titles["y"] or None, "labelOrient": "right", "titleOrient": "left"}
    left = {"text": titles["y"], "orient": "left", "anchor": "middle"}
    own: dict[str, Any] = {
        "columns": list(facets.columns),
        "rows": list(facets.rows),
        "across": facets.across,
        # Vega-Lite leaves 10 pixels more above the title of a grid than elsewhere.
        "column header": heads | ({"titlePadding": -7} if facets.rows else {}),
        "row header": row_heads,
    }
    own |= {"title": left} if titles["y"] and not facets.rows else {}
    panels = charts.kind("grid of panels" if facets.rows else "wrapped panels")
    panel = {name: part for name, part in chart.items() if name != "data"}
    slots = {**slots, "x title": None, "y title": None, **own}
    return charts.filled(panels | {"spec": panel}, slots, **tables)

# SPDX-License-Identifier: MIT
"""The static chart of a metric against an axis: means with their intervals in panels of one size.

Against an axis of numbers, lines join the means. Against names, such as the variants', each name has a row of its own
and the metric runs from left to right, so that long names have room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, cast

import polars as pl

from tcpsweep.figures import panel_layout, plot_scales, svg_parts, text_sizes
from tcpsweep.figures.metric_data import Panels
from tcpsweep.figures.panel_layout import Entry, Frame, Panel, Plan, Side
from tcpsweep.figures.plot_scales import Scale
from tcpsweep.figures.series_styles import Styles
from tcpsweep.sweep.axes import Axis
from tcpsweep.words import metrics
from tcpsweep.words.metrics import Metric

# In pixels: how far points of neighbouring series stand apart, and all of them together at the most.
DODGE, DODGE_SPAN = 3.0, 14.0
LOG_SPAN = 30  # the ratio of the largest mean to the least from which on a linear axis hides the small ones
MOST_TICKS = 6  # of an axis of numbers: up to so many values, each has a tick
LEAST_WIDTH = 74.0  # of a panel, in pixels
FAR_LABEL = 12.0  # a label at a line's end stands at most so far above or below it, in pixels
Choice = Literal["auto", "linear", "log"]


def chart(panels: Panels, styles: Styles, width: float, choice: Choice = "auto") -> str:
    """A metric against an axis, with a panel for each value of the other axes, as SVG.

    Parameters
    ----------
    panels : Panels
    styles : dict
    width : float
        The figure's, in pixels.
    choice : str
        The scale of the metric's axis.
    """
    present = set(panels.points["series"].to_list())
    series = [name for name in styles if name in present]
    return (_lines if panels.axis.numeric else _rows)(panels, styles, series, width, choice)


def _lines(panels: Panels, styles: Styles, series: list[str], width: float, choice: Choice) -> str:
    """Against numbers: a line for each series."""
    metric = metrics.METRICS[panels.metric]
    places, across = grid(panels, width)
    height = 150.0 if len(places) == 1 else min(110.0, max(84.0, 0.8 * width / across))
    scale = scale_of(metric, panels.points, choice, max(3, int(height / 18)))
    y = side_of("", scale, zero=True)
    step = min(DODGE, DODGE_SPAN / len(series))
    shift = {name: (number - (len(series) - 1) / 2) * step for number, name in enumerate(series)}
    legend = [Entry(name, styles[name], line=True) for name in series]
    titles = (panels.axis.head, panels.what or head(metric))
    heads = heads_of(panels, places, across)
    plan = Plan(width, [height], *heads[:2], titles, legend)

    def made(own: pl.DataFrame, x: Scale) -> Callable[[Frame], Iterator[str]]:
        def draw(frame: Frame) -> Iterator[str]:
            for name in series:
                rows = own.filter(pl.col("series") == name).sort("place")
                style, at = styles[name], []
                for row in rows.iter_rows(named=True):
                    middle = frame.across(x.place(row["place"])) + shift[name]
                    at.append((middle, frame.up(scale.place(row["mean"]))))
                    yield from bar(row, lambda v: frame.up(scale.place(v)), middle, style.colour, upright=True)
                if len(at) > 1:
                    yield svg_parts.path(at, style.colour, 1.4, style.dash)
                yield from (svg_parts.mark(*point, style) for point in at)

        return draw

    def whole(plan: Plan) -> list[Panel]:
        # The margin of the horizontal scale depends on the panels' width, which depends on nothing of that scale.
        plain = [Panel(c, r, Side("", []), y, lambda frame: iter(()), heads[2].get((c, r), "")) for c, r in places]
        room = panel_layout.panel_width(plan, plain)
        x = _x_scale(panels.axis, (DODGE_SPAN / 2 + 5) / room, int(room / 34))
        side = side_of("", x)
        found = []
        for (column, row), own in places.items():
            found.append(Panel(column, row, side, y, made(own, x), heads[2].get((column, row), "")))
        return found

    if len(places) == 1 and len(series) > 1:
        beside = _labelled(plan, whole, places[0, 0], series, styles, scale, height)
        if beside:
            return beside
    return panel_layout.drawn(plan, whole(plan))


def _labelled(
    plan: Plan,
    whole: Callable[[Plan], list[Panel]],
    points: pl.DataFrame,
    series: list[str],
    styles: Styles,
    scale: Scale,
    height: float,
) -> str | None:
    """The figure with each line's name at its end in place of a legend; None if the names have no room there."""
    room = max(text_sizes.width(name, panel_layout.SMALL) for name in series) + 22
    if room > 0.36 * plan.width:
        return None
    last = points.sort("place").group_by("series", maintain_order=True).last()
    end = cast(float, points["place"].max())
    if (last["place"] < end).any():
        return None
    ends = {name: (1 - scale.place(mean)) * height for name, mean in last.select("series", "mean").iter_rows()}
    at = apart(ends, panel_layout.SMALL * text_sizes.LINE, height)
    if at is None:
        return None
    beside = Plan(plan.width, plan.heights, plan.column_heads, plan.row_heads, plan.titles, (), right=room)
    (panel,) = whole(beside)

    def draw(frame: Frame) -> Iterator[str]:
        yield from panel.draw(frame)
        x = frame.x + frame.width
        for name, y in at.items():
            style = styles[name]
            yield svg_parts.line(x - 5, frame.y + ends[name], x + 9, frame.y + y, style.colour, 0.7)
            yield svg_parts.mark(x + 13, frame.y + y, style)
            base = frame.y + y + panel_layout.SMALL * 0.35
            yield svg_parts.text(x + 20, base, name, size=panel_layout.SMALL)

    return panel_layout.drawn(beside, [Panel(0, 0, panel.x, panel.y, draw)])


def apart(ends: dict[str, float], step: float, height: float) -> dict[str, float] | None:
    """Places for labels at least a step apart and near their lines' ends; None if a label would be too far from its.

    Parameters
    ----------
    ends : dict of str to float
        How far below the panel's top each line ends.
    step, height : float
        The least distance between labels, and the panel's height.
    """
    order = sorted(ends, key=lambda name: ends[name])
    if len(order) * step > height + step:
        return None
    # Groups of labels that touch are spread around the mean of their ends.
    groups: list[list[str]] = []

    def spread(group: list[str]) -> list[float]:
        middle = sum(ends[name] for name in group) / len(group)
        half = step * (len(group) - 1) / 2
        middle = min(max(middle, half), height - half)
        return [middle - half + step * number for number in range(len(group))]

    for name in order:
        groups.append([name])
        while len(groups) > 1 and spread(groups[-1])[0] - spread(groups[-2])[-1] < step - 1e-9:
            groups[-2:] = [groups[-2] + groups[-1]]
    found = {name: y for group in groups for name, y in zip(group, spread(group), strict=True)}
    return found if all(abs(found[name] - ends[name]) <= FAR_LABEL for name in order) else None


def _rows(panels: Panels, styles: Styles, series: list[str], width: float, choice: Choice) -> str:
    """Against names: a row for each."""
    metric, axis = metrics.METRICS[panels.metric], panels.axis
    names = [name for name in axis.values if name in set(panels.points["place"].to_list())]
    places, across = grid(panels, width, least=60.0 + 0.2 * width)
    by_variant = axis.name == "variant"
    most = max(own.group_by("place").len()["len"].max() or 1 for own in places.values())
    broken = [text_sizes.broken(name, panel_layout.SMALL, 0.36 * width) for name in names]
    row_height = max(15.0, 6.5 * cast(int, most) + 6, 11.5 * max(map(len, broken)) + 4)
    height = row_height * len(names)
    at = {name: 1 - (number + 0.5) / len(names) for number, name in enumerate(names)}
    y = Side("", [(at[name], name) for name in names])
    heads = heads_of(panels, places, across)
    legend = [Entry(name, styles[name]) for name in series]
    if (by_variant and not metric.by_variant) or (by_variant and all(name in at for name in series)):
        legend = []
    title = "" if by_variant else axis.head
    plan = Plan(width, [height], *heads[:2], (panels.what or head(metric), title), legend)
    plain = [Panel(c, r, Side("", []), y, lambda frame: iter(()), heads[2].get((c, r), "")) for c, r in places]
    scale = scale_of(metric, panels.points, choice, max(3, int(panel_layout.panel_width(plan, plain) / 38)))
    x = side_of("", with_margin(scale, 4 / panel_layout.panel_width(plan, plain)), zero=True)
    scale = with_margin(scale, 4 / panel_layout.panel_width(plan, plain))

    def made(own: pl.DataFrame) -> Callable[[Frame], Iterator[str]]:
        def draw(frame: Frame) -> Iterator[str]:
            for name in names:
                rows = own.filter(pl.col("place") == name)
                here = [each for each in series if each in set(rows["series"].to_list())]
                for row in rows.iter_rows(named=True):
                    order = here.index(row["series"]) - (len(here) - 1) / 2
                    middle = frame.up(at[name]) + order * 6.5
                    style = styles[row["series"]]
                    yield from bar(row, lambda v: frame.across(scale.place(v)), middle, style.colour, upright=False)
                    yield svg_parts.mark(frame.across(scale.place(row["mean"])), middle, style)

        return draw

    found = []
    for (column, row), own in places.items():
        found.append(Panel(column, row, x, y, made(own), heads[2].get((column, row), "")))
    return panel_layout.drawn(plan, found)


def bar(
    row: dict[str, Any], place: Callable[[float], float], middle: float, colour: str, upright: bool
) -> Iterator[str]:
    """A mean's interval, with a cap at each end."""
    if row["low"] is None or row["high"] is None:
        return
    low, high = place(row["low"]), place(row["high"])
    for x, y, x2, y2 in (
        (middle, low, middle, high),
        (middle - 2.4, low, middle + 2.4, low),
        (middle - 2.4, high, middle + 2.4, high),
    ):
        ends = (x, y, x2, y2) if upright else (y, x, y2, x2)
        yield svg_parts.line(*ends, colour, 1.2)


def grid(panels: Panels, width: float, least: float = LEAST_WIDTH) -> tuple[dict[tuple[int, int], pl.DataFrame], int]:
    """The points of each panel by its column and row, and how many columns there are."""
    columns, rows = panels.levels("column"), panels.levels("row")
    points = panels.points
    if not columns:
        return {(0, 0): points}, 1
    if rows:
        found = {
            (c, r): points.filter((pl.col("column") == column) & (pl.col("row") == row))
            for r, row in enumerate(rows)
            for c, column in enumerate(columns)
        }
        return found, len(columns)
    across = max(1, min(len(columns), int((width - 45) / least)))
    down = -(-len(columns) // across)
    across = -(-len(columns) // down)  # no row much shorter than the others
    found = {
        (number % across, number // across): points.filter(pl.col("column") == column)
        for number, column in enumerate(columns)
    }
    return found, across


def heads_of(
    panels: Panels, places: dict[tuple[int, int], pl.DataFrame], across: int
) -> tuple[list[str], list[str], dict[tuple[int, int], str]]:
    """The heads of columns, of rows, and of single panels where these wrap."""
    columns, rows = _texts(panels.columns, panels.levels("column")), _texts(panels.rows, panels.levels("row"))
    if rows or len(columns) <= across:
        return columns, rows, {}
    return [], [], dict(zip(places, columns, strict=True))


def _texts(axis: Axis | None, levels: list[str]) -> list[str]:
    """What the panels' heads say."""
    if axis and axis.name == "variant":
        return levels
    return [f"{axis.title} {text}" for text in levels] if axis else []


def head(metric: Metric) -> str:
    """A metric's title with its unit."""
    return f"{metric.title} [{metric.shown_unit}]" if metric.shown_unit else metric.title


def scale_of(metric: Metric, points: pl.DataFrame, choice: Choice = "auto", most: int = 5) -> Scale:
    """The scale of a metric's axis, which holds all means and the whole of their intervals."""
    ends = [end for name in ("mean", "low", "high") for end in points[name].to_list() if end is not None]
    if not any(ends):
        return Scale("linear", 0, 1, [0.0])
    if choice == "log" or (choice == "auto" and is_wide(metric, points["mean"])):
        return plot_scales.logarithmic(ends, most)
    return plot_scales.around(min(ends), max(ends), starts_at_zero(metric), most)


def is_cut(scale: Scale) -> bool:
    """Whether a linear axis does not hold 0."""
    return scale.kind == "linear" and not scale.least <= 0 <= scale.largest


def side_of(title: str, scale: Scale, zero: bool = False) -> Side:
    """A scale as a panel's axis; ``zero`` for a metric's, which shows whether it is cut, and a line at 0 within it."""
    crosses = zero and scale.kind != "log" and scale.least < 0 < scale.largest
    ticks = [(scale.place(tick), plot_scales.label(tick)) for tick in scale.ticks]
    return Side(title, ticks, zero and is_cut(scale), scale.place(0) if crosses else None)


def with_margin(scale: Scale, margin: float) -> Scale:
    """A scale with a part of its axis' length left free at both ends."""
    return Scale(scale.kind, scale.least, scale.largest, scale.ticks, scale.threshold, margin)


def _x_scale(axis: Axis, margin: float, most: int) -> Scale:
    """The scale of an axis of numbers, from its first value to its last."""
    numbers = sorted(set(axis.values.values()))
    least, largest = numbers[0], numbers[-1]
    if axis.logarithmic and least > 0:
        return Scale("log", least, largest, numbers, margin=margin)
    if axis.logarithmic:
        # Zero has its place a step left of the least positive value.
        threshold = next(number for number in numbers if number > 0)
        return Scale("symlog", least, largest, numbers, threshold, margin)
    ticks = numbers
    if len(numbers) > MOST_TICKS:
        ticks = [tick for tick in plot_scales.around(least, largest, False, most).ticks if least <= tick <= largest]
    return Scale("linear", least, largest, ticks, margin=margin)


def starts_at_zero(metric: Metric) -> bool:
    """Whether a metric's axis begins at 0: unless it is a share or an index, whose differences 0 would hide."""
    return bool(metric.shown_unit)


def is_wide(metric: Metric, means: pl.Series) -> bool:
    """Whether a metric's means span so much that their axis is logarithmic."""
    least, largest = cast(float, means.min()), cast(float, means.max())
    return bool(metric.shown_unit) and least > 0 and largest > LOG_SPAN * least

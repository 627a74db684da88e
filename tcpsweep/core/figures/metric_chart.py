# SPDX-License-Identifier: MIT
"""The static chart of a metric against an axis: means with their intervals in panels of one size.

Against an axis of numbers, lines join the means. Against names, such as the variants', each name has a row of its own
and the metric runs from left to right, so that long names have room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, cast

import polars as pl

from tcpsweep.core.figures import charts, paper_chart, plot_scales, text_sizes
from tcpsweep.core.figures.charts import Slots, Table, VegaLite
from tcpsweep.core.figures.metric_data import Panels
from tcpsweep.core.figures.paper_chart import SMALL, Facets
from tcpsweep.core.figures.plot_scales import Scale
from tcpsweep.core.figures.series_styles import Styles
from tcpsweep.core.words import metrics
from tcpsweep.core.words.metrics import Metric

# In pixels: the distance of points of neighbouring series, and the greatest span of all of them.
DODGE, DODGE_SPAN, ROW_DODGE = 3.0, 14.0, 6.5
LOG_SPAN = 30  # a linear axis hides the small means if the largest is at least this multiple of the least
LEAST_WIDTH = 74.0  # of a panel, in pixels
FAR_LABEL = 12.0  # the greatest distance of a label above or below its line's end, in pixels
NAMES = 0.36  # the largest share of a figure's width for names next to the panels
Choice = Literal["auto", "linear", "log", "cut"]


def chart(panels: Panels, styles: Styles, width: float, choice: Choice = "auto") -> VegaLite:
    """A metric against an axis, with a panel for each value of the other axes, in a width in pixels.

    ``choice`` is the scale of the metric's axis.
    """
    present = set(panels.points["series"].to_list())
    series = [name for name in styles if name in present]
    return (_against_numbers if panels.axis.numeric else _against_names)(panels, styles, series, width, choice)


def _against_numbers(panels: Panels, styles: Styles, series: list[str], width: float, choice: Choice) -> VegaLite:
    """Against numbers: a line for each series."""
    metric = metrics.METRICS[panels.metric]
    facets = facets_of(panels, width)
    height = 150.0 if facets is None else min(110.0, max(84.0, 0.8 * width / facets.across))
    scale = scale_of(metric, panels.points, choice, max(3, int(height / 18)))
    labels, title = paper_chart.extent_of_numbers(scale), panels.what or head(metric)
    name_places = None if facets else _names_at_ends(panels.points, series, scale, height, width)
    beside = 0.0 if name_places is None else _room_of_names(series)
    room = paper_chart.room(width, labels, title, height, facets, beside)
    step = min(DODGE, DODGE_SPAN / len(series))
    shifts = {name: (number - (len(series) - 1) / 2) * step for number, name in enumerate(series)}
    points = panels.points.with_columns(dodge=pl.col("series").replace_strict(shifts, return_dtype=pl.Float64))
    legend = paper_chart.legend_below(series, room.legend) if name_places is None else None
    slots = {
        **paper_chart.size(room.panel, height),
        **paper_chart.place_on_numbers(panels.axis, room.panel),
        **paper_chart.upward_axis(scale, room, height),
        **paper_chart.of_series(styles, series, legend),
        "fair": metric.fair,
        # The places of a line's stroke, mark and name to the right of the panel.
        **{"stroke from": room.panel - 5, "stroke to": room.panel + 9},
        **{"mark at": room.panel + 13, "name at": room.panel + 20},
    }
    colours = pl.col("series").replace_strict({name: styles[name].colour for name in series})
    ends = {} if name_places is None else {"ends": name_places.with_columns(colour=colours)}
    tables = {**fair_share(metric), **paper_chart.cut_signs(y=scale), **ends}
    return whole(charts.kind("means over numbers"), panels, facets, slots, points=points, **tables)


def fair_share(metric: Metric) -> dict[str, Table]:
    """A row for the line at the value of a fair share, where the metric has one."""
    return {} if metric.fair is None else {"fair": [{}]}


def whole(chart: VegaLite, panels: Panels, facets: Facets | None, slots: Slots, **tables: Any) -> VegaLite:
    """A chart as one panel, or with one for each value of the panels' axes."""
    width, height, points = slots["width"], slots["height"], tables["points"]
    if facets:
        columns, rows = _head_by_value(panels, "column", width), _head_by_value(panels, "row", height)
        # Vega puts panels under wrong heads if their order does not name the heads as the data has them.
        facets = replace(facets, columns=list(columns.values()), rows=list(rows.values()))
        points = points.with_columns(
            pl.col(side).replace_strict(heads, return_dtype=pl.String)
            for side, heads in (("column", columns), ("row", rows))
            if heads
        )
    return paper_chart.in_panels(chart, facets, slots, **tables | {"points": points})


def _room_of_names(series: Sequence[str]) -> float:
    """The room to the right of a panel for the names of its lines."""
    return max(text_sizes.width(name, SMALL) for name in series) + 22


def _names_at_ends(
    points: pl.DataFrame, series: list[str], scale: Scale, height: float, width: float
) -> pl.DataFrame | None:
    """The places of names next to lines, which replace a legend; None if they have no room there.

    A row has ``series``, ``place`` and ``mean`` at the end of its line, and ``down``, how far below it its name is.
    """
    if len(series) == 1 or _room_of_names(series) > NAMES * width:
        return None
    last = points.sort("place").group_by("series", maintain_order=True).last()
    if (last["place"] < cast(float, points["place"].max())).any():
        return None
    ends = {name: (1 - scale.place(mean)) * height for name, mean in last.select("series", "mean").iter_rows()}
    places = apart(ends, SMALL * text_sizes.LINE, height)
    if places is None:
        return None
    down = {name: places[name] - ends[name] for name in ends}
    return last.select("series", "mean", down=pl.col("series").replace_strict(down, return_dtype=pl.Float64))


def apart(ends: dict[str, float], step: float, height: float) -> dict[str, float] | None:
    """Places for labels at least a step apart and near their lines' ends; None if a label would be too far away.

    ``ends`` says how far below the panel's top each line ends.
    """
    from_top = sorted(ends, key=lambda name: ends[name])
    if len(from_top) * step > height + step:
        return None
    # Groups of labels that touch are spread around the mean of their ends.
    groups: list[list[str]] = []

    def spread(group: list[str]) -> list[float]:
        middle = sum(ends[name] for name in group) / len(group)
        half = step * (len(group) - 1) / 2
        middle = min(max(middle, half), height - half)
        return [middle - half + step * number for number in range(len(group))]

    for name in from_top:
        groups.append([name])
        while len(groups) > 1 and spread(groups[-1])[0] - spread(groups[-2])[-1] < step - 1e-9:
            groups[-2:] = [groups[-2] + groups[-1]]
    places = {name: y for group in groups for name, y in zip(group, spread(group), strict=True)}
    return places if all(abs(places[name] - ends[name]) <= FAR_LABEL for name in from_top) else None


def _against_names(panels: Panels, styles: Styles, series: list[str], width: float, choice: Choice) -> VegaLite:
    """Against names: a row for each."""
    metric, axis = metrics.METRICS[panels.metric], panels.axis
    facets = facets_of(panels, width, least=60.0 + 0.2 * width)
    present = set(panels.points["place"].to_list())
    wrapped = {
        name: paper_chart.wrapped(name, paper_chart.SMALL, NAMES * width) for name in axis.values if name in present
    }
    by_variant = axis.name == "variant"
    series_number = pl.col("series").replace_strict({name: number for number, name in enumerate(series)})
    number_in_row = (series_number.rank("dense").cast(pl.Float64) - 1).over("place", "column", "row")
    count_in_row = pl.col("series").n_unique().over("place", "column", "row")
    points = panels.points.with_columns(
        dodge=(number_in_row - (count_in_row - 1) / 2) * ROW_DODGE, place=pl.col("place").replace_strict(wrapped)
    )
    most_in_row = cast(int, points.select(count_in_row.max()).item())
    most_lines = max(name.count("\n") + 1 for name in wrapped.values())
    row_height = max(15.0, ROW_DODGE * most_in_row + 6, 11.5 * most_lines + 4)
    height = row_height * len(wrapped)
    if facets and facets.rows:  # the value in the head of each row of panels is legible
        height = max(height, 4 + max(text_sizes.width(text, paper_chart.SIZE) for text in panels.levels("row")))
    title = "" if by_variant else axis.head
    room = paper_chart.room(width, paper_chart.extent_of_texts(list(wrapped.values())), title, height, facets)
    scale = scale_of(metric, panels.points, choice, max(3, int(room.panel / 38)))
    is_labelled = by_variant and (not metric.by_variant or all(name in wrapped for name in series))
    legend = None if is_labelled else paper_chart.legend_below(series, room.legend)
    slots = {
        **paper_chart.size(room.panel, height),
        **paper_chart.level_axis(scale, panels.what or head(metric), 5, padding=4),
        **paper_chart.axis_of_names(list(wrapped.values()), room),
        **paper_chart.of_series(styles, series, legend),
        "fair": metric.fair,
    }
    tables = {**fair_share(metric), **paper_chart.cut_signs(x=scale)}
    return whole(charts.kind("means beside names"), panels, facets, slots, points=points, **tables)


def facets_of(panels: Panels, width: float, least: float = LEAST_WIDTH) -> Facets | None:
    """The panels of a figure, in as many columns as fit; None if there is one panel."""
    columns, rows = (list(_head_by_value(panels, side, 1e9).values()) for side in ("column", "row"))
    if not columns:
        return None
    if rows:
        return Facets(columns, rows, len(columns))
    across = max(1, min(len(columns), int((width - 45) / least)))
    down = -(-len(columns) // across)
    return Facets(columns, (), -(-len(columns) // down))  # no row much shorter than the others


def _head_by_value(panels: Panels, side: Literal["column", "row"], most: float) -> dict[str, str]:
    """The texts in the heads of the panels' columns or rows, by the axis' value, at most ``most`` pixels wide."""
    axis = panels.columns if side == "column" else panels.rows
    values = panels.levels(side)
    texts = values
    if axis and axis.name != "variant":
        texts = [f"{axis.title} {level}" for level in values]
    size = paper_chart.SIZE
    # Next to a row of panels there is room for one line: where a head does not fit, all have the values alone.
    shortened = paper_chart.wrapped if side == "column" else text_sizes.cut
    if side == "row" and any(text_sizes.width(text, size) > most for text in texts):
        texts = values
    return {level: shortened(text, size, most) for level, text in zip(values, texts, strict=True)}


def head(metric: Metric) -> str:
    """A metric's title with its unit, and with the value of a fair share."""
    if metric.fair is not None:
        return f"{metric.title} ({metric.fair:g} is fair)"
    return f"{metric.title} [{metric.shown_unit}]" if metric.shown_unit else metric.title


def scale_of(metric: Metric, points: pl.DataFrame, choice: Choice = "auto", most: int = 5) -> Scale:
    """The scale of a metric's axis, which holds all means and the whole of their intervals."""
    ends = [end for name in ("mean", "low", "high") for end in points[name].to_list() if end is not None]
    ends += [] if metric.fair is None else [metric.fair * metric.scale]
    if not any(ends):
        return Scale("linear", 0, 1, [0.0])
    if choice == "log" or (choice == "auto" and is_wide(metric, points["mean"])):
        return plot_scales.logarithmic(ends, most)
    return plot_scales.around(min(ends), max(ends), choice != "cut" and starts_at_zero(metric), most)


def starts_at_zero(metric: Metric) -> bool:
    """Whether a metric's axis begins at 0; not for shares and indices, because 0 would hide their differences."""
    return bool(metric.shown_unit)


def is_wide(metric: Metric, means: pl.Series) -> bool:
    """Whether the range of a metric's means is wide enough for a logarithmic axis."""
    least, largest = cast(float, means.min()), cast(float, means.max())
    return bool(metric.shown_unit) and least > 0 and largest > LOG_SPAN * least

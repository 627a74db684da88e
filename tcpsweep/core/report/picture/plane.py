# SPDX-License-Identifier: MIT
"""The plane of delay and link use as a drawing, with its frontier; better is up and to the left."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tcpsweep.core.figures import (
    metric_chart,
    paper_chart,
    picture_files,
    plane_marks,
    plot_scales,
    series_styles,
    text_sizes,
)
from tcpsweep.core.figures.chart_look import VegaLite, column, marks
from tcpsweep.core.figures.series_styles import Styles
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import printed_names

LEAST = 300.0  # of its height, in pixels
_NAME, _MARK, _SMALL_MARK = 11.5, 7.0, 3.5  # the size of names, the radius of large and of small marks
_AROUND = 60.0  # the room of the axis and its title below, and of the good corner's sign above
MOST_NAMES = 12

Point = tuple[float, float]


def drawn(sweep: PlannedSweep, plane: Mapping[str, Any], left: float, top: float, width: float, height: float) -> str:
    """The drawing of `plane.delay_and_link_use` at its place, all in pixels."""
    texts, styles = sweep.texts, series_styles.styles(sweep)
    by_variant: dict[str, list[Point]] = {}
    for number, x, y in plane["rows"]:
        by_variant.setdefault(texts[number]["variant"], []).append((x, y))
    means = {
        name: (sum(x for x, _ in at) / len(at), sum(y for _, y in at) / len(at)) for name, at in by_variant.items()
    }
    points = [point for at in by_variant.values() for point in at]
    x_scale = plot_scales.around(0, max(x for x, _ in points), zero=True)
    least, most = min(y for _, y in points), max(y for _, y in points)
    y_scale = plot_scales.around(least, most, zero=least <= 0.3 * most)
    title = paper_chart.title_lines(f"{plane['y']} →", height)
    extent = paper_chart.extent_of_numbers(y_scale)
    wide, high = paper_chart.panel_width(width, extent, title), height - _AROUND

    rows = [{"kind": "network", "series": name, "x": x, "y": y} for name, some in by_variant.items() for x, y in some]
    rows += [{"kind": "mean", "series": name, "x": x, "y": y} for name, (x, y) in means.items()]
    corners = frontier(list(means.values()), y_scale.least, x_scale.largest)
    rows += [{"kind": "frontier", "order": number, "x": x, "y": y} for number, (x, y) in enumerate(corners)]
    x = column(
        "x:Q",
        title=plane["x"],
        scale=paper_chart.scale_of_numbers(x_scale, padding=_MARK),
        axis=paper_chart.level_axis(x_scale, 1),
    )
    y = column(
        "y:Q",
        title=title,
        scale=paper_chart.scale_of_numbers(y_scale, padding=_MARK),
        axis=paper_chart.upward_axis(y_scale, extent, high),
    )
    has_names = len(means) <= MOST_NAMES
    legend = None if has_names else paper_chart.legend_below(list(means), paper_chart.room_below(width, extent, title))
    encodings = paper_chart.series_encodings(styles, list(means), legend)
    layers = plane_marks.layers(x, y, {"color": encodings["color"], "shape": encodings["shape"]}, "#666666")
    layers += [paper_chart.cut_sign(high)] if metric_chart.is_cut(y_scale) else []
    if has_names:

        def place(point: Point) -> Point:
            return _place_in_panel(x_scale.place(point[0]), 1 - y_scale.place(point[1]), wide, high)

        places = {name: place(at) for name, at in means.items()}
        layers.append(
            _names_at_marks(places, [*map(place, points)], [*map(place, corners)], styles, wide, high, sweep.names)
        )
    chart = {"data": {"values": rows}, "layer": layers, "width": wide, "height": high, "title": plane_marks.BETTER}
    svg = picture_files.drawn_svg(paper_chart.with_data(chart), None)
    return svg.replace("<svg ", f'<svg x="{left}" y="{top}" ', 1)


def _place_in_panel(across: float, down: float, wide: float, high: float) -> Point:
    """A point's place from its shares of both axes, which leave room for a mark at each of their ends."""
    return _MARK + across * (wide - 2 * _MARK), _MARK + down * (high - 2 * _MARK)


def frontier(means: list[Point], least: float, longest: float) -> list[Point]:
    """The corners of the Pareto frontier, which bounds the means that some variant reaches, from left to right."""
    undominated = sorted(
        {one for one in means if not any(o[0] <= one[0] and o[1] >= one[1] and o != one for o in means)}
    )
    ends = [(undominated[0][0], least), *undominated, (longest, undominated[-1][1])]
    corners = [ends[0]]
    for one, after in itertools.pairwise(ends):
        corners += [(after[0], one[1]), after]
    return corners


def _names_at_marks(
    means: Mapping[str, Point],
    points: Sequence[Point],
    corners: Sequence[Point],
    styles: Styles,
    width: float,
    height: float,
    names: Mapping[str, str],
) -> VegaLite:
    """The variants' names next to their marks, each where it covers no mark, line or other name, if there is room.

    ``points`` are the places of the networks' small marks, ``corners`` those of the frontier's corners. ``names`` are
    the sweep's names of variants for print.
    """
    taken = [(x - _MARK, y - _MARK, x + _MARK, y + _MARK) for x, y in means.values()]
    taken += [(x - _SMALL_MARK, y - _SMALL_MARK, x + _SMALL_MARK, y + _SMALL_MARK) for x, y in points]
    for (x, y), (x2, y2) in itertools.pairwise(corners):
        taken.append((min(x, x2) - 1, min(y, y2) - 1, max(x, x2) + 1, max(y, y2) + 1))
    rows = []
    for variant, (x, y) in means.items():
        name = printed_names.mix_name(variant, names)
        extent = text_sizes.width(name, _NAME)
        best: tuple[float, tuple[float, float]] | None = None
        for place in _places_of_name(x, y, extent):
            box = (place[0], place[1] - _NAME * 0.75, place[0] + extent, place[1] + _NAME * 0.25)
            overlap = sum(_shared_area(box, other) for other in taken)
            overlap += 10 * max(0.0, -box[0]) + 10 * max(0.0, box[2] - width)
            overlap += 10 * max(0.0, -box[1]) + 10 * max(0.0, box[3] - height)
            if best is None or overlap < best[0]:
                best = (overlap, place)
            if not overlap:
                break
        assert best is not None
        left, base = best[1]
        taken.append((left, base - _NAME * 0.75, left + extent, base + _NAME * 0.25))
        rows.append({"name": name, "left": left, "base": base, "colour": styles[variant].colour})
    encoding = {
        "x": column("left:Q", scale=None, axis=None),
        "y": column("base:Q", scale=None, axis=None),
        "text": column("name:N"),
        "color": column("colour:N", scale=None),
    }
    return marks("text", encoding, {"values": rows}, align="left", baseline="alphabetic", fontSize=_NAME)


def _places_of_name(x: float, y: float, width: float) -> Iterator[tuple[float, float]]:
    """Where a name may begin: next to its mark, then above and below, then further away."""
    for far in range(8):
        shift = far * _NAME * 0.6
        for down in (shift, -shift):
            yield x + _MARK + 4, y + _NAME * 0.3 + down
            yield x - _MARK - 4 - width, y + _NAME * 0.3 + down


def _shared_area(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> float:
    """The area that two boxes share."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, high)

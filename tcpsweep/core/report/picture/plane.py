# SPDX-License-Identifier: MIT
"""The plane of delay and link use as a drawing, with its frontier; better is up and to the left."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tcpsweep.core.figures import charts, paper_chart, picture_files, plot_scales, series_styles, text_sizes
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
    high = height - _AROUND
    room = paper_chart.room(width, paper_chart.extent_of_numbers(y_scale), f"{plane['y']} →", height)

    def place(point: Point) -> Point:
        return _place_in_panel(x_scale.place(point[0]), 1 - y_scale.place(point[1]), room.panel, high)

    rows = [{"kind": "network", "series": name, "x": x, "y": y} for name, some in by_variant.items() for x, y in some]
    rows += [{"kind": "mean", "series": name, "x": x, "y": y} for name, (x, y) in means.items()]
    corners = frontier(list(means.values()), y_scale.least, x_scale.largest)
    rows += [{"kind": "frontier", "order": number, "x": x, "y": y} for number, (x, y) in enumerate(corners)]
    has_names = len(means) <= MOST_NAMES
    names = _names_at_marks(means, place, points, corners, styles, (room.panel, high), sweep.names) if has_names else []
    slots = {
        **paper_chart.size(room.panel, high),
        **paper_chart.level_axis(x_scale, plane["x"], 1, padding=_MARK),
        **paper_chart.upward_axis(y_scale, room, high, padding=_MARK),
        **paper_chart.of_series(
            styles, list(means), None if has_names else paper_chart.legend_below(list(means), room.legend)
        ),
        **{"soft": "#666666", "name size": _NAME, "baseline": "alphabetic"},
    }
    chart = charts.kind("plane of networks")
    filled = charts.filled(chart, slots, points=rows, names=names, **paper_chart.cut_signs(y=y_scale))
    return picture_files.drawn_svg(filled, None).replace("<svg ", f'<svg x="{left}" y="{top}" ', 1)


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
    place: Callable[[Point], Point],
    points: Sequence[Point],
    corners: Sequence[Point],
    styles: Styles,
    size: tuple[float, float],
    names: Mapping[str, str],
) -> list[dict[str, Any]]:
    """The variants' names next to their marks, each where it covers no mark, line or other name, if there is room.

    ``place`` gives a place in pixels; ``points`` are the networks' small marks, ``corners`` the frontier's. ``size`` is
    the panel's. ``names`` are the sweep's names of variants for print.
    """
    width, height = size
    taken = [(x - _MARK, y - _MARK, x + _MARK, y + _MARK) for x, y in map(place, means.values())]
    taken += [(x - _SMALL_MARK, y - _SMALL_MARK, x + _SMALL_MARK, y + _SMALL_MARK) for x, y in map(place, points)]
    for (x, y), (x2, y2) in itertools.pairwise(map(place, corners)):
        taken.append((min(x, x2) - 1, min(y, y2) - 1, max(x, x2) + 1, max(y, y2) + 1))
    rows = []
    for variant, mean in means.items():
        x, y = place(mean)
        name = printed_names.mix_name(variant, names)
        extent = text_sizes.width(name, _NAME)
        best: tuple[float, tuple[float, float]] | None = None
        for left, base in _places_of_name(x, y, extent):
            box = (left, base - _NAME * 0.75, left + extent, base + _NAME * 0.25)
            overlap = sum(_shared_area(box, other) for other in taken)
            overlap += 10 * max(0.0, -box[0]) + 10 * max(0.0, box[2] - width)
            overlap += 10 * max(0.0, -box[1]) + 10 * max(0.0, box[3] - height)
            if best is None or overlap < best[0]:
                best = (overlap, (left, base))
            if not overlap:
                break
        assert best is not None
        left, base = best[1]
        taken.append((left, base - _NAME * 0.75, left + extent, base + _NAME * 0.25))
        of_mark = {"x": mean[0], "y": mean[1], "align": "left", "dx": left - x, "dy": base - y}
        rows.append({"label": name, "colour": styles[variant].colour, **of_mark})
    return rows


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

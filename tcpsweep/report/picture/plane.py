# SPDX-License-Identifier: MIT
"""The plane of delay and link use as a drawing, with its frontier; better is up and to the right."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from tcpsweep.figures import panel_layout, plot_scales, series_styles, svg_parts, text_sizes
from tcpsweep.figures.panel_layout import Frame, Panel, Plan, Side
from tcpsweep.figures.plot_scales import Scale
from tcpsweep.figures.series_styles import Style
from tcpsweep.sweep import axes
from tcpsweep.sweep.sweep_record import PlannedSweep

LEAST = 300.0  # of its height, in pixels
_NAME, _MARK, _SMALL = 11.5, 6.0, 2.2  # the size of names, the radius of marks and of the networks' ones
_AROUND = 40.0  # what the axis and its title take below
MOST_NAMES = 12

Point = tuple[float, float]


def drawn(sweep: PlannedSweep, plane: Mapping[str, Any], left: float, top: float, width: float, height: float) -> str:
    """The drawing at its place.

    Parameters
    ----------
    sweep : PlannedSweep
    plane : dict
        From `plane.of` of the report's sections.
    left, top, width, height : float
        In pixels.
    """
    texts, styles = axes.texts(sweep), series_styles.styles(sweep)
    own: dict[str, list[Point]] = {}
    for number, x, y in plane["rows"]:
        own.setdefault(texts[number]["variant"], []).append((x, y))
    means = {name: (sum(x for x, _ in at) / len(at), sum(y for _, y in at) / len(at)) for name, at in own.items()}
    points = [point for at in own.values() for point in at]
    across = plot_scales.around(0, max(x for x, _ in points), zero=True)
    least, most = min(y for _, y in points), max(y for _, y in points)
    up = plot_scales.around(least, most, zero=least <= 0.3 * most)
    named = len(means) <= MOST_NAMES

    def draw(frame: Frame) -> Iterator[str]:
        def at(point: Point) -> Point:
            return frame.across(1 - across.place(point[0])), frame.up(up.place(point[1]))

        corners = [at(corner) for corner in frontier(list(means.values()), up.least, across.largest)]
        yield svg_parts.path(corners, svg_parts.SOFT, 1.2, [4, 3])
        for name, some in own.items():
            for point in some:
                yield svg_parts.mark(*at(point), styles[name], _SMALL)
        for name, point in means.items():
            yield svg_parts.mark(*at(point), styles[name], _MARK)
        if named:
            yield from _names({name: at(point) for name, point in means.items()}, styles, frame)

    x_side = Side("", [(1 - across.place(tick), plot_scales.label(tick)) for tick in across.ticks][::-1])
    y_side = Side("", _ticks(up), is_cut=up.least > 0)
    legend = [] if named else [panel_layout.Entry(name, styles[name]) for name in means]
    plan = Plan(width, [height - _AROUND], titles=(f"← {plane['x']}", f"{plane['y']} →"), legend=legend)
    svg = panel_layout.drawn(plan, [Panel(0, 0, x_side, y_side, draw)])
    return svg.replace("<svg ", f'<svg x="{left}" y="{top}" ', 1)


def frontier(means: list[Point], least: float, longest: float) -> list[Point]:
    """The corners of the line that parts what some variant reaches from what none does, from right to left."""
    best = sorted({one for one in means if not any(o[0] <= one[0] and o[1] >= one[1] and o != one for o in means)})
    ends = [(best[0][0], least), *best, (longest, best[-1][1])]
    corners = [ends[0]]
    for one, after in itertools.pairwise(ends):
        corners += [(after[0], one[1]), after]
    return corners


def _names(marks: Mapping[str, Point], styles: Mapping[str, Style], frame: Frame) -> Iterator[str]:
    """The variants' names beside their marks, each where it covers no mark and no other name, if it can."""
    taken = [(x - _MARK, y - _MARK, x + _MARK, y + _MARK) for x, y in marks.values()]
    for name, (x, y) in marks.items():
        width = text_sizes.width(name, _NAME)
        best: tuple[float, tuple[float, float]] | None = None
        for place in _places(x, y, width):
            box = (place[0], place[1] - _NAME * 0.75, place[0] + width, place[1] + _NAME * 0.25)
            over = sum(_shared(box, other) for other in taken)
            over += 10 * max(0.0, frame.x - box[0]) + 10 * max(0.0, box[2] - frame.x - frame.width)
            over += 10 * max(0.0, frame.y - box[1]) + 10 * max(0.0, box[3] - frame.y - frame.height)
            if best is None or over < best[0]:
                best = (over, place)
            if not over:
                break
        assert best is not None
        left, base = best[1]
        taken.append((left, base - _NAME * 0.75, left + width, base + _NAME * 0.25))
        yield svg_parts.text(left, base, name, size=_NAME, fill=styles[name].colour)


def _places(x: float, y: float, width: float) -> Iterator[tuple[float, float]]:
    """Where a name may begin: beside its mark, then above and below, then further away."""
    for far in range(8):
        shift = far * _NAME * 0.6
        for down in (shift, -shift):
            yield x + _MARK + 4, y + _NAME * 0.3 + down
            yield x - _MARK - 4 - width, y + _NAME * 0.3 + down


def _shared(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> float:
    """The area that two boxes share."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, high)


def _ticks(scale: Scale) -> list[tuple[float, str]]:
    return [(scale.place(tick), plot_scales.label(tick)) for tick in scale.ticks]

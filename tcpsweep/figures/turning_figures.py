# SPDX-License-Identifier: MIT
"""The static figures of turning points: their lines with their bands over another axis, and each network's strip."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polars as pl

from tcpsweep.figures import panel_layout, plot_scales, svg_parts, turning_data
from tcpsweep.figures.panel_layout import Entry, Frame, Panel, Plan, Side
from tcpsweep.figures.picture_files import Figure
from tcpsweep.figures.plot_scales import Scale
from tcpsweep.figures.series_styles import Style
from tcpsweep.figures.turning_data import Map, Network, Turning
from tcpsweep.sweep import axes
from tcpsweep.sweep.sweep_record import PlannedSweep

GROUP = "Turning points"
MOST_MAPS, MOST_STRIPS = 12, 40
BAND = "#dcdcdc"
MAP_HEIGHT, ROW = 170.0, 16.0
# By sign, in the page's colours: apart for people without red or green cones, and by their shapes in print.
STYLES = {
    1: Style("#e8852f", "triangle-up", []),
    -1: Style("#2f93c9", "triangle-down", []),
    0: Style("#9a9a9a", "circle", []),
}
RADII = {1: 2.8, -1: 2.8, 0: 2.0}


def of(sweep: PlannedSweep, points: pl.DataFrame, turns: pl.DataFrame, width: float) -> Iterator[Figure]:
    """The figures of a sweep's tables ``refined_points`` and ``refined``; none if nothing was looked at."""
    turning = turning_data.of(sweep, points, turns)
    if turning is None:
        return
    difference = f"{turning.metric}, {turning.ahead[1]} less {turning.ahead[-1]}"
    how = (
        "It has a sign where its 95 % interval leaves out 0; a band reaches from the last value of the one "
        "sign to the first of the other, the line is where the mean difference is 0."
    )
    for number, each in enumerate(turning_data.maps(sweep, turning)[:MOST_MAPS]):
        where = f", {each.where}" if each.where else ""
        yield Figure(
            f"turning-map-{number}",
            GROUP,
            f"Where {turning.ahead[1]} and {turning.ahead[-1]} change places{where}",
            f"The {turning.axis.title} at which the sign of a difference changes: {difference}. {how}",
            "metric",
            _map(turning, each, width),
            turns,
        )
    yield Figure(
        "turning-strips",
        GROUP,
        f"Values of the {turning.axis.title} that were looked at",
        f"Each network's values, by the sign of a difference: {difference}. {how}",
        "metric",
        _strips(turning, width),
        points,
    )


def _legend(turning: Turning) -> list[Entry]:
    known = [Entry(f"{turning.ahead[sign]} has more", STYLES[sign]) for sign in (1, -1)]
    band = Entry("band of a turn", Style(BAND, "circle", []), mark=False, shade=True)
    return [*known, Entry("undecided", STYLES[0]), band]


def _mark(x: float, y: float, sign: int) -> str:
    return svg_parts.mark(x, y, STYLES[sign], RADII[sign])


def _inner(scale: Scale, value: float) -> float:
    return 0.03 + 0.94 * scale.place(value)


def _side(scale: Scale) -> Side:
    return Side("", [(_inner(scale, tick), plot_scales.label(tick)) for tick in scale.ticks])


def _map(turning: Turning, drawn: Map, width: float) -> str:
    x, y = turning_data.across_scale(drawn), turning.scale

    def draw(frame: Frame) -> Iterator[str]:
        def at(across: float, up: float) -> tuple[float, float]:
            return frame.across(_inner(x, across)), frame.up(_inner(y, up))

        joined = turning_data.joined(drawn)
        for (a, one), (b, other) in joined:
            corners = at(a, one.low_edge), at(b, other.low_edge), at(b, other.high_edge), at(a, one.high_edge)
            along = "L".join(f"{left:.2f},{top:.2f}" for left, top in corners)
            yield f'<path d="M{along}Z" fill="{BAND}" stroke="none"/>'
        for network in drawn.networks:
            for turn in network.turns:
                left, top = at(drawn.across.values[network.place[drawn.across.name]], turn.high_edge)
                _, bottom = at(x.least, turn.low_edge)
                yield svg_parts.box(left - 3, top, 6, bottom - top, fill=BAND)
        for (a, one), (b, other) in joined:
            yield svg_parts.path([at(a, one.estimate), at(b, other.estimate)], svg_parts.INK, 1.2)
        for network in drawn.networks:
            across = drawn.across.values[network.place[drawn.across.name]]
            for each in network.seen:
                yield _mark(*at(across, each.at), each.sign)
            for turn in network.turns:
                left, top = at(across, turn.estimate)
                yield svg_parts.line(left - 5, top, left + 5, top, svg_parts.INK, 1.4)

    titles = drawn.across.head, turning.axis.head
    plan = Plan(width, [MAP_HEIGHT], [], [], titles, _legend(turning))
    return panel_layout.drawn(plan, [Panel(0, 0, _side(x), _side(y), draw)])


def _strips(turning: Turning, width: float) -> str:
    shown, scale = turning.networks[:MOST_STRIPS], turning.scale
    places = [1 - (number + 0.5) / len(shown) for number in range(len(shown))]

    def drawing(network: Network, place: float) -> Callable[[Frame], Iterator[str]]:
        def draw(frame: Frame) -> Iterator[str]:
            y = frame.up(place)
            for turn in network.turns:
                low, high, at = (frame.across(_inner(scale, v)) for v in (turn.low_edge, turn.high_edge, turn.estimate))
                yield svg_parts.box(low, y - 6, high - low, 12, fill=BAND)
                yield svg_parts.line(at, y - 6, at, y + 6, svg_parts.INK, 1.4)
            for each in network.seen:
                yield _mark(frame.across(_inner(scale, each.at)), y, each.sign)

        return draw

    def draw(frame: Frame) -> Iterator[str]:
        for network, place in zip(shown, places, strict=True):
            yield from drawing(network, place)(frame)

    names = [axes.said(network.place) or "all" for network in shown]
    y = Side("", list(zip(places, names, strict=True)))
    plan = Plan(width, [ROW * len(shown) + 8], [], [], (turning.axis.head, ""), _legend(turning))
    return panel_layout.drawn(plan, [Panel(0, 0, _side(scale), y, draw)])

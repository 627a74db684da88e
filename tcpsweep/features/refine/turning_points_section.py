# SPDX-License-Identifier: MIT
"""The crossovers of two variants: a map over another axis, and a strip for each network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.figures import plot_scales, series_styles
from tcpsweep.core.figures.plot_scales import Scale
from tcpsweep.core.report import strips
from tcpsweep.core.report.sections import table_texts
from tcpsweep.core.report.strips import Band, Mark, MarkedStrip
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import rounding, units
from tcpsweep.features.refine import refine_record, turning_data
from tcpsweep.features.refine.refine_record import Refinement
from tcpsweep.features.refine.turning_data import Map, Network, Turned, Turning

WIDTH, HEIGHT = 420.0, 280.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 14.0, 12.0, 40.0
MOST_MAPS = 12
_Point = tuple[float, float]
KINDS = {1: "above", -1: "below", 0: "undecided"}


class _DrawnMap(NamedTuple):  # an SVG's parts, in pixels
    where: str
    x: str
    y: str
    ticks_x: list[tuple[float, str]]
    ticks_y: list[tuple[float, str]]
    marks: list[tuple[float, Mark]]  # each with its place upwards
    bars: list[tuple[float, Band, str]]  # each with its place across before it, and its tooltip after it
    bands: list[tuple[list[_Point], list[_Point]]]  # between neighbours: the band's corners, and the line's ends


@dataclass(frozen=True)
class TurningPoints:
    """The crossovers of two variants."""

    asked: Refinement
    turning: Turning
    colours: tuple[str, str]  # of the variant and the reference, in the style sheet
    ticks: list[tuple[float, str]]  # places in percent, and labels
    rows: list[tuple[str, MarkedStrip, Network]]  # a network in words, and its values and turns
    maps: list[_DrawnMap]
    is_unsteady: bool  # whether some runs are not stationary

    @property
    def turned(self) -> int:
        """The number of networks with a turn."""
        return sum(bool(network.turns) for network in self.turning.networks)


def section(results: SweepResults) -> TurningPoints | None:
    """The crossovers, from the sweep's tables ``refined_points`` and ``refined``.

    None if the sweep asks for no refinement, or nothing is known yet.
    """
    sweep = results.sweep
    turning = turning_data.turning_points(sweep, results.table("refined_points"), results.table("refined"))
    asked = refine_record.of(sweep)
    if turning is None or asked is None:
        return None
    scale = turning.scale
    return TurningPoints(
        asked,
        turning,
        (_colour(sweep, asked.variant), _colour(sweep, asked.reference)),
        strips.thinned([(_percent(scale, tick), plot_scales.label(tick)) for tick in scale.ticks]),
        [
            (axes.axes_in_words(network.place), _strip(turning, network, sweep, scale), network)
            for network in turning.networks[: table_texts.MOST_ROWS]
        ],
        [_map(turning, drawn, scale) for drawn in turning_data.maps(sweep, turning)[:MOST_MAPS]],
        any(not seen.is_steady for network in turning.networks for seen in network.seen),
    )


def _colour(sweep: PlannedSweep, variant: str) -> str:
    series = [*series_styles.styles(sweep)]
    return f"var(--series-{series.index(variant)})" if variant in series else "var(--soft)"


def _percent(scale: Scale, value: float) -> float:
    return round(100 * scale.place(value), 2)


def _strip(turning: Turning, network: Network, sweep: PlannedSweep, scale: Scale) -> MarkedStrip:
    marks = [
        Mark(
            _percent(scale, value.at),
            KINDS[value.sign],
            f"{turning.number(value.at)}: {value.said}{'' if value.is_steady else ', not all steady'}",
        )
        for value in network.seen
    ]
    bands = [
        Band(_percent(scale, turn.low_edge), _percent(scale, turn.high_edge), _percent(scale, turn.estimate))
        for turn in network.turns
    ]
    return MarkedStrip(marks, bands, words_on_network(turning, network, sweep))


def words_on_network(turning: Turning, network: Network, sweep: PlannedSweep) -> list[tuple[str, str]]:
    """The words on a network: each turn's place, and who is ahead above it; or that no turn is known."""
    turns = [(_turn_words(turning, turn), f"{turning.ahead[turn.after]} has more above it") for turn in network.turns]
    lost_words = [("runs are missing", f"at {network.incomplete} of {network.values} values, which stay inconclusive")]
    return (turns or [_without_turn(turning, network, sweep)]) + (lost_words if network.incomplete else [])


def _without_turn(turning: Turning, network: Network, sweep: PlannedSweep) -> tuple[str, str]:
    asked = refine_record.of(sweep)
    assert asked is not None
    ends = " and ".join(units.value_text(asked.range.value(end)) for end in (asked.range.low, asked.range.high))
    if network.sign is None:
        return ("sign unknown", f"between {ends}; these runs do not show which has more")
    where = " wherever these runs decide" if any(not each.sign for each in network.seen) or network.incomplete else ""
    return ("no change of sign", f"between {ends}; {turning.ahead[network.sign]} has more{where}")


def _turn_words(turning: Turning, turn: Turned) -> str:
    wide = "" if turn.is_narrow else ", less precise than requested"
    ends = (
        f"{turning.number(turn.low_edge).removesuffix(turning.axis.unit).rstrip()} to {turning.number(turn.high_edge)}"
    )
    return f"{_estimate(turning, turn)} ({ends}{wide})"


def _estimate(turning: Turning, turn: Turned) -> str:
    """The estimate with as many digits as its band allows; for a band that begins at 0, only its upper edge."""
    if turn.low_edge <= 0:
        return f"below {turning.number(turn.high_edge)}"
    factor = turn.high_edge / turn.low_edge
    digits = next((count for count, most in ((3, 1.1), (2, 2.0)) if factor <= most), 1)
    about = "about " if digits == 1 else ""
    return f"{about}{rounding.significant(turn.estimate, digits)} {turning.axis.unit}".rstrip()


def _map(turning: Turning, drawn: Map, scale: Scale) -> _DrawnMap:
    across = turning_data.across_scale(drawn)

    def x(value: float) -> float:
        return round(LEFT + (0.04 + 0.92 * across.place(value)) * (WIDTH - LEFT - RIGHT), 1)

    def y(value: float) -> float:
        return round(HEIGHT - BOTTOM - (0.03 + 0.94 * scale.place(value)) * (HEIGHT - TOP - BOTTOM), 1)

    marks, bars = [], []
    for network in drawn.networks:
        at = x(drawn.across.values[network.place[drawn.across.name]])
        where = network.place[drawn.across.name]
        for value in network.seen:
            words = f"{drawn.across.title} {where}, {turning.number(value.at)}: {value.said}"
            marks.append((y(value.at), Mark(at, KINDS[value.sign], words)))
        for turn in network.turns:
            words = f"{drawn.across.title} {where}: {_turn_words(turning, turn)}"
            bars.append((at, Band(y(turn.low_edge), y(turn.high_edge), y(turn.estimate)), words))
    bands = []
    for (a, one), (b, other) in turning_data.joined(drawn):
        low_edge = [(x(a), y(one.low_edge)), (x(b), y(other.low_edge))]
        high_edge = [(x(b), y(other.high_edge)), (x(a), y(one.high_edge))]
        bands.append((low_edge + high_edge, [(x(a), y(one.estimate)), (x(b), y(other.estimate))]))
    ticks_x = [(x(tick), plot_scales.label(tick)) for tick in across.ticks]
    ticks_y = [(y(tick), plot_scales.label(tick)) for tick in scale.ticks]
    return _DrawnMap(drawn.where, drawn.across.head, turning.axis.head, ticks_x, ticks_y, marks, bars, bands)


SECTION = Section(
    "turning_points",
    "features/refine/report/turning_points.html.jinja",
    section,
    heading="Crossovers",
    style="features/refine/report/turning_points.css",
)

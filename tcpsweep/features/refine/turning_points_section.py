# SPDX-License-Identifier: MIT
"""The crossovers of two variants: a map over another axis, and a strip for each network."""

from __future__ import annotations

from typing import Any

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Section
from tcpsweep.core.figures import plot_scales, series_styles
from tcpsweep.core.figures.plot_scales import Scale
from tcpsweep.core.report import strips
from tcpsweep.core.report.sections import table_texts
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import rounding, units
from tcpsweep.features.refine import refine_record, turning_data
from tcpsweep.features.refine.turning_data import Map, Network, Turned, Turning

WIDTH, HEIGHT = 420.0, 280.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 14.0, 12.0, 40.0
MOST_MAPS = 12
KINDS = {1: "above", -1: "below", 0: "undecided"}


def section(results: SweepResults) -> dict[str, Any] | None:
    """The section's contents; None if the sweep asks for no refinement, or nothing is known yet.

    The contents, from the sweep's tables ``refined_points`` and ``refined``:

    - ``metric``, ``metric_name``, ``variant`` and ``reference``, with the ``colours`` of both in the style sheet
    - ``axis``, with its unit, and ``title``, without
    - ``to``, and ``of_range``, whether it is a share of the range
    - ``turning`` and ``networks``, how many networks have a turn and how many there are
    - ``looked_at`` and ``cells``, how many values and cells there are in all networks
    - ``ticks``, places in percent and labels
    - ``rows``, each with ``where``, ``marks``, ``bands`` and ``said``
    - ``more``, how many are left out
    - ``maps``
    - ``incomplete``, at how many values runs are lost
    - ``unsteady``, whether some runs are not stationary
    """
    sweep = results.sweep
    turning = turning_data.turning_points(sweep, results.table("refined_points"), results.table("refined"))
    asked = refine_record.of(sweep)
    if turning is None or asked is None:
        return None
    scale = turning.scale
    rows = [_row(turning, network, sweep, scale) for network in turning.networks[: table_texts.MOST_ROWS]]
    return {
        "metric": turning.metric,
        "metric_name": asked.metric,
        "variant": turning.ahead[1],
        "reference": turning.ahead[-1],
        "colours": [_colour(sweep, turning.ahead[sign]) for sign in (1, -1)],
        "axis": turning.axis.head,
        "title": turning.axis.title,
        "to": f"{100 * asked.to:.4g} %",
        "of_range": asked.range.has_zero,
        "turning": sum(bool(network.turns) for network in turning.networks),
        "networks": len(turning.networks),
        "looked_at": sum(network.values for network in turning.networks),
        "cells": sum(network.cells for network in turning.networks),
        "ticks": strips.thinned([(_percent(scale, tick), plot_scales.label(tick)) for tick in scale.ticks]),
        "rows": rows,
        "more": max(0, len(turning.networks) - len(rows)),
        "maps": [_map(turning, drawn, scale) for drawn in turning_data.maps(sweep, turning)[:MOST_MAPS]],
        "incomplete": sum(network.incomplete for network in turning.networks),
        "unsteady": any(not seen.is_steady for network in turning.networks for seen in network.seen),
    }


def _colour(sweep: PlannedSweep, variant: str) -> str:
    series = [*series_styles.styles(sweep)]
    return f"var(--series-{series.index(variant)})" if variant in series else "var(--soft)"


def _percent(scale: Scale, value: float) -> float:
    return round(100 * scale.place(value), 2)


def _row(turning: Turning, network: Network, sweep: PlannedSweep, scale: Scale) -> dict[str, Any]:
    return {
        "where": axes.axes_in_words(network.place),
        "marks": [
            {
                "x": _percent(scale, value.at),
                "kind": KINDS[value.sign],
                "said": f"{turning.number(value.at)}: {value.said}{'' if value.is_steady else ', not all steady'}",
            }
            for value in network.seen
        ],
        "bands": [
            {
                "low": _percent(scale, turn.low_edge),
                "high": _percent(scale, turn.high_edge),
                "at": _percent(scale, turn.estimate),
            }
            for turn in network.turns
        ],
        "said": words_on_network(turning, network, sweep),
        "looked_at": network.values,
        "cells": network.cells,
    }


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


def _map(turning: Turning, drawn: Map, scale: Scale) -> dict[str, Any]:
    """A map as an SVG's parts: ticks, marks, and the band and the line between each two neighbours."""
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
            marks.append({"x": at, "y": y(value.at), "kind": KINDS[value.sign], "said": words})
        for turn in network.turns:
            words = f"{drawn.across.title} {where}: {_turn_words(turning, turn)}"
            ends = {"low": y(turn.low_edge), "high": y(turn.high_edge), "at": y(turn.estimate)}
            bars.append(ends | {"x": at, "said": words})
    return {
        "where": drawn.where,
        "x": drawn.across.head,
        "y": turning.axis.head,
        "ticks_x": [(x(tick), plot_scales.label(tick)) for tick in across.ticks],
        "ticks_y": [(y(tick), plot_scales.label(tick)) for tick in scale.ticks],
        "marks": marks,
        "bars": bars,
        "bands": [
            {
                "band": [
                    (x(a), y(one.low_edge)),
                    (x(b), y(other.low_edge)),
                    (x(b), y(other.high_edge)),
                    (x(a), y(one.high_edge)),
                ],
                "line": [(x(a), y(one.estimate)), (x(b), y(other.estimate))],
            }
            for (a, one), (b, other) in turning_data.joined(drawn)
        ],
    }


SECTION = Section(
    "turning_points",
    "features/refine/report/turning_points.html.jinja",
    section,
    heading="Crossovers",
    style="features/refine/report/turning_points.css",
)

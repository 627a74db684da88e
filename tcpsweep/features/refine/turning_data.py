# SPDX-License-Identifier: MIT
"""The data of pictures of crossovers: each network's values and turns in the unit of the axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from tcpsweep.core.figures import plot_scales
from tcpsweep.core.figures.plot_scales import Scale
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.axes import Axis
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics, rounding
from tcpsweep.features.refine import refine_record

MOST_TICKS = 8
_FEW = 4  # a geometric scale with fewer ticks gets more between them


@dataclass(frozen=True)
class Seen:
    """A value that was simulated: its number, the sign there, the difference in words, and whether runs were steady."""

    at: float
    sign: int
    said: str
    is_steady: bool


@dataclass(frozen=True)
class Turned:
    """A turn: the edges of its band, the estimate in it, the sign after it, and whether the edges are narrow."""

    low_edge: float
    high_edge: float
    estimate: float
    after: int
    is_narrow: bool


@dataclass(frozen=True)
class Network:
    """A network of the rest of the grid."""

    place: dict[str, str]  # its values of the axes on which networks differ, as texts
    seen: list[Seen]
    turns: list[Turned]
    sign: int | None  # without a turn, the sign at all decided values; None if none is decided
    values: int  # the number of values that were simulated
    incomplete: int  # the number of these values at which runs are lost
    cells: int


@dataclass(frozen=True)
class Map:
    """Turns over another axis of numbers: the networks that differ only in it, in its order."""

    where: str  # the values that its networks share, in words; empty if there is one map
    across: Axis
    networks: list[Network]


@dataclass(frozen=True)
class Turning:
    """The data of the pictures: the open axis, whether it is geometric, the networks, and who is ahead at each sign."""

    axis: Axis
    is_geometric: bool
    metric: str
    networks: list[Network] = field(default_factory=list)
    ahead: dict[int, str] = field(default_factory=dict)

    @property
    def scale(self) -> Scale:
        """The scale of the open axis, from the least to the greatest value that was simulated."""
        at = [each.at for network in self.networks for each in network.seen]
        if not self.is_geometric:
            return plot_scales.around(min(at), max(at), zero=False)
        scale = plot_scales.logarithmic(at)
        if len(scale.ticks) >= _FEW:
            return scale
        between = [step * tick for tick in scale.ticks for step in (0.2, 0.5, 1, 2, 5)]
        ticks = sorted({float(f"{tick:.6g}") for tick in between if scale.least <= tick <= scale.largest})
        return replace(scale, ticks=ticks)

    def number(self, value: float) -> str:
        """A value of the open axis with its unit."""
        return f"{rounding.significant(value, 4)} {self.axis.unit}".rstrip()


def turning_points(sweep: PlannedSweep, points: pl.DataFrame, turns: pl.DataFrame) -> Turning | None:
    """The pictures' data from a sweep's tables ``refined_points`` and ``refined``; None if no run has a result."""
    asked = refine_record.of(sweep)
    shown = axes.swept_axes(sweep)
    if asked is None or asked.range.axis not in shown or points["difference"].drop_nulls().is_empty():
        return None
    axis, metric = shown[asked.range.axis], metrics.METRICS[asked.metric]
    # The axis has its numbers in a unit of its own, and tables have them in base units.
    text, largest = max(axis.values.items(), key=lambda value: value[1])
    unit = asked.range.number(text) / largest
    names, texts = [name for name in axes.rest_axes(sweep) if name in shown], sweep.texts

    def difference_words(row: dict[str, float]) -> str:
        difference = rounding.mean_text(row["difference"], row["low"], row["high"], metric.scale, "difference")
        return f"{rounding.difference_with_unit(difference, metric.shown_unit)}, {row['runs']} runs"

    networks: list[Network] = []
    for (number,), part in points.group_by("network", maintain_order=True):
        rows = part.drop_nulls("difference").rows(named=True)
        seen = [Seen(row["at"] / unit, row["sign"], difference_words(row), bool(row["steady"])) for row in rows]
        turn_rows = turns.filter(pl.col("network") == number).rows(named=True)
        ends = ("low_edge", "high_edge", "estimate")
        network_turns = [
            Turned(**{name: row[name] / unit for name in ends}, after=row["after"], is_narrow=row["reached"])
            for row in turn_rows
            if row["turn"] is not None
        ]
        place = {name: texts[part["combination"][0]][name] for name in names}
        counts = (turn_rows[0][name] for name in ("values", "incomplete", "cells"))
        networks.append(Network(place, seen, network_turns, turn_rows[0]["after"], *counts))
    ahead = {1: asked.variant, -1: asked.reference}
    return Turning(axis, asked.range.is_geometric, metric.title, networks, ahead)


def printed(turning: Turning, names: Mapping[str, str]) -> Turning:
    """The pictures' data with variants' names for print, from `axes.names_for_print`."""
    return replace(turning, ahead={sign: names.get(name, name) for sign, name in turning.ahead.items()})


def maps(sweep: PlannedSweep, turning: Turning) -> list[Map]:
    """The maps of turns over the numeric axis with the most values: one for each combination of the other axes."""
    shown = axes.swept_axes(sweep)
    names = [name for name in axes.rest_axes(sweep) if name in shown]
    numeric = [name for name in names if shown[name].numeric]
    if not numeric:
        return []
    across = shown[max(numeric, key=lambda name: len(shown[name].values))]
    groups: dict[tuple[str, ...], list[Network]] = {}
    for network in turning.networks:
        groups.setdefault(tuple(network.place[name] for name in names if name != across.name), []).append(network)
    drawn_maps = []
    for map_networks in groups.values():
        others = {name: text for name, text in map_networks[0].place.items() if name != across.name}
        in_order = sorted(map_networks, key=lambda network: across.values[network.place[across.name]])
        if len(in_order) > 1:
            drawn_maps.append(Map(axes.axes_in_words(others), across, in_order))
    return drawn_maps


def across_scale(drawn: Map) -> Scale:
    """The scale of a map's other axis, with its values as ticks where they are few."""
    xs = [drawn.across.values[network.place[drawn.across.name]] for network in drawn.networks]
    if len(xs) > MOST_TICKS:
        return plot_scales.logarithmic(xs) if min(xs) > 0 else plot_scales.around(min(xs), max(xs), zero=False)
    return Scale("log" if min(xs) > 0 else "linear", min(xs), max(xs), xs)


def joined(drawn: Map) -> list[tuple[tuple[float, Turned], tuple[float, Turned]]]:
    """The turns to join on a map: neighbours with equally many turns, in the same directions, joined in order."""
    pairs = []
    for one, other in zip(drawn.networks, drawn.networks[1:], strict=False):
        places = [float(drawn.across.values[network.place[drawn.across.name]]) for network in (one, other)]
        if _signs_after(one.turns) == _signs_after(other.turns):
            pairs += [((places[0], low), (places[1], high)) for low, high in zip(one.turns, other.turns, strict=True)]
    return pairs


def _signs_after(turns: Sequence[Turned]) -> list[int]:
    return [turn.after for turn in turns]

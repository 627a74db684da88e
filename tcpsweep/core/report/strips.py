# SPDX-License-Identifier: MIT
"""Values as dots on a line with their intervals, a row each on one axis: pictures that need no script.

Places are in percent of the picture's width, so that it fills the room that it has; colours are the style sheet's.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from tcpsweep.core.figures import plot_scales
from tcpsweep.core.words import rounding

_MOST_TICKS, _FEW_TICKS = 7, 3
_WIDE = 30.0  # values whose largest is this many times the least have a logarithmic axis
# Ratios below 1, each with the ratio as far above 1, the outermost first.
_RATIOS = ((0.1, 10), (0.2, 5), (0.5, 2), (0.8, 1.25), (0.9, 1.1), (0.95, 1.05))
# The narrowest picture, on a telephone, and its texts, all in pixels (style.css has the width in rem).
_LEAST_WIDTH, _LETTER, _NARROW, _GAP = 176.0, 7.0, 4.0, 4.0


@dataclass(frozen=True)
class Axis:
    """An axis from ``low`` to ``high``; ``ticks`` are places and texts, ``neutral`` is the value of "no difference"."""

    low: float
    high: float
    logarithmic: bool
    neutral: float
    ticks: list[tuple[float, str]] = field(default_factory=list)

    def x(self, value: float) -> float:
        """A value's place, in percent; a value beyond the axis is placed at its end."""
        low, high = self._scaled(self.low), self._scaled(self.high)
        share = (self._scaled(value) - low) / (high - low)
        return round(100 * min(1.0, max(0.0, share)), 2)

    @property
    def at(self) -> float:
        """The place of "no difference"."""
        return self.x(self.neutral)

    def _scaled(self, value: float) -> float:
        if not self.logarithmic:
            return value
        return math.log(value) if value > 0 else -math.inf


@dataclass(frozen=True)
class Strip:
    """A row: a ``dot`` and a ``ring``, a ``whisker`` for an interval, a ``span`` for a range; places, or None.

    ``cut`` are the ends, "low" and "high", beyond which a part of the row lies.
    """

    dot: float | None = None
    ring: float | None = None
    whisker: tuple[float, float] | None = None
    span: tuple[float, float] | None = None
    cut: tuple[str, ...] = ()


class Mark(NamedTuple):
    """A dot of a kind, such as "above", with its tooltip."""

    x: float
    kind: str
    said: str


class Band(NamedTuple):
    """A range, and an estimate in it."""

    low: float
    high: float
    at: float


class MarkedStrip(NamedTuple):
    """A row of dots and bands, and words on it in pairs; places are in percent."""

    marks: list[Mark]
    bands: list[Band]
    said: list[tuple[str, str]]


def strip(
    axis: Axis,
    dot: float | None = None,
    ring: float | None = None,
    whisker: tuple[float | None, float | None] = (None, None),
    span: tuple[float | None, float | None] = (None, None),
) -> Strip:
    """A row of values on an axis; missing values are None."""
    values = [value for value in (dot, ring, *whisker, *span) if value is not None]
    beyond = {"low": any(value < axis.low for value in values), "high": any(value > axis.high for value in values)}
    return Strip(
        None if dot is None else axis.x(dot),
        None if ring is None else axis.x(ring),
        _places(axis, whisker),
        _places(axis, span),
        tuple(end for end, exceeded in beyond.items() if exceeded),
    )


def _places(axis: Axis, ends: tuple[float | None, float | None]) -> tuple[float, float] | None:
    low, high = ends
    return None if low is None or high is None else (axis.x(low), axis.x(high))


def of_ratios(values: Iterable[float], least: float, most: float) -> Axis:
    """A logarithmic axis around 1 that holds all ratios within a factor of ``most``, and spans at least ``least``."""
    factors = [max(value, 1 / value) for value in values if value > 0]
    factor = min(most, max([least, *factors]) * 1.02)
    axis = Axis(1 / factor, factor, True, 1.0)
    ticks = [(axis.at, "1")]
    for pair in _RATIOS:
        with_pair = [*ticks, *((axis.x(ratio), f"{ratio:g}") for ratio in pair)]
        if axis.low <= pair[0] and pair[1] <= axis.high and are_apart(with_pair):
            ticks = with_pair
    return Axis(axis.low, axis.high, True, 1.0, sorted(ticks))


def of_differences(values: Iterable[float], most: float = math.inf) -> Axis:
    """An axis that holds 0 and all values within ± ``most``."""
    shown = [0.0, *(min(most, max(-most, value)) for value in values)]
    low, high = min(shown), max(shown)
    if low == high:
        low, high = low - 1, high + 1
    room = 0.03 * (high - low)
    low, high = low - room, high + room
    axis = Axis(low, high, False, 0.0)
    tick_choices = []
    for most in range(_MOST_TICKS, _FEW_TICKS - 1, -1):
        round_numbers = plot_scales.around(low, high, zero=True, most=most + 1).ticks
        ticks = [
            (axis.x(tick), rounding.with_minus(f"{tick:+g}") if tick else "0")
            for tick in round_numbers
            if low <= tick <= high
        ]
        tick_choices += [ticks, [ticks[0], ticks[-1]]]
    # As many ticks as fit without overlap; where long numbers leave room for few, the ticks at the ends.
    readable = [ticks for ticks in tick_choices if len(set(ticks)) > 1 and are_apart(ticks)]
    return Axis(low, high, False, 0.0, max(readable, key=len) if readable else tick_choices[0][:1])


def of_values(values: Iterable[float], means: Iterable[float] = ()) -> Axis:
    """An axis that holds all values, with its ends as ticks: from 0, or logarithmic where the range is wide."""
    shown = list(values)
    least, largest = min(shown, default=0.0), max(shown, default=0.0)
    compared = [*means] or shown
    if least > 0 and max(compared) > _WIDE * min(compared) > 0:
        low, high = 10 ** math.floor(math.log10(least)), 10 ** math.ceil(math.log10(largest))
        return Axis(low, high, True, low, [(0.0, f"{low:g}"), (100.0, f"{high:g}")])
    low, high = _outwards(min(least, 0.0)), _outwards(max(largest, 0.0)) or 1.0
    return Axis(low, high, False, 0.0, [(0.0, f"{low:g}"), (100.0, f"{high:g}")])


def _outwards(value: float) -> float:
    """A number to two digits, away from 0."""
    if not value:
        return 0.0
    step = 10.0 ** (math.floor(math.log10(abs(value))) - 1)
    return math.copysign(float(f"{math.ceil(abs(value) / step - 1e-9) * step:.12g}"), value)


def are_apart(ticks: Iterable[tuple[float, str]]) -> bool:
    """Whether the texts of ticks, at places in percent, do not overlap in the narrowest picture."""
    ends = sorted(_text_span(*tick) for tick in ticks)
    return all(right + _GAP <= left for (_, right), (left, _) in itertools.pairwise(ends))


def thinned(ticks: list[tuple[float, str]]) -> list[tuple[float, str]]:
    """Every tick, every second one, …: the most whose texts do not overlap in the narrowest picture."""
    steps = range(1, len(ticks) + 1)
    return next((ticks[::step] for step in steps if are_apart(ticks[::step])), ticks)


def _text_span(place: float, text: str) -> tuple[float, float]:
    middle = place / 100 * _LEAST_WIDTH
    width = sum(_NARROW if letter in ".-" else _LETTER for letter in text)
    return middle - width / 2, middle + width / 2

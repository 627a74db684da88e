# SPDX-License-Identifier: MIT
"""The scales of static figures: the places of numbers on an axis, and its ticks with their labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from tcpsweep.core.words import rounding

Kind = Literal["linear", "log", "symlog"]
STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
MOST_TICKS = 5


@dataclass(frozen=True)
class Scale:
    """A scale; "symlog" is logarithmic on both sides of zero, and nearly linear up to ``threshold`` from it."""

    kind: Kind
    least: float
    largest: float
    ticks: list[float] = field(default_factory=list)  # the ticks with labels
    threshold: float = 1.0
    margin: float = 0.0  # the part of the axis' length that is left free at each of its ends

    def place(self, value: float) -> float:
        """A number's place: 0 at the axis' beginning, 1 at its end."""
        low, high, at = (self._transformed(number) for number in (self.least, self.largest, value))
        part = (at - low) / (high - low) if high > low else 0.5
        return self.margin + part * (1 - 2 * self.margin)

    def _transformed(self, value: float) -> float:
        if self.kind == "log":
            return math.log10(value)
        if self.kind == "symlog":
            return math.copysign(math.log1p(abs(value) / self.threshold), value)
        return value


def around(least: float, largest: float, zero: bool, most: int = MOST_TICKS) -> Scale:
    """A linear scale that holds all numbers from the least to the largest and begins and ends at a tick.

    ``zero`` says whether it holds 0 as well, ``most`` how many ticks it has at the most.
    """
    if zero:
        least, largest = min(least, 0.0), max(largest, 0.0)
    if largest - least <= 1e-9 * max(abs(least), abs(largest)):
        spread = abs(largest) * 0.1 or 1.0
        least, largest = (0.0, spread) if not largest else (least - spread * (least != 0), largest + spread)
    step = step_of(largest - least, most)
    begin, end = math.floor(least / step + 1e-9), math.ceil(largest / step - 1e-9)
    ticks = [float(f"{number * step:.12g}") for number in range(begin, end + 1)]
    return Scale("linear", ticks[0], ticks[-1], ticks)


def step_of(span: float, most: int) -> float:
    """The least round step that gives about ``most`` ticks or fewer over a span, with its ends rounded outwards."""
    least_step = span / max(1, most - 1)
    power = 10.0 ** math.floor(math.log10(least_step))
    return next(step * power for step in STEPS if step * power >= least_step * (1 - 1e-9))


def logarithmic(ends: Sequence[float], most: int = MOST_TICKS) -> Scale:
    """A logarithmic scale that holds all numbers; where some are 0 or negative, it is nearly linear around 0."""
    positive = [end for end in ends if end > 0]
    if not positive:
        return around(min(ends), max(ends), zero=True, most=most)
    least, largest = min(positive), max(positive)
    if len(positive) == len(ends):
        if math.log10(largest / least) < 1.2:
            return _within_a_decade(least, largest, most)
        low_power, high_power = math.floor(math.log10(least) + 1e-9), math.ceil(math.log10(largest) - 1e-9)
        ticks = [10.0**power for power in range(low_power, high_power + 1)]
        first_tick = ticks[0] * (2 if least >= 2 * ticks[0] else 1)
        last_tick = ticks[-1] / next((factor for factor in (5, 2) if largest <= ticks[-1] / factor), 1)
        shown = [tick for tick in ticks if first_tick <= tick <= last_tick]
        return Scale("log", first_tick, last_tick, thinned(shown, most))
    # The part around zero takes no more room than a decade.
    smallest = min(abs(end) for end in ends if end)
    threshold = 10.0 ** math.floor(math.log10(max(smallest, largest * 1e-6)))
    lowest = min(ends)
    positive_ticks = [10.0**power for power in range(round(math.log10(threshold)), math.floor(math.log10(largest)) + 1)]
    negative_ticks = [-tick for tick in positive_ticks if tick <= -lowest]
    ticks = [*(negative_ticks[-1:]), 0.0, *thinned(positive_ticks, most - 1)]
    return Scale("symlog", min(lowest, 0.0), largest, ticks, threshold)


def _within_a_decade(least: float, largest: float, most: int) -> Scale:
    """A short logarithmic scale, whose ticks are round numbers."""
    if largest < 1.5 * least:
        near = around(least, largest, zero=False, most=most)
        if near.least > 0:
            return Scale("log", near.least, near.largest, near.ticks)
    power = 10.0 ** math.floor(math.log10(least) + 1e-9)
    steps = [factor * power * ten for ten in (1.0, 10.0, 100.0) for factor in (1, 1.5, 2, 3, 5, 7)]
    begin = max(step for step in steps if step <= least * (1 + 1e-9))
    end = min(step for step in steps if step >= largest * (1 - 1e-9))
    ticks = [float(f"{step:.6g}") for step in steps if begin <= step <= end]
    return Scale("log", begin, end, thinned(ticks, most + 1))


def thinned(ticks: list[float], most: int) -> list[float]:
    """Every nth tick from the first, with the least n that leaves at most ``most`` ticks."""
    return ticks[:: max(1, math.ceil(len(ticks) / max(1, most)))]


def is_cut(scale: Scale) -> bool:
    """Whether a linear axis leaves out 0."""
    return scale.kind == "linear" and not scale.least <= 0 <= scale.largest


def label(value: float) -> str:
    """A tick's number in a figure; numbers from a million on, and below a ten-thousandth, are powers of ten."""
    if value and (abs(value) >= 1e6 or abs(value) < 1e-4):
        mantissa, _, power = f"{value:.3e}".partition("e")
        short = mantissa.rstrip("0").rstrip(".")
        return rounding.with_minus(f"{short}e{int(power)}")
    return rounding.with_minus(f"{value:.6g}")

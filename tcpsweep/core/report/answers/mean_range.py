# SPDX-License-Identifier: MIT
"""The means of several combinations in short: their mean, the least and the greatest."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics, rounding

VARIANTS, CONDITIONS = "variants", "network conditions"


class MeanRange(NamedTuple):
    """The mean over combinations with the least and the greatest, in readable units."""

    mean: float
    least: float
    most: float

    def text(self, finest: float = 0.0, digits: int = 2) -> str:
        """The span in words, to so many digits; values below ``finest`` become 0."""
        ends = (0.0 if abs(end) < finest else end for end in (self.least, self.most))
        return " to ".join(dict.fromkeys(_number(end, digits) for end in ends))


def mean_range(values: Sequence[float], metric: str) -> MeanRange:
    """The span of a metric's means, in the unit that people read."""
    scaled = [value * metrics.METRICS[metric].scale for value in values]
    return MeanRange(sum(scaled) / len(scaled), min(scaled), max(scaled))


def over(sweep: PlannedSweep, of_variants: bool = False) -> str:
    """Over what a span's means differ, such as "variants and network conditions"; empty if over nothing."""
    variants = len({row["variant"] for row in sweep.texts}) > 1 and of_variants
    networks = len({tuple(place.items()) for place in axes.network_texts(sweep)}) > 1
    return " and ".join([*([VARIANTS] if variants else []), *([CONDITIONS] if networks else [])])


def note(what: str) -> str:
    """The sentence that says what a range is; empty if there is none."""
    return f" A range is from the smallest to the largest mean over {what}." if what else ""


def alike(texts: Mapping[str, str], order: Sequence[str], unit: str = "") -> list[tuple[str, str]]:
    """Values with the variants that have them, such as "1.9 Mbit/s with A and B, and 1.1 Mbit/s with C"."""
    by_text: dict[str, list[str]] = {}
    for variant in order:
        by_text.setdefault(texts[variant], []).append(variant)
    parts: list[tuple[str, str]] = []
    for number_of_text, (text, variants) in enumerate(by_text.items()):
        parts.append(("text", f"{_separator(number_of_text, len(by_text))}{f'{text} {unit}'.rstrip()} with "))
        for number, variant in enumerate(variants):
            parts += [("text", _separator(number, len(variants))), ("variant", variant)]
    return [(kind, words) for kind, words in parts if words]


def _separator(place: int, count: int) -> str:
    if not place:
        return ""
    return " and " if place == count - 1 else ", "


def _number(value: float, digits: int) -> str:
    return "∞" if math.isinf(value) else rounding.significant(value, digits)

# SPDX-License-Identifier: MIT
"""The means of several combinations in short: their mean, the least and the greatest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tcpsweep.words import metrics, rounding


class Span(NamedTuple):
    """The mean over combinations with the least and the greatest, in readable units."""

    mean: float
    least: float
    most: float

    def text(self, finest: float = 0.0) -> str:
        """The span in words, to two digits; values below ``finest`` become 0."""
        ends = (0.0 if abs(end) < finest else end for end in (self.least, self.most))
        return " to ".join(dict.fromkeys(map(rounding.significant, ends)))


def span(values: Sequence[float], metric: str) -> Span:
    """The span of a metric's means, in the unit that people read."""
    scaled = [value * metrics.METRICS[metric].scale for value in values]
    return Span(sum(scaled) / len(scaled), min(scaled), max(scaled))

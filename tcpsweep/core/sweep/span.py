# SPDX-License-Identifier: MIT
"""The measured part of a simulation, and the mean of a rate in it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

OPPORTUNITY_BITS = 1500 * 8  # that a link with a trace can send at each of its times


@dataclass(frozen=True)
class Span:
    """The measured part of a combination's runs."""

    from_s: float | None  # the beginning, after the warm-up; None if it must be found
    to_s: float  # the end
    # The least time between a flow's start and its measurement; None if it follows from ``from_s``
    flow_warmup_s: float | None = None
    # The link for the whole network's numbers, such as "radio" or "radio back"; empty to find it
    reference_link: str = ""
    # Of links that follow a trace, such as "radio" or "radio back": how many delivery opportunities there are until
    # each whole second
    opportunities: dict[str, tuple[int, ...]] = field(default_factory=dict)


def mean_rate(rates: Sequence[tuple[float, float]], from_s: float, to_s: float) -> float:
    """The mean of a changing rate between two times; ``rates`` are times in s, with the rates from then on."""
    if len(rates) == 1:
        return rates[0][1]
    ends = [since for since, _ in rates[1:]] + [to_s]
    bits = sum(
        max(0.0, min(end, to_s) - max(since, from_s)) * rate for (since, rate), end in zip(rates, ends, strict=True)
    )
    return bits / (to_s - from_s)

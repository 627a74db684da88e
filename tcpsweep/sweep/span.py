# SPDX-License-Identifier: MIT
"""The part of a simulation that counts, and the mean of a rate in it."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """The part of a combination's runs that counts."""

    from_s: float | None  # when the time that counts begins; None if it is to be found
    to_s: float  # when it ends
    # How long after its start a flow begins to count at the earliest; None if that follows from ``from_s``
    flow_warmup_s: float | None = None
    # The link that the numbers of the whole network are about, such as "radio" or "radio back"; empty to find it
    reference_link: str = ""


def mean_rate(rates: Sequence[tuple[float, float]], from_s: float, to_s: float) -> float:
    """The mean between two times of a rate that changes: from when, in s, and how much, in bit/s."""
    if len(rates) == 1:
        return rates[0][1]
    ends = [since for since, _ in rates[1:]] + [to_s]
    bits = sum(
        max(0.0, min(end, to_s) - max(since, from_s)) * rate for (since, rate), end in zip(rates, ends, strict=True)
    )
    return bits / (to_s - from_s)

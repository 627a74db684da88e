# SPDX-License-Identifier: MIT
"""The part of a simulation that counts, and the bottleneck's rate in it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """The part of a combination's runs that counts.

    Attributes
    ----------
    from_s : float or None
        When the time that counts begins; None if it is to be found.
    to_s : float
        When it ends.
    rates : list of (float, float)
        The bottleneck's rates: from when, in s, and how much, in bit/s.
    flow_warmup_s : float or None
        How long after its start a flow begins to count at the earliest; None if that follows from ``from_s``.
    """

    from_s: float | None
    to_s: float
    rates: list[tuple[float, float]]
    flow_warmup_s: float | None = None

    def mean_rate(self, from_s: float) -> float:
        """The mean of the bottleneck's rate from a time to the end, in bit/s."""
        ends = [since for since, _ in self.rates[1:]] + [self.to_s]
        bits = sum(
            max(0.0, min(end, self.to_s) - max(since, from_s)) * rate
            for (since, rate), end in zip(self.rates, ends, strict=True)
        )
        return bits / (self.to_s - from_s)

# SPDX-License-Identifier: MIT
"""Intervals that end where a metric's values do: Student's t knows nothing of them."""

_SIGNED = {"rtt_exponent", "goodput_trend"}  # all other metrics count or measure what cannot be negative


def low(metric: str, mean: float | None, end: float | None) -> float | None:
    """The lower end of a mean's interval, 0 where the metric has no values below it."""
    if end is None or mean is None or end >= 0 or mean < 0 or metric in _SIGNED:
        return end
    return 0.0

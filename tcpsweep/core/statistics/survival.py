# SPDX-License-Identifier: MIT
"""Times until an event, where some times are censored: they are known only to exceed the observed time.

Omitting censored times, or counting them as complete, biases the result towards short times.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

Curve: TypeAlias = list[tuple[float, float]]
"""A survival curve: from which time on, which share is not yet over; it begins with (0, 1)."""


def kaplan_meier(times: Sequence[float], ended: Sequence[bool]) -> Curve:
    """The share that has not ended by each time: Ŝ(t) = ∏ (1 − dᵢ / nᵢ) over the ends tᵢ ≤ t.

    nᵢ items are observed up to tᵢ, and dᵢ of them end at tᵢ. An item that is censored at tᵢ counts in nᵢ.

    Kaplan and Meier: Nonparametric Estimation from Incomplete Observations. Journal of the American Statistical
    Association 53(282), 1958.

    ``times`` are the durations or, for items that did not end, the observed times; all above 0.
    """
    ends_by_time = Counter(time for time, has_ended in zip(times, ended, strict=True) if has_ended)
    count_by_time, share = Counter(times), 1.0
    at_risk, curve = len(times), [(0.0, 1.0)]
    for time in sorted(count_by_time):
        if ends_by_time[time]:
            share *= 1 - ends_by_time[time] / at_risk
            curve.append((time, share))
        at_risk -= count_by_time[time]
    return curve


def restricted_mean(curve: Curve, horizon: float) -> float:
    """The mean of min(T, horizon): the area under a survival curve up to the horizon.

    The horizon must not exceed any censored time, because the curve is unknown beyond. Under this condition, the result
    is the plain mean of each duration or, if less, the horizon.

    Royston and Parmar: Restricted mean survival time: an alternative to the hazard ratio for the design and analysis of
    randomized trials with a time-to-event outcome. BMC Medical Research Methodology 13:152, 2013.
    """
    steps = [*((time, share) for time, share in curve if time < horizon), (horizon, 0.0)]
    return sum((until - since) * share for (since, share), (until, _) in pairwise(steps))


def percentile(curve: Curve, share: float) -> float | None:
    """The least time by which at least this share has ended; None if the curve does not reach the share."""
    # With the tolerance, a share counts as reached despite rounding errors.
    return next((time for time, not_ended in curve if not_ended <= 1 - share + 1e-12), None)

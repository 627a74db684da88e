# SPDX-License-Identifier: MIT
"""Times until an event, some of which are known only to be longer than could be watched.

To leave these out, or to count them as if they had ended, makes times look shorter the longer they are.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

Curve: TypeAlias = list[tuple[float, float]]
"""A survival curve: from which time on, which share is not yet over; it begins with (0, 1)."""


def kaplan_meier(times: Sequence[float], ended: Sequence[bool]) -> Curve:
    """The share of all that is not yet over, over time: Ŝ(t) = ∏ (1 − dᵢ / nᵢ) over the ends tᵢ ≤ t.

    dᵢ of the nᵢ that are watched up to tᵢ end then; one that is watched until tᵢ and does not end counts among them.

    Kaplan and Meier: Nonparametric Estimation from Incomplete Observations. Journal of the American Statistical
    Association 53(282), 1958.

    ``times`` are how long each took or, where it did not end, was watched; all above 0.
    """
    ends = Counter(time for time, over in zip(times, ended, strict=True) if over)
    watched, share = Counter(times), 1.0
    left, curve = len(times), [(0.0, 1.0)]
    for time in sorted(watched):
        if ends[time]:
            share *= 1 - ends[time] / left
            curve.append((time, share))
        left -= watched[time]
    return curve


def restricted_mean(curve: Curve, horizon: float) -> float:
    """The mean of min(T, horizon): the area under a survival curve up to there.

    The horizon must be no longer than all are watched who do not end, as the curve is not known beyond. Up to the time
    that each is watched, this is the plain mean of what each took, or the horizon where that is less.

    Royston and Parmar: Restricted mean survival time: an alternative to the hazard ratio for the design and analysis of
    randomized trials with a time-to-event outcome. BMC Medical Research Methodology 13:152, 2013.
    """
    steps = [*((time, share) for time, share in curve if time < horizon), (horizon, 0.0)]
    return sum((until - since) * share for (since, share), (until, _) in pairwise(steps))


def percentile(curve: Curve, share: float) -> float | None:
    """The least time by which at least that share is over; None where the curve does not come so far."""
    # The tolerance lets a share that is reached up to rounding count as reached.
    return next((time for time, left in curve if left <= 1 - share + 1e-12), None)

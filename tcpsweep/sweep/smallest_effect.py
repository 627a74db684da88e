# SPDX-License-Identifier: MIT
"""The smallest effect worth naming in a metric, as a record; `sweepfile.smallest_effects` reads it from the file."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SmallestEffect:
    """How large a difference must be to be worth naming: a share of the reference's mean, or a value of the metric.

    Attributes
    ----------
    share : float
        Of the reference's mean; 0 where it is a value.
    absolute : float
        In the metric's unit; 0 where it is a share.
    """

    share: float = 0.0
    absolute: float = 0.0

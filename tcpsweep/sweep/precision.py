# SPDX-License-Identifier: MIT
"""How precise a sweep's means are asked to be, as a record; `sweepfile.asked_precision` reads it from the file."""

from dataclasses import dataclass

FIRST_RUNS = 10  # before any interval is looked at: with fewer, spreads are found too small too often


@dataclass(frozen=True)
class HalfWidth:
    """Half the width that an interval may have: a share of the mean, or a value of the metric.

    Attributes
    ----------
    share : float
        Of the mean's absolute value; 0 where it is a value.
    absolute : float
        In the metric's unit; 0 where it is a share.
    """

    share: float = 0.0
    absolute: float = 0.0


@dataclass(frozen=True)
class Precision:
    """What is asked: a half-width by metric, and the most runs that a combination gets for it."""

    asked: dict[str, HalfWidth]
    at_most: int

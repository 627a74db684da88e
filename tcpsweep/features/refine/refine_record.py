# SPDX-License-Identifier: MIT
"""The refinement that a sweep file requests, as a record; `refine_key` reads it from the file."""

from __future__ import annotations

from dataclasses import dataclass

from tcpsweep.core.sweep.axis_range import AxisRange
from tcpsweep.core.sweep.sweep_record import Sweep

KEY = "refine"
MOST_VALUES = 60  # of the axis in one network condition; one crossover takes about twenty


@dataclass(frozen=True)
class Refinement:
    """A request for the crossover of two variants."""

    range: AxisRange
    metric: str
    # The two variants: the difference is the first's mean minus the second's
    variant: str
    reference: str
    # The precision of a crossover: the share by which a value may exceed the one before it; on an axis from 0, the
    # share of the range between the two
    to: float


def of(sweep: Sweep) -> Refinement | None:
    """The refinement that a sweep requests; None without one."""
    return sweep.question(KEY, Refinement)

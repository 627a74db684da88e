# SPDX-License-Identifier: MIT
"""Where a difference of two variants turns, as a sweep file asks for it; `sweepfile.asked_refinement` reads it."""

from dataclasses import dataclass

from tcpsweep.sweep.axis_range import AxisRange

FIRST_VALUES = 5  # of the axis, in each network, before any is looked at
MOST_VALUES = 60  # of the axis in one network: a turn from end to end takes about twenty


@dataclass(frozen=True)
class Refinement:
    """What is asked for.

    Attributes
    ----------
    range : AxisRange
    metric : str
    variant, reference : str
        Of whose difference the sign is looked for: the first's mean minus the second's.
    to : float
        How near the edges of a turn are to be known: the share by which a value may be above the one before it; on an
        axis from 0, the share of the range between the two.
    """

    range: AxisRange
    metric: str
    variant: str
    reference: str
    to: float

# SPDX-License-Identifier: MIT
"""The key `refine`."""

from tcpsweep.core.contact.fields import Fields


class RefineKey(Fields):
    """An axis, its range, and the difference that changes its sign."""

    axis: str
    """A parameter or an attribute with numbers as values."""
    between: str
    """The range, the lower end first, as in `1Mbps and 100Mbps`."""
    where: str
    """The difference that changes its sign, as in `goodput_bps of TcpBbr - TcpCubic changes sign`."""
    to: str = "5%"
    """How precisely to locate each edge of a crossover, as a share of the value. Next to 0, a share of a hundredth of
    the range's end.
    """


class RefineFields(Fields):
    """The crossover of two variants on an axis."""

    refine: RefineKey | None = None
    """Finds the crossovers: where the difference of two variants changes its sign on an axis, in each network
    condition. The values of the axis are found round by round, so it is named nowhere else.
    """

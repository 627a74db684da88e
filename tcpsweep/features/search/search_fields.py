# SPDX-License-Identifier: MIT
"""The key `search`."""

from typing import Annotated

from pydantic import Field, StringConstraints

from tcpsweep.core.contact.fields import Fields, Number, OneOfTypes


class SearchKey(Fields):
    """Ranges of axes, and the value that is searched for."""

    worst: Annotated[str, StringConstraints(min_length=1, max_length=500)] | None = None
    """The value whose worst case is searched for: a metric, as in `jain`; a metric of a variant, as in `utilisation of
    TcpBbr`; or a difference of two variants, as in `goodput_bps of TcpBbr - TcpCubic`.
    """
    best: Annotated[str, StringConstraints(min_length=1, max_length=500)] | None = None
    """The value whose best case is searched for, instead of `worst`."""
    over: Annotated[dict[str, Annotated[str, StringConstraints(min_length=1, max_length=200)]], Field(min_length=1)]
    """Each axis with its range, the lower end first, as in `bandwidth: 1Mbps to 50Mbps`."""
    cells: Annotated[int, Field(ge=1, le=100000)]
    """The number of simulations in all: half to look, half to check the result."""
    bound: Annotated[Number | str, OneOfTypes()] | None = None
    """A value that the whole interval of the result must be beyond, in the metric's unit, or in percent for a relative
    difference. Default: the smallest effect of interest.
    """


class SearchFields(Fields):
    """A search for one network condition."""

    search: SearchKey | None = None
    """Searches ranges of axes for one network condition, within a number of simulations. The worst ones run again. The
    axes are named nowhere else.
    """

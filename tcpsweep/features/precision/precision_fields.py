# SPDX-License-Identifier: MIT
"""The keys `precision` and `at_most`."""

from typing import Annotated, Any

from pydantic import Field

from tcpsweep.core.contact.fields import Fields


class PrecisionFields(Fields):
    """Repetitions until means are precise enough."""

    precision: Annotated[dict[str, Any], Field(min_length=1)] | None = None
    """The half-width that the 95 % confidence interval of each named metric must reach, a share of the mean or a value,
    as in {goodput_bps: 5%, jain: 0.02}. Each network condition gets as many repetitions as this needs, at least 10.
    Use it instead of `repetitions`.
    """
    at_most: Annotated[int, Field(ge=10, le=100000)] = 60
    """The most repetitions that a combination gets for `precision`. The first look is after 10."""

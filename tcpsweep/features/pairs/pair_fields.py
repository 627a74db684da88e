# SPDX-License-Identifier: MIT
"""The keys `pairs` and `harm`."""

from typing import Annotated

from pydantic import Field

from tcpsweep.core.contact.fields import Fields, form


class PairFields(Fields):
    """Mixes of two variants."""

    harm: bool = False
    """Measures the harm that the variants of each mix do to each other. This needs more simulations. With `pairs`, the
    default is true.
    """
    pairs: Annotated[list[Annotated[str, form("variant")]], Field(min_length=2)] | None = None
    """Variants to compare with each other: all mixes of two, each variant homogeneously, and `harm`. It replaces the
    axis variant.
    """

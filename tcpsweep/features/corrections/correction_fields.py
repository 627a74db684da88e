# SPDX-License-Identifier: MIT
"""The keys `tcp` and `corrections`."""

from typing import Annotated, Literal

from pydantic import Field

from tcpsweep.core.contact.fields import UNIQUE, Either, Fields, OneOf, form
from tcpsweep.features.corrections import correction_names


class CorrectionFields(Fields):
    """Which TCP runs in ns-3."""

    tcp: Literal["corrected", "ns-3"] | None = None
    """Which TCP runs in ns-3: `corrected` is TCP as it runs today, with all corrections of ns-3 and Linux' settings;
    `ns-3` is ns-3 alone. `stack: linux` runs the real Linux kernel. Default: corrected.
    """
    corrections: (
        Annotated[
            Annotated[list[Annotated[str, OneOf(tuple(correction_names.CORRECTIONS))]], Field(min_length=1), UNIQUE]
            | Annotated[str, form("corrections")],
            Either("array"),
        ]
        | None
    ) = None
    """Some corrections of ns-3's TCP instead of those of `tcp`: a list of names, or all or none. It needs a `preset`.
    As an axis of `grid`, join names by +.
    """

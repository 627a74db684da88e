# SPDX-License-Identifier: MIT
"""How wide a figure is on paper."""

from decimal import Decimal

from tcpsweep.words import quantities

# Each unit in points of 1/72 inch.
POINTS: dict[str, Decimal] = {
    "pt": Decimal(1),
    "in": Decimal(72),
    "cm": Decimal(72) / Decimal("2.54"),
    "mm": Decimal(72) / Decimal("25.4"),
}
LEAST_PT, MOST_PT = 150, 1200


def in_points(text: str) -> float:
    """A width in points; the text is one that `normal_forms.width` takes."""
    parts = quantities.split(text)
    if parts is None:
        raise ValueError(text)
    return float(quantities.in_base_units(*parts, POINTS))

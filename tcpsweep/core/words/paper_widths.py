# SPDX-License-Identifier: MIT
"""Figures' widths on paper."""

from decimal import Decimal

from tcpsweep.core.words import quantities

# Each unit in LaTeX's points: a figure of 252pt must fit into a column of 252pt.
POINTS_PER_INCH = Decimal("72.27")
POINTS: dict[str, Decimal] = {
    "pt": Decimal(1),
    "in": POINTS_PER_INCH,
    "cm": POINTS_PER_INCH / Decimal("2.54"),
    "mm": POINTS_PER_INCH / Decimal("25.4"),
}
LEAST_PT, MOST_PT = 150, 1200


def in_points(text: str) -> float:
    """A width in LaTeX's points; the text is one that `quantity_forms.width` takes."""
    parts = quantities.split(text)
    if parts is None:
        raise ValueError(text)
    return float(quantities.in_base_units(*parts, POINTS))

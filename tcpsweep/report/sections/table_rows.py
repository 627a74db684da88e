# SPDX-License-Identifier: MIT
"""What the report's tables have in common: how many rows they show, and how rows are sorted by a place on an axis."""

from collections.abc import Mapping

from tcpsweep.sweep.axes import Axis

MOST_ROWS = 2000  # rows of a table or items of a list; a file has those that are left out


def sortable(axes: Mapping[str, Axis], texts: Mapping[str, str]) -> list[tuple[str, float | str]]:
    """A combination's value on each axis: its text, and the place that the page's script sorts it by."""
    return [(texts[name], axis.values.get(texts[name], texts[name])) for name, axis in axes.items()]

# SPDX-License-Identifier: MIT
"""Rules for all of the report's tables: the number of shown rows, and sorting by a place on an axis."""

from collections.abc import Mapping

from tcpsweep.sweep.axes import Axis

MOST_ROWS = 2000  # rows of a table or items of a list; a file has the omitted ones


def sortable(axes: Mapping[str, Axis], texts: Mapping[str, str]) -> list[tuple[str, float | str]]:
    """A combination's value on each axis: its text, and the place by which the page's script sorts it."""
    return [(texts[name], axis.values.get(texts[name], texts[name])) for name, axis in axes.items()]

# SPDX-License-Identifier: MIT
"""A cell in words, for captions, because its id means nothing in a paper."""

from tcpsweep.sweep import axes
from tcpsweep.sweep.sweep_record import PlannedSweep, value_text

_ALWAYS = ("variant", "bandwidth", "delay", "queue")


def network(sweep: PlannedSweep, combination: int) -> str:
    """A combination's variant, bandwidth, delay and queue, and its place on the sweep's other axes."""
    row = sweep.combinations[combination]
    names = dict.fromkeys([*_ALWAYS, *axes.swept_axes(sweep)])
    return axes.axes_in_words(
        {name: value_text(row, name) for name in names if name in row}, axes.names_for_print(sweep)
    )

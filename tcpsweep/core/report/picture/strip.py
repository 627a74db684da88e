# SPDX-License-Identifier: MIT
"""A row of values on an axis as a drawing, from `strips.strip`."""

from __future__ import annotations

from collections.abc import Iterator

from tcpsweep.core.report.picture import svg_parts
from tcpsweep.core.report.strips import Axis, Strip

DOT = "#0b5cad"


def drawn(axis: Axis, strip: Strip, left: float, middle: float, width: float) -> Iterator[str]:
    """The parts of the drawing."""

    def x(percent: float) -> float:
        return left + percent / 100 * width

    yield svg_parts.line(left, middle, left + width, middle, svg_parts.LINE_INK)
    yield svg_parts.line(x(axis.at), middle - 8, x(axis.at), middle + 8, svg_parts.SOFT)
    if strip.span:
        yield svg_parts.line(x(strip.span[0]), middle, x(strip.span[1]), middle, svg_parts.SOFT, 2)
    if strip.whisker:
        yield svg_parts.line(x(strip.whisker[0]), middle, x(strip.whisker[1]), middle, svg_parts.INK, 2)
    for place, fill in ((strip.ring, "white"), (strip.dot, DOT)):
        if place is not None:
            yield f'<circle cx="{x(place):.2f}" cy="{middle:.2f}" r="4" fill="{fill}" stroke="{svg_parts.INK}"/>'

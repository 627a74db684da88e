# SPDX-License-Identifier: MIT
"""The positions of texts in a drawn chart, from the widths of the font's letters."""

import cmath
import math
import re
import xml.etree.ElementTree as ET
from itertools import combinations

import altair

from tcpsweep.core.figures import picture_files, text_sizes

SVG = "{http://www.w3.org/2000/svg}"
_STEP = re.compile(r"(translate|rotate)\((-?[0-9.]+)(?:,\s*(-?[0-9.]+))?\)")


def boxes(svg):
    """Each text with its box: left, top, right, bottom, in pixels; the box is of the letters, without line spacing."""
    return list(_boxes(ET.fromstring(svg), 0j, 1 + 0j))


def _boxes(element, origin, unit):
    """The boxes within an element; places are complex numbers, ``unit`` is a step to the right."""
    for kind, first, second in _STEP.findall(element.get("transform", "")):
        if kind == "translate":
            origin += unit * complex(float(first), float(second or 0))
        else:
            unit *= cmath.rect(1, math.radians(float(first)))
    if element.tag == f"{SVG}text" and element.get("opacity") != "0":
        size, down = float(element.get("font-size").removesuffix("px")), 0.0
        for line in list(element) or [element]:
            down += float(line.get("dy", 0))
            if not line.text:
                continue
            wide = text_sizes.width(line.text, size)
            left = -wide * {"start": 0, "middle": 0.5, "end": 1}[element.get("text-anchor", "start")]
            ends = [
                origin + unit * (left + 1j * (down - 0.72 * size)),
                origin + unit * (left + wide + 1j * (down + 0.2 * size)),
            ]
            xs, ys = sorted(end.real for end in ends), sorted(end.imag for end in ends)
            yield line.text, (xs[0], ys[0], xs[1], ys[1])
    for child in element:
        yield from _boxes(child, origin, unit)


def texts(chart):
    """The texts of a chart when it is drawn; altair must know all that is in it."""
    altair.Chart.from_dict(chart)
    return {text for text, _ in boxes(picture_files.drawn_svg(chart, None))}


def overlaps(chart, width):
    """The pairs of texts whose boxes intersect in a chart, and the texts that stick out of it.

    The chart must be at most so wide.
    """
    svg = picture_files.drawn_svg(chart, None)
    every = boxes(svg)
    pairs = [(a, b) for (a, one), (b, other) in combinations(every, 2) if _intersect(one, other)]
    root = ET.fromstring(svg)
    wide, height = float(root.get("width")), float(root.get("height"))
    assert wide <= 1.01 * width, f"{wide} of {width} pixels"
    out = [text for text, box in every if min(box) < 0 or box[2] > wide or box[3] > height]
    return pairs, out


def _intersect(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]

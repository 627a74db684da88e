# SPDX-License-Identifier: MIT
"""Where the texts of a figure's SVG lie, measured by the font's widths."""

import re
import xml.etree.ElementTree as ET
from itertools import combinations

from tcpsweep.figures import text_sizes


def boxes(svg):
    """Each text with its box: left, top, right, bottom, in pixels; the box is of the letters, without line spacing."""
    found = []
    for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
        size, x, y = (float(element.get(name)) for name in ("font-size", "x", "y"))
        wide = text_sizes.width(element.text, size)
        left = -wide * {"start": 0, "middle": 0.5, "end": 1}[element.get("text-anchor")]
        corners = [(left, -0.72 * size), (left + wide, 0.2 * size)]
        turn = re.match(r"rotate\((-?[0-9]+)", element.get("transform", ""))
        if turn:
            sign = 1 if int(turn[1]) > 0 else -1
            corners = [(-sign * b, sign * a) for a, b in corners]
        xs, ys = zip(*corners, strict=True)
        found.append((element.text, (x + min(xs), y + min(ys), x + max(xs), y + max(ys))))
    return found


def overlaps(svg):
    """The pairs of texts whose boxes intersect, and the texts that stick out of the figure."""
    every = boxes(svg)
    pairs = [(a, b) for (a, one), (b, other) in combinations(every, 2) if _intersect(one, other)]
    root = ET.fromstring(svg)
    width, height = float(root.get("width")), float(root.get("height"))
    out = [text for text, box in every if min(box) < 0 or box[2] > width or box[3] > height]
    return pairs, out


def _intersect(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]

# SPDX-License-Identifier: MIT
"""Widths of texts in the figures' font, so that texts do not overlap, and texts broken or cut to a width."""

from __future__ import annotations

import re

# Liberation Sans has the widths of Arial and Helvetica: Adobe's font metrics of Helvetica, in thousandths of the font's
# size, for the signs from the space to the tilde.
_WIDTHS = [
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
]
_OTHER = 600  # of any other sign
LINE = 1.15  # the height of a line, in font sizes
_PARTS = re.compile(r"[^\s+,:]*[+,:]+|[^\s+,:]+\s*|\s+")


def width(text: str, size: float) -> float:
    """The width of a text on one line, in the unit of the font's size."""
    return sum(_WIDTHS[ord(sign) - 32] if 32 <= ord(sign) < 127 else _OTHER for sign in text) * size / 1000


def broken(text: str, size: float, most: float, lines: int = 2) -> list[str]:
    """A text on as many lines as the width ``most`` needs, broken after spaces, plus signs, commas and colons.

    Text that does not fit on ``lines`` lines is cut.
    """
    broken_lines = [""]
    for part in _PARTS.findall(text):
        if broken_lines[-1] and width((broken_lines[-1] + part).rstrip(), size) > most:
            broken_lines.append(part)
        else:
            broken_lines[-1] += part
    if len(broken_lines) > lines:
        broken_lines = [*broken_lines[: lines - 1], "".join(broken_lines[lines - 1 :])]
    return [cut(line.strip(), size, most) for line in broken_lines]


def cut(text: str, size: float, most: float) -> str:
    """A text that is at most ``most`` pixels wide, with three dots in place of its middle where it is longer."""
    if width(text, size) <= most:
        return text
    for left in range(len(text) - 1, 1, -1):
        short = f"{text[: (left + 1) // 2]}…{text[len(text) - left // 2 :]}"
        if width(short, size) <= most:
            return short
    return "…"

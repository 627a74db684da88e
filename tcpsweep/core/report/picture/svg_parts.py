# SPDX-License-Identifier: MIT
"""The parts of a picture as SVG: lines, boxes, texts, and the whole at its size.

Lengths are in pixels of 1/96 inch. Texts carry their font's size and anchor themselves, so that a reader of the file
can find its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from tcpsweep.core.figures import chart_look, text_sizes

INK, SOFT, LINE_INK = "#222222", "#5b6068", "#d8dbe0"


def whole(width: float, height: float, parts: Iterable[str]) -> str:
    """A figure of a width and a height."""
    size = f'width="{_n(width)}" height="{_n(height)}" viewBox="0 0 {_n(width)} {_n(height)}"'
    font = f'font-family="{escape(chart_look.FONT)}"'
    paper = f'<rect width="{_n(width)}" height="{_n(height)}" fill="white"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>{paper}{"".join(parts)}</svg>'


def text(x: float, y: float, words: str, *, size: float, anchor: str = "start", fill: str = INK) -> str:
    """A text whose base line begins, ends or is centred at this point.

    The SVG states the text's length, so that its width is the same on machines that lack the font.
    """
    where = f'x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}" font-size="{_n(size)}"'
    length = f'textLength="{_n(text_sizes.width(words, size))}" lengthAdjust="spacingAndGlyphs"'
    return f'<text {where} {length} fill="{fill}">{escape(words, quote=False)}</text>'


def lines_of_text(x: float, y: float, words: Sequence[str], *, size: float, **options: str) -> str:
    """Texts below each other, with the middle of their block at ``y``."""
    step = size * text_sizes.LINE
    top = y - step * (len(words) - 1) / 2 + size * 0.35
    return "".join(text(x, top + number * step, line, size=size, **options) for number, line in enumerate(words))


def line(x: float, y: float, x2: float, y2: float, colour: str, width: float = 1) -> str:
    """A straight line."""
    where = f'x1="{_n(x)}" y1="{_n(y)}" x2="{_n(x2)}" y2="{_n(y2)}"'
    return f'<line {where} stroke="{colour}" stroke-width="{_n(width)}"/>'


def box(x: float, y: float, width: float, height: float, fill: str = "none", stroke: str = "none") -> str:
    """A rectangle."""
    where = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
    return f'<rect {where} fill="{fill}" stroke="{stroke}"/>'


def warning(x: float, y: float, size: float) -> str:
    """A triangle with an exclamation mark, as high as a letter of this size, on the base line ``y``."""
    half, up = size * 0.5, size * 0.8
    corners = f"M{_n(x)} {_n(y)}h{_n(2 * half)}l{_n(-half)} {_n(-up)}z"
    stroke = f"M{_n(x + half)} {_n(y - up * 0.68)}v{_n(up * 0.32)}m0 {_n(up * 0.12)}v{_n(up * 0.1)}"
    return f'<path class="warning" d="{corners}{stroke}" fill="none" stroke="{SOFT}" stroke-linejoin="round"/>'


def _n(number: float) -> str:
    """A length to the hundredth of a pixel."""
    return f"{number:.2f}".rstrip("0").rstrip(".")

# SPDX-License-Identifier: MIT
"""The parts of a static figure as SVG: lines, marks, texts, and the whole at its size.

Lengths are in pixels of 1/96 inch. Texts carry their font's size and anchor themselves, so that a reader of the file
can tell where each lies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import sqrt

from tcpsweep.figures import chart_look, text_sizes
from tcpsweep.figures.series_styles import Style

INK, SOFT, GRID = "#222222", "#666666", "#e4e4e4"


def whole(width: float, height: float, parts: Iterable[str]) -> str:
    """A figure of a width and a height."""
    size = f'width="{_n(width)}" height="{_n(height)}" viewBox="0 0 {_n(width)} {_n(height)}"'
    font = f'font-family="{escape(chart_look.FONT)}"'
    paper = f'<rect width="{_n(width)}" height="{_n(height)}" fill="white"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>{paper}{"".join(parts)}</svg>'


def text(x: float, y: float, words: str, *, size: float, anchor: str = "start", fill: str = INK, turn: int = 0) -> str:
    """A text whose base line begins, ends or has its middle there; ``turn`` in degrees.

    It says its length, so that it has the room that it was given where a machine lacks the font, too.
    """
    turned = f' transform="rotate({turn} {_n(x)} {_n(y)})"' if turn else ""
    where = f'x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}" font-size="{_n(size)}"'
    length = f'textLength="{_n(text_sizes.width(words, size))}" lengthAdjust="spacingAndGlyphs"'
    return f'<text {where} {length} fill="{fill}"{turned}>{escape(words, quote=False)}</text>'


def lines_of_text(x: float, y: float, words: Sequence[str], *, size: float, **options: str) -> str:
    """Texts below each other, with the middle of their block at ``y``."""
    step = size * text_sizes.LINE
    top = y - step * (len(words) - 1) / 2 + size * 0.35
    return "".join(text(x, top + number * step, line, size=size, **options) for number, line in enumerate(words))  # type: ignore[arg-type]


def line(
    x: float, y: float, x2: float, y2: float, colour: str = GRID, width: float = 1, dash: Sequence[int] = ()
) -> str:
    """A straight line."""
    where = f'x1="{_n(x)}" y1="{_n(y)}" x2="{_n(x2)}" y2="{_n(y2)}"'
    return f'<line {where} stroke="{colour}" stroke-width="{_n(width)}"{_dashed(dash)}/>'


def path(points: Iterable[tuple[float, float]], colour: str, width: float, dash: Sequence[int] = ()) -> str:
    """A line through points."""
    along = "L".join(f"{_n(x)},{_n(y)}" for x, y in points)
    stroke = f'stroke="{colour}" stroke-width="{_n(width)}" stroke-linejoin="round"{_dashed(dash)}'
    return f'<path d="M{along}" fill="none" {stroke}/>'


def box(x: float, y: float, width: float, height: float, fill: str = "none", stroke: str = "none") -> str:
    """A rectangle."""
    where = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
    return f'<rect {where} fill="{fill}" stroke="{stroke}"/>'


def mark(x: float, y: float, style: Style, radius: float = 3.2) -> str:
    """A series' mark, around a point, with a thin light edge that parts it from those that it covers."""
    r, edge = radius, 'stroke="white" stroke-width="0.6"'
    if style.shape == "circle":
        return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}" fill="{style.colour}" {edge}/>'
    half, third = r * 0.89, r * 0.38
    corners = {
        "square": [(-half, -half), (half, -half), (half, half), (-half, half)],
        "diamond": [(0, -1.3 * r), (1.05 * r, 0), (0, 1.3 * r), (-1.05 * r, 0)],
        "triangle-up": _triangle(r, 0, -1),
        "triangle-down": _triangle(r, 0, 1),
        "triangle-right": _triangle(r, 1, 0),
        "cross": _cross(1.15 * r, third),
    }[style.shape]
    d = "L".join(f"{_n(x + dx)},{_n(y + dy)}" for dx, dy in corners)
    return f'<path d="M{d}Z" fill="{style.colour}" {edge}/>'


def _triangle(r: float, dx: int, dy: int) -> list[tuple[float, float]]:
    """The corners of an equilateral triangle that points to (dx, dy)."""
    far, near, side = 1.3 * r, -0.65 * r, 1.3 * r * sqrt(3) / 2
    return [
        (far * dx, far * dy),
        (near * dx + side * dy, near * dy + side * dx),
        (near * dx - side * dy, near * dy - side * dx),
    ]


def _cross(r: float, t: float) -> list[tuple[float, float]]:
    return [(-r, -t), (-t, -t), (-t, -r), (t, -r), (t, -t), (r, -t), (r, t), (t, t), (t, r), (-t, r), (-t, t), (-r, t)]


def _dashed(dash: Sequence[int]) -> str:
    gaps = len(dash) > 1 and any(dash[1::2])
    return f' stroke-dasharray="{" ".join(map(str, dash))}"' if gaps else ""


def _n(number: float) -> str:
    """A length to the hundredth of a pixel."""
    return f"{number:.2f}".rstrip("0").rstrip(".")

# SPDX-License-Identifier: MIT
"""The static charts of variants held against each other: a matrix as a heat map, ranks, and a frontier, as SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tcpsweep.figures import panel_layout, plot_scales, svg_parts, text_sizes
from tcpsweep.figures.panel_layout import EDGE, SMALL, Entry, Frame, Panel, Plan, Side
from tcpsweep.figures.plot_scales import Scale
from tcpsweep.figures.series_styles import Style, Styles
from tcpsweep.words import pair_words

ABOVE, BELOW = (
    (232, 133, 47),
    (47, 147, 201),
)  # apart for people without red or green cones too, and light enough for ink
MOST_INK = 0.75
_LARGEST_CELL = 40.0
_RANK_ROW = 14.0
FRONTIER_HEIGHT = 190.0


def matrix(variants: Sequence[str], values: Mapping[tuple[str, str], float], middle: float, width: float) -> str:
    """A matrix with its values in the cells.

    Parameters
    ----------
    variants : list of str
        Rows from the top, columns from the left.
    values : dict
        By row and column.
    middle : float
        The value without colour; as far from it as 1 is, the colour is the fullest.
    width : float
        The figure's, in pixels.
    """
    longest = max(text_sizes.width(name, SMALL) for name in variants)
    left = EDGE + min(longest, width * 0.4) + 4
    cell = min(_LARGEST_CELL, (width - EDGE - left) / len(variants))
    is_flat = max(text_sizes.width(name, SMALL) for name in variants) <= cell - 2
    top = EDGE + (SMALL + 4 if is_flat else min(longest, width * 0.4) + 4)
    size = min(SMALL, cell * 0.42)
    parts = []
    for row, one in enumerate(variants):
        y = top + (row + 0.5) * cell
        name = text_sizes.cut(one, SMALL, width * 0.4)
        parts.append(svg_parts.text(left - 4, y + SMALL * 0.35, name, size=SMALL, anchor="end"))
        x = left + (row + 0.5) * cell
        if is_flat:
            parts.append(svg_parts.text(x, top - 4, name, size=SMALL, anchor="middle"))
        else:
            parts.append(svg_parts.text(x + SMALL * 0.35, top - 4, name, size=SMALL, turn=-90))
        for column, other in enumerate(variants):
            value = values.get((one, other))
            place = left + column * cell, top + row * cell, cell - 1, cell - 1
            parts.append(svg_parts.box(*place, fill=_colour(value, middle)))
            words = "–" if value is None else _short(value, cell)
            x = left + (column + 0.5) * cell - 0.5
            parts.append(svg_parts.text(x, y + size * 0.35 - 0.5, words, size=size, anchor="middle"))
    return svg_parts.whole(width, top + len(variants) * cell + EDGE, parts)


def _short(value: float, cell: float) -> str:
    text = pair_words.short(value)
    return text if cell >= 24 else text.replace("0.", ".", 1)


def _colour(value: float | None, middle: float) -> str:
    """A value's ground: white in the middle, orange above and blue below."""
    away = 0.0 if value is None else max(-1.0, min(1.0, (value - middle) / (1 - middle)))
    ink = abs(away) * MOST_INK
    mixed = (round(255 + (part - 255) * ink) for part in (ABOVE if away > 0 else BELOW))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def ranks(rankings: Mapping[str, Sequence[Mapping[str, Any]]], variants: Sequence[str], width: float) -> str:
    """Ranks as dots with the bars of their intervals, a panel for each score.

    Parameters
    ----------
    rankings : dict
        The title of each score to the rows of the table of ranks.
    variants : list of str
        From the top.
    width : float
        The figure's, in pixels.
    """
    count = len(variants)
    places = {name: 1 - (at + 0.5) / count for at, name in enumerate(variants)}

    def across(rank: float) -> float:
        return 0.06 + 0.88 * (rank - 1) / max(1, count - 1)

    def drawing(rows: Sequence[Mapping[str, Any]]) -> Callable[[Frame], Iterator[str]]:
        def draw(frame: Frame) -> Iterator[str]:
            for row in rows:
                y = frame.up(places[row["variant"]])
                if row["rank_low"] is not None:
                    ends = frame.across(across(row["rank_low"])), frame.across(across(row["rank_high"]))
                    yield svg_parts.line(ends[0], y, ends[1], y, svg_parts.SOFT, 2.2)
                yield svg_parts.mark(frame.across(across(row["rank"])), y, Style("#0b5cad", "circle", []))

        return draw

    step = max(1, -(-count // 6))
    x = Side("", [(across(rank), str(rank)) for rank in range(1, count + 1, step)])
    y = Side("", [(places[name], name) for name in variants])
    panels = [Panel(column, 0, x, y, drawing(rows)) for column, rows in enumerate(rankings.values())]
    plan = Plan(width, [_RANK_ROW * count], list(rankings), [], ("rank", ""))
    return panel_layout.drawn(plan, panels)


def frontier(rows: Sequence[Mapping[str, Any]], titles: tuple[str, str], styles: Styles, width: float) -> str:
    """Goodput against delay, marks as large as it is probable that they lie on the frontier.

    Parameters
    ----------
    rows : list of dict
        ``variant``; ``x``, ``y``, in the units of the titles; ``size``, from 0 to 1; ``label``.
    titles : tuple of str
        The axes'.
    styles : dict
        Each variant's.
    width : float
        The figure's, in pixels.
    """
    x = plot_scales.logarithmic([row["x"] for row in rows])
    y = plot_scales.around(min(row["y"] for row in rows), max(row["y"] for row in rows), zero=False)

    def inner(part: float) -> float:
        return 0.03 + 0.94 * part

    def draw(frame: Frame) -> Iterator[str]:
        for row in sorted(rows, key=lambda row: -row["size"]):
            place = frame.across(inner(x.place(row["x"]))), frame.up(inner(y.place(row["y"])))
            yield svg_parts.mark(*place, styles[row["variant"]], 2.4 + 3.6 * row["size"])

    def side(scale: Scale) -> Side:
        return Side("", [(inner(scale.place(tick)), plot_scales.label(tick)) for tick in scale.ticks])

    legend = [Entry(row["label"], styles[row["variant"]]) for row in rows]
    plan = Plan(width, [FRONTIER_HEIGHT], [], [], titles, legend)
    return panel_layout.drawn(plan, [Panel(0, 0, side(x), side(y), draw)])

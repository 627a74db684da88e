# SPDX-License-Identifier: MIT
"""The score card as a drawing: a row for each variant, a mark for each network."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from tcpsweep.core.figures import text_sizes
from tcpsweep.core.report.picture import strip, svg_parts
from tcpsweep.core.report.sections.score_card import Card, Cell, Mark

SOFT, LINE_INK, BETTER, WORSE = svg_parts.SOFT, svg_parts.LINE_INK, "#0b5cad", "#b3490a"
_NAME, _HEADS, _MEANS, _ROW, _LEGEND = 158.0, 46.0, 30.0, 62.0, 30.0  # in pixels
_LARGE, _SMALL = 13.0, 11.5  # sizes of texts
_COLOURS = {"better": BETTER, "worse": WORSE, "more": svg_parts.INK, "means": SOFT}
_WORDS = {"better": "better", "worse": "worse", "more": "differs", "same": "equivalent", "undecided": "inconclusive"}
_WORDS |= {"means": "only means, not tested", "untested": "no means"}


def height(card: Card) -> float:
    """How high the drawing is."""
    return _HEADS + _mean_row_height(card) * len(card.means) + _ROW * len(card.rows) + (_LEGEND if card.rows else 0)


def _mean_row_height(card: Card) -> float:
    """How high a row of means is."""
    return _MEANS + 12 * any(card.axes)


def drawn(card: Card, left: float, top: float, width: float, printed: Callable[[str], str]) -> Iterator[str]:
    """The parts of the drawing, from `score_card.card`; ``printed`` gives a series' name for print."""
    step = (width - _NAME) / len(card.metrics)
    lefts = [left + _NAME + step * number for number in range(len(card.metrics))]
    for x, (_, title, _) in zip(lefts, card.metrics, strict=True):
        words = text_sizes.broken(title, _SMALL, step - 8, lines=3)
        yield svg_parts.lines_of_text(x, top + _HEADS / 2 - 6, words, size=_SMALL)
    y = top + _HEADS
    yield svg_parts.line(left, y, left + width, y, LINE_INK, 2)
    for name, means in card.means:
        base = y + _mean_row_height(card) - _MEANS * 0.38
        yield svg_parts.text(left, base, text_sizes.cut(printed(name), _LARGE, _NAME - 8), size=_LARGE)
        for x, mean, axis in zip(lefts, means, card.axes, strict=True):
            if mean.strip and axis:
                yield from strip.drawn(axis, mean.strip, x, y + 11, step - 14)
            yield svg_parts.text(x, base, text_sizes.cut(mean.text, _SMALL, step - 6), size=_SMALL, fill=SOFT)
        y += _mean_row_height(card)
        yield svg_parts.line(left, y, left + width, y, LINE_INK)
    for row in card.rows:
        names = text_sizes.broken(printed(row.variant), _LARGE, _NAME - 8)
        about = text_sizes.broken(" against ".join(map(printed, row.about)), 10, _NAME - 8) if row.about else []
        yield svg_parts.lines_of_text(left, y + _ROW / 2 - 7 * len(about), names, size=_LARGE)
        if about:
            yield svg_parts.lines_of_text(left, y + _ROW / 2 + 9 * len(names), about, size=10, fill=SOFT)
        for x, cell in zip(lefts, row.cells, strict=True):
            if cell:
                yield from _cell(cell, x, y, min(1.0, (step - 10) / card.width), step - 10, card.height)
        y += _ROW
        yield svg_parts.line(left, y, left + width, y, LINE_INK)
    if card.rows:
        yield from _legend(card.kinds, card.networks, left, y + _LEGEND * 0.75)


def _cell(cell: Cell, left: float, top: float, shrink: float, room: float, high: float) -> Iterator[str]:
    """A cell's marks on its line of no difference, or a bar of counts, with the largest size below."""
    middle = top + 6 + high / 2
    if cell.marks:
        end = cell.marks[-1].x * shrink + 12 * shrink
        yield svg_parts.line(left, middle, left + end, middle, LINE_INK)
        for mark in cell.marks:
            yield from _mark(mark, left + mark.x * shrink, middle - high / 2, middle, 10 * shrink)
    else:
        yield from _bar(cell.counts, left, middle - 7, room)
    if cell.size:
        fill = _COLOURS.get(cell.kind, svg_parts.INK)
        yield svg_parts.text(left, top + _ROW - 10, cell.size, size=_SMALL, fill=fill)
    if cell.touched:
        after = text_sizes.width(cell.size, _SMALL) + 6 if cell.size else 0
        yield svg_parts.warning(left + after, top + _ROW - 10, _SMALL)


def _mark(mark: Mark, x: float, top: float, middle: float, width: float) -> Iterator[str]:
    if mark.height and mark.kind == "worse":
        yield svg_parts.box(x + 0.5, top + mark.y, width - 1, mark.height, fill="white", stroke=WORSE)
    elif mark.height and mark.kind == "means":
        yield svg_parts.box(x + 0.5, top + mark.y, width - 1, mark.height, fill="white", stroke=SOFT)
    elif mark.height:
        yield svg_parts.box(x, top + mark.y, width, mark.height, fill=_COLOURS.get(mark.kind, SOFT))
    else:
        yield from _sign(mark.kind, x + width / 2, middle, min(3.0, width / 2))


def _sign(kind: str, x: float, y: float, size: float) -> Iterator[str]:
    """The sign of a result that is neither more nor less."""
    if kind == "same":
        for up in (-2.0, 2.0):
            yield svg_parts.line(x - size * 1.3, y + up, x + size * 1.3, y + up, SOFT, 1.6)
    elif kind == "undecided":
        yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{size:.2f}" fill="white" stroke="{SOFT}"/>'
    else:
        yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="1.2" fill="{SOFT}"/>'


def _bar(counts: Mapping[str, int], left: float, top: float, room: float) -> Iterator[str]:
    """The counts as parts of a bar."""
    x, total = left, sum(counts.values())
    for kind, count in counts.items():
        width = room * count / total
        fill = _COLOURS.get(kind, SOFT if kind == "same" else "white")
        yield svg_parts.box(x, top, width, 14, fill=fill, stroke=LINE_INK if fill == "white" else "none")
        x += width


def _legend(kinds: set[str], networks: Sequence[str], x: float, y: float) -> Iterator[str]:
    for kind in (kind for kind in _WORDS if kind in kinds):
        if kind in _COLOURS:
            fill, stroke = {"worse": ("white", WORSE), "means": ("white", SOFT)}.get(kind, (_COLOURS[kind], "none"))
            yield svg_parts.box(x, y - 9, 9, 9, fill=fill, stroke=stroke)
        else:
            yield from _sign(kind, x + 4.5, y - 4.5, 3)
        yield svg_parts.text(x + 15, y, _WORDS[kind], size=_SMALL, fill=SOFT)
        x += 31 + text_sizes.width(_WORDS[kind], _SMALL)
    marks = f"from left: {', '.join(networks)}" if networks else "a mark a network condition"
    yield svg_parts.text(x, y, f"· up: higher · {marks}", size=_SMALL, fill=SOFT)

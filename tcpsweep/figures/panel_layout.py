# SPDX-License-Identifier: MIT
"""Panels of one size in columns and rows, with their axes, heads and legend, as a figure of a given width.

All room is counted from the texts' widths (`text_sizes`), so that panels stand exactly below and beside each other, no
text lies over another, and the whole is as wide as it shall be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tcpsweep.figures import svg_parts, text_sizes
from tcpsweep.figures.series_styles import Style

SIZE, SMALL = 10.0, 9.0  # of titles and legends, and of ticks' labels, in pixels: 7.5 and 6.75 pt
EDGE, GAP, TICK = 3.0, 9.0, 3.0  # around the figure, between panels, a tick's length
LINE = SIZE * text_sizes.LINE
ENTRY, BETWEEN = 24.0, 10.0  # a legend's mark with the room behind it, and between its columns


@dataclass(frozen=True)
class Frame:
    """Where a panel lies."""

    x: float
    y: float
    width: float
    height: float

    def across(self, part: float) -> float:
        """The place from left to right, 0 to 1, in pixels."""
        return self.x + part * self.width

    def up(self, part: float) -> float:
        """The place from the bottom up, 0 to 1, in pixels."""
        return self.y + (1 - part) * self.height


@dataclass(frozen=True)
class Side:
    """An axis: its title, its ticks (place from 0 to 1, and label), and whether it is shown as cut before its begin."""

    title: str
    ticks: Sequence[tuple[float, str]]
    is_cut: bool = False
    zero: float | None = None


@dataclass(frozen=True)
class Panel:
    """A panel: its column and row, its axes, its own head, and what draws its content in its frame."""

    column: int
    row: int
    x: Side
    y: Side
    draw: Callable[[Frame], Iterator[str]]
    head: str = ""


@dataclass(frozen=True)
class Entry:
    """A line of a legend: its text, its style, whether it has a mark, a line, or is a shade behind others."""

    label: str
    style: Style
    mark: bool = True
    line: bool = False
    shade: bool = False


@dataclass(frozen=True)
class Plan:
    """What is around the panels: heads of columns and rows, common titles, legend, and room at the right of a panel."""

    width: float
    heights: Sequence[float]
    column_heads: Sequence[str] = ()
    row_heads: Sequence[str] = ()
    titles: tuple[str, str] = ("", "")
    legend: Sequence[Entry] = ()
    right: float = 0.0
    most_label: float = field(default=0.36)
    each_y: bool = False


def panel_width(plan: Plan, panels: Sequence[Panel]) -> float:
    """How wide each panel is."""
    across = max(panel.column for panel in panels) + 1
    rest = plan.width - 2 * EDGE - _left(plan, panels) - _right(plan) - plan.right * across
    return (rest - GAP * (across - 1)) / across


def drawn(plan: Plan, panels: Sequence[Panel]) -> str:
    """The figure as SVG."""
    down = max(panel.row for panel in panels) + 1
    width, left = panel_width(plan, panels), EDGE + _left(plan, panels)
    heads = [text_sizes.broken(head, SIZE, width) for head in plan.column_heads]
    top = EDGE + (max(map(len, heads)) * LINE + 3 if heads else 3)
    own_head = LINE + 2 if any(panel.head for panel in panels) else 0
    bottom_of = {(panel.column, panel.row) for panel in panels}
    ys, y = [], top
    for row in range(down):
        y += own_head
        ys.append(y)
        y += plan.heights[row % len(plan.heights)] + GAP
    end = y - GAP
    parts: list[str] = []
    for number, words in enumerate(heads):
        middle = left + number * (width + GAP + plan.right) + width / 2
        base = top - 3 - LINE * len(words) / 2
        parts.append(svg_parts.lines_of_text(middle, base, words, size=SIZE, anchor="middle"))
    for panel in panels:
        frame = Frame(
            left + panel.column * (width + GAP + plan.right),
            ys[panel.row],
            width,
            plan.heights[panel.row % len(plan.heights)],
        )
        lowest = (panel.column, panel.row + 1) not in bottom_of
        parts += _panel(panel, frame, lowest, panel.column == 0, plan)
    for number, head in enumerate(plan.row_heads):
        height = plan.heights[number % len(plan.heights)]
        x = plan.width - EDGE - 3
        middle = ys[number] + height / 2
        cut = text_sizes.cut(head, SIZE, height)
        parts.append(svg_parts.text(x - SIZE * 0.7 + 0.5, middle, cut, size=SIZE, anchor="middle", turn=90))
    y = end + TICK + SMALL * text_sizes.LINE + 1
    title = text_sizes.broken(plan.titles[0], SIZE, plan.width - 2 * EDGE)
    if plan.titles[0]:
        middle = (left + plan.width - EDGE - _right(plan) - plan.right) / 2
        y += len(title) * LINE + 1
        parts.append(svg_parts.lines_of_text(middle, y - len(title) * LINE / 2, title, size=SIZE, anchor="middle"))
    if plan.titles[1]:
        words = text_sizes.broken(plan.titles[1], SIZE, end - EDGE)
        for number, words_of_line in enumerate(words):
            x = EDGE + LINE * (number + 1) - 3
            parts.append(svg_parts.text(x, (top + end) / 2, words_of_line, size=SIZE, anchor="middle", turn=-90))
    legend, height = _legend(plan, y + 5)
    return svg_parts.whole(plan.width, y + height + EDGE, [*parts, *legend])


def _left(plan: Plan, panels: Sequence[Panel]) -> float:
    """The room left of the first column: the title, the longest label, ticks."""
    labels = [line for panel in panels for _, text in panel.y.ticks for line in _of_tick(plan, text)]
    longest = max((text_sizes.width(text, SMALL) for text in labels), default=0)
    heights = sum(plan.heights[panel.row % len(plan.heights)] + GAP for panel in panels if panel.column == 0)
    title = len(text_sizes.broken(plan.titles[1], SIZE, heights)) * LINE + 5 if plan.titles[1] else 0
    own = max(len(_own_title(panel.y, plan, panel.row)) for panel in panels) * LINE + 3 if plan.each_y else 0
    return title + own + longest + TICK + 2


def _own_title(side: Side, plan: Plan, row: int) -> list[str]:
    """The title of a panel's own vertical axis, on as many lines as it needs."""
    return text_sizes.broken(side.title, SIZE, plan.heights[row % len(plan.heights)] + GAP - 2)


def _right(plan: Plan) -> float:
    return LINE + 4 if plan.row_heads else 4


def _of_tick(plan: Plan, text: str) -> list[str]:
    """A label of the vertical axis, on as many lines as it needs."""
    return text_sizes.broken(text, SMALL, plan.most_label * plan.width)


def _panel(panel: Panel, frame: Frame, is_lowest: bool, is_first: bool, plan: Plan) -> Iterator[str]:
    for part, _ in panel.y.ticks:
        yield svg_parts.line(frame.x, frame.up(part), frame.x + frame.width, frame.up(part))
    for part, _ in panel.x.ticks:
        yield svg_parts.line(frame.across(part), frame.y, frame.across(part), frame.y + frame.height)
    if panel.y.zero is not None:
        at = frame.up(panel.y.zero)
        yield svg_parts.line(frame.x, at, frame.x + frame.width, at, svg_parts.SOFT, 0.8)
    if panel.x.zero is not None:
        at = frame.across(panel.x.zero)
        yield svg_parts.line(at, frame.y, at, frame.y + frame.height, svg_parts.SOFT, 0.8)
    yield svg_parts.box(frame.x, frame.y, frame.width, frame.height, stroke="#bbbbbb")
    yield from panel.draw(frame)
    if panel.head:
        words = text_sizes.cut(panel.head, SIZE, frame.width + GAP - 2)
        middle = frame.x + frame.width / 2
        yield svg_parts.text(middle, frame.y - 4, words, size=SIZE, anchor="middle")
    if is_first:
        yield from _vertical(panel.y, frame, plan, panel.row)
    if is_lowest:
        yield from _horizontal(panel.x, frame)
    if panel.y.is_cut:
        yield _cut(frame.x, frame.y + frame.height - 5, turned=False)
    if panel.x.is_cut:
        yield _cut(frame.x + 5, frame.y + frame.height, turned=True)


def _vertical(side: Side, frame: Frame, plan: Plan, row: int) -> Iterator[str]:
    last = None
    if plan.each_y:
        for number, words in enumerate(_own_title(side, plan, row)):
            x = EDGE + LINE * (number + 1) - 3
            yield svg_parts.text(x, frame.y + frame.height / 2, words, size=SIZE, anchor="middle", turn=-90)
    for part, text in side.ticks:
        y, lines = frame.up(part), _of_tick(plan, text)
        yield svg_parts.line(frame.x - TICK, y, frame.x, y, "#888888")
        room = SMALL * text_sizes.LINE * (len(lines) + 1) / 2
        if last is None or abs(last - y) >= room:
            yield svg_parts.lines_of_text(frame.x - TICK - 2, y, lines, size=SMALL, anchor="end")
            last = y


def _horizontal(side: Side, frame: Frame) -> Iterator[str]:
    """Ticks and their labels, as far as these have room."""
    base = frame.y + frame.height
    for part, _ in side.ticks:
        yield svg_parts.line(frame.across(part), base, frame.across(part), base + TICK, "#888888")
    for x, text in shown(side.ticks, frame):
        yield svg_parts.text(x, base + TICK + SMALL, text, size=SMALL, anchor="middle")


def shown(ticks: Sequence[tuple[float, str]], frame: Frame) -> list[tuple[float, str]]:
    """The labels that stand beside each other with room between them, each with its middle; first and last go first."""
    found: list[tuple[float, str, float]] = []
    for part, text in [*ticks[:1], *ticks[:0:-1][:1], *ticks[1:-1]]:
        half = text_sizes.width(text, SMALL) / 2
        x = min(max(frame.across(part), frame.x - GAP / 2 + half + 1), frame.x + frame.width + GAP / 2 - half - 1)
        if all(abs(x - other) >= half + wide + 4 for other, _, wide in found):
            found.append((x, text, half))
    return [(x, text) for x, text, _ in sorted(found)]


def _cut(x: float, y: float, turned: bool) -> str:
    """The sign that an axis does not begin at zero: two short strokes across it."""
    strokes = []
    for step in (0, 3):
        ends = (x + step - 2, y + 3, x + step + 1, y - 3) if turned else (x - 3, y - step + 1, x + 3, y - step - 2)
        strokes.append(svg_parts.line(*ends, svg_parts.INK, 0.9))
    return "".join(strokes)


def legend_rows(widths: Sequence[float], room: float) -> list[list[float]]:
    """Where a legend's entries begin, by row: in columns, or, where that takes fewer rows, one after the other."""
    for count in range(len(widths), 1, -1):
        columns = [max(widths[number::count]) for number in range(count)]
        if sum(columns) + BETWEEN * (count - 1) <= room:
            break
    else:
        count, columns = 1, [max(widths)]
    flowing: list[list[float]] = [[]]
    end = 0.0
    for width in widths:
        if flowing[-1] and end + width > room:
            flowing.append([])
            end = 0.0
        flowing[-1].append(end)
        end += width + BETWEEN
    begins = [sum(columns[:number]) + BETWEEN * number for number in range(count)]
    rows = [begins[: len(widths[first : first + count])] for first in range(0, len(widths), count)]
    # Under a name much longer than itself, a short one would stand apart from its row.
    is_ragged = max(widths) > 1.5 * min(widths) and len(flowing) == len(rows)
    return flowing if len(flowing) < len(rows) or is_ragged else rows


def _legend(plan: Plan, top: float) -> tuple[list[str], float]:
    """The legend's parts, and its height."""
    if not plan.legend:
        return [], 0.0
    room = plan.width - 2 * EDGE
    labels = [text_sizes.cut(entry.label, SIZE, room - ENTRY) for entry in plan.legend]
    widths = [ENTRY + text_sizes.width(label, SIZE) for label in labels]
    rows = legend_rows(widths, room)
    places = [(x, number) for number, row in enumerate(rows) for x in row]
    begin = EDGE + (room - max(x + width for (x, _), width in zip(places, widths, strict=True))) / 2
    step, parts = SIZE * 1.3, []
    for entry, label, (left, row) in zip(plan.legend, labels, places, strict=True):
        x, y = begin + left, top + step * (row + 0.5)
        if entry.shade:
            parts.append(svg_parts.box(x + 4, y - 4, 13, 8, fill=entry.style.colour))
        if entry.line:
            parts.append(svg_parts.line(x, y, x + 20, y, entry.style.colour, 1.4, entry.style.dash))
        if entry.mark:
            parts.append(svg_parts.mark(x + 10, y, entry.style))
        parts.append(svg_parts.text(x + ENTRY, y + SIZE * 0.35, label, size=SIZE))
    return parts, step * len(rows) + 5

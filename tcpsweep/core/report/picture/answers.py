# SPDX-License-Identifier: MIT
"""The charts of an answer as a drawing: rows of a name, its values on an axis, and its texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from tcpsweep.core.figures import series_styles, text_sizes
from tcpsweep.core.figures.series_styles import Styles
from tcpsweep.core.report.answers.answer import Chart, Row
from tcpsweep.core.report.picture import strip, svg_parts

_ROW, _HEAD, _AXIS, _AFTER = 22.0, 24.0, 18.0, 14.0  # in pixels
_NAME, _DRAWN = 300.0, 320.0  # the widths of names and of strips
_LARGE, _SMALL = 13.0, 11.5  # sizes of texts


def height(charts: Sequence[Chart]) -> float:
    """How high the drawing is."""
    return sum(_HEAD + _AXIS + _ROW * len(chart.rows) + _AFTER + 6 for chart in charts)


def drawn(
    charts: Sequence[Chart], left: float, top: float, width: float, styles: Styles, printed: Callable[[str], str]
) -> Iterator[str]:
    """The parts of the drawing; ``styles`` are the sweep's, ``printed`` gives a series' name for print."""
    for chart in charts:
        yield svg_parts.text(left, top + _HEAD * 0.7, text_sizes.cut(chart.title, 15.0, width), size=15.0)
        strips_left, y = left + _NAME, top + _HEAD + _AXIS
        marks = {"undecided": "white"} | {
            kind: series_styles.colour(styles, name)
            for kind, name in zip(("above", "below"), chart.ahead, strict=False)
        }
        for percent, text in chart.axis.ticks if chart.axis else chart.ticks:
            x = strips_left + percent / 100 * _DRAWN
            yield svg_parts.text(x, y - 6, text, size=_SMALL, anchor="middle", fill=svg_parts.SOFT)
            yield svg_parts.line(x, y - 4, x, y, svg_parts.SOFT)
        texts_left = strips_left + _DRAWN + 24
        text_width = (left + width - texts_left) / max(1, len(chart.heads))
        for number, head in enumerate(chart.heads):
            words = text_sizes.cut(head, _SMALL, text_width - 8)
            yield svg_parts.text(texts_left + number * text_width, y - 5, words, size=_SMALL, fill=svg_parts.SOFT)
        yield svg_parts.line(left, y, left + width, y, svg_parts.LINE_INK, 2)
        for row in chart.rows:
            printed_name = printed(row.name) if row.is_variant else row.name
            name = ", ".join(filter(None, (printed_name, row.about)))
            yield svg_parts.text(left, y + _ROW * 0.68, text_sizes.cut(name, _LARGE, _NAME - 20), size=_LARGE)
            yield from _marks_of_row(chart, row, strips_left, y + _ROW / 2, marks)
            for number, text in enumerate(row.texts):
                words = text_sizes.cut(text, _SMALL, text_width - 8)
                yield svg_parts.text(texts_left + number * text_width, y + _ROW * 0.68, words, size=_SMALL)
            y += _ROW
            yield svg_parts.line(left, y, left + width, y, svg_parts.LINE_INK)
        if chart.legend == "shares":
            words = "dot: mean, with its 95 % interval; circle: an equal share"
            yield svg_parts.text(left, y + _AFTER, words, size=_SMALL, fill=svg_parts.SOFT)
        top = y + _AFTER


def _marks_of_row(chart: Chart, row: Row, left: float, middle: float, fills: Mapping[str, str]) -> Iterator[str]:
    if row.strip and chart.axis:
        yield from strip.drawn(chart.axis, row.strip, left, middle, _DRAWN)
    if not row.turns:
        return
    for band in row.turns.bands:
        low, wide = (left + band.low / 100 * _DRAWN, (band.high - band.low) / 100 * _DRAWN)
        yield svg_parts.box(low, middle - 8, wide, 16, fill="#d8dbe0")
        at = left + band.at / 100 * _DRAWN
        yield svg_parts.line(at, middle - 9, at, middle + 9, svg_parts.INK, 2)
    for mark in row.turns.marks:
        x, fill = left + mark.x / 100 * _DRAWN, fills[mark.kind]
        yield f'<circle cx="{x:.2f}" cy="{middle:.2f}" r="3.5" fill="{fill}" stroke="{svg_parts.SOFT}"/>'

# SPDX-License-Identifier: MIT
"""Tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TextIO, TypeAlias

NARROWEST = 80  # the columns of the narrowest terminal for which tables are made
_LONGEST_WORD = 24  # characters; a longer word may be broken
_GAP = 2  # spaces before each column

Part: TypeAlias = str | list[list[str]]  # a text, or a table's rows


def terminal_width(stream: TextIO | None) -> int | None:
    """The columns of a stream's terminal, at least `NARROWEST`; None if the stream is no terminal."""
    if stream is None or not stream.isatty():
        return None
    from rich.console import Console

    return max(NARROWEST, Console(file=stream).width)


def in_lines(parts: Iterable[Part], width: int | None = None) -> str:
    """Texts and tables, one below the other; ``width`` is the same as for `aligned`."""
    return "\n".join(part if isinstance(part, str) else aligned(part, width) for part in parts)


def aligned(rows: Sequence[Sequence[str]], width: int | None = None) -> str:
    """Rows of texts as lines with aligned columns, indented by two spaces. The first row has the heads.

    In lines of at most ``width`` characters, heads and words wrap, but no number does. Columns that do not fit follow
    below, after the first column again.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    columns = list(zip(*rows, strict=True))
    least, widest = [*map(_least, columns)], [max(map(len, column)) for column in columns]
    total = sum(widest) + _GAP * len(columns)
    ends = [*accumulate(_GAP + size for size in least)]
    count = len(columns) if width is None or total <= width else max(2, sum(end <= width for end in ends))
    spare = (width or total) - ends[count - 1]
    table = Table(box=None, show_header=False, padding=(0, 0, 0, _GAP))
    for narrow, wide in zip(least[:count], widest, strict=False):
        size = min(wide, narrow + spare)
        spare -= size - narrow
        table.add_column(width=size, overflow="fold")
    for number, row in enumerate(rows):
        table.add_row(*(Text(text, no_wrap=number > 0 and not text[:1].isalpha()) for text in row[:count]))
    text = "".join(segment.text for segment in Console(width=max(total, width or 0)).render(table))
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return lines if count == len(columns) else f"{lines}\n{aligned([[row[0], *row[count:]] for row in rows], width)}"


def _least(column: Sequence[str]) -> int:
    """The width of a column whose heads and words wrap. A number may have several parts, as in "5 ± 1"."""
    cells = [cell for cell in column[1:] if not cell[:1].isalpha()]
    words = " ".join([column[0], *(cell for cell in column[1:] if cell[:1].isalpha())]).split()
    return max([len(cell) for cell in cells] + [min(len(word), _LONGEST_WORD) for word in words], default=0)

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
    below, after the first columns again, which name the rows.
    """
    columns = list(zip(*rows, strict=True))
    least, widest = [_GAP + _least(column) for column in columns], [_GAP + max(map(len, column)) for column in columns]
    room, names = width or sum(widest), 1
    if sum(least) > room:
        most = sum(end + max(least) <= room for end in accumulate(widest))
        names = _names(rows, most)
        least[: min(names, most)] = widest[: min(names, most)]  # names need not wrap
    blocks = [[*range(names)]]
    for number in range(names, len(columns)):
        if len(blocks[-1]) > names and sum(least[shown] for shown in (*blocks[-1], number)) > room:
            blocks.append([*range(names)])
        blocks[-1].append(number)
    return "\n".join(
        _block([[row[n] for n in block] for row in rows], [least[n] for n in block], [widest[n] for n in block], room)
        for block in blocks
    )


def _block(rows: Sequence[Sequence[str]], least: Sequence[int], widest: Sequence[int], room: int) -> str:
    """Rows as lines of at most ``room`` characters, with the least and the greatest width of each column."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    spare = room - sum(least)
    table = Table(box=None, show_header=False, padding=(0, 0, 0, _GAP))
    for narrow, wide in zip(least, widest, strict=True):
        size = min(wide, narrow + spare)
        spare -= size - narrow
        table.add_column(width=size - _GAP, overflow="fold")
    for number, row in enumerate(rows):
        table.add_row(*(Text(text, no_wrap=number > 0 and not text[:1].isalpha()) for text in row))
    text = "".join(segment.text for segment in Console(width=max(room, sum(widest))).render(table))
    return "\n".join(line.rstrip() for line in text.splitlines())


def _names(rows: Sequence[Sequence[str]], most: int) -> int:
    """The number of the first columns, at most ``most``, that tell the rows apart; 1 if none do."""
    counts = range(1, most + 1)
    return next((count for count in counts if len({tuple(row[:count]) for row in rows}) == len(rows)), 1)


def _least(column: Sequence[str]) -> int:
    """The width of a column whose heads and words wrap. A number may have several parts, as in "5 ± 1"."""
    cells = [cell for cell in column[1:] if not cell[:1].isalpha()]
    words = " ".join([column[0], *(cell for cell in column[1:] if cell[:1].isalpha())]).split()
    return max([len(cell) for cell in cells] + [min(len(word), _LONGEST_WORD) for word in words], default=0)

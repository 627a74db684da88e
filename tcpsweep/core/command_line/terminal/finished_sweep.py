# SPDX-License-Identifier: MIT
"""Find whether a sweep is finished, pages included, much faster than Snakemake starts.

The last rule of a run writes ``complete`` in the sweep's folder: the files that each rule made, and the closing table.
If these files are unchanged, every cell exists, and the plan is the same, Snakemake would find nothing to do.

The rule that writes the report also writes ``closing.json``, so that the last rule does not load polars.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from tcpsweep.core.contact import features
from tcpsweep.core.store import completion_record, digests, layout, state_files
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import requests, sweep_record, sweep_tables
from tcpsweep.core.words.aligned import Part, in_lines, terminal_width

_BARS = re.compile("[ \u2580-\u259f]*")  # Unicode's block elements
# The plan's files for the rules after the cells.
_PLANNED = (sweep_record.FILE, requests.ASKED_FILE, "sweep.yaml", "commands.json")


@dataclass(frozen=True)
class Closing:
    """A sweep's closing words, from its tables.

    ``tables`` has texts and tables, one of them with a column of bars. ``unmet`` has what the sweep was to show and
    does not, such as an expectation, in words; it is empty if there is nothing.
    """

    tables: list[Part]
    unmet: str


def write_closing(folder: Path) -> None:
    """Write a sweep's closing words."""
    write_whole(folder / layout.CLOSING, json.dumps(vars(closing_of_tables(folder))))


def closing(folder: Path) -> Closing:
    """A sweep's closing words, from `write_closing`'s file or else from the tables."""
    return state_files.read(folder / layout.CLOSING, Closing) or closing_of_tables(folder)


def closing_of_tables(folder: Path) -> Closing:
    """A sweep's closing words, from its tables, with what features add."""
    from tcpsweep.core.analysis import sweep_results  # heavy
    from tcpsweep.core.command_line.terminal import summary_table

    results, parts = sweep_results.read(folder), features.closing()
    return Closing(summary_table.table(results, parts), summary_table.unmet(results, parts))


def record_end(folder: Path | str, page: Path | str, pages: Path | str) -> None:
    """Record that a sweep is finished: its folder, its report, and the folder of its cells' pages, if it has any."""
    folder = Path(folder)
    figures = [folder / "figures.json", *_files_below(folder / "figures")]
    steps = {
        "plan": [folder / name for name in _PLANNED],
        "aggregate": [
            folder / name for name in (digests.FILE, *sweep_tables.BESIDE, *sweep_tables.present_files(folder))
        ],
        "report": [*figures, folder / layout.CLOSING, Path(page), Path(page).with_suffix(".png")],
        "pages": [folder / "pages.json", *_files_below(Path(pages))],
    }
    completion_record.write(folder, steps, closing(folder).tables)


def shows_bars(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal that shows bars."""
    if stream is None or not stream.isatty():
        return False
    try:
        "█▏−".encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def closing_if_finished(path: Path | str, stream: TextIO | None = None) -> str:
    """A finished sweep's closing words, the same as at the end of its run, for a stream; empty if work remains.

    Raises `UserError` if the sweep file has mistakes, or without ns-3.
    """
    from tcpsweep.core.plan import plan, plan_words  # heavy, and not needed by `write_closing`

    planned = plan.unchanged(path)
    complete = completion_record.read(planned.folder) if planned else None
    if planned is None or complete is None or not all(map(completion_record.are_there, complete.made.values())):
        return ""
    shown = for_stream(complete.tables or closing_of_tables(planned.folder).tables, stream)
    return f"{plan_words.describe(planned)}\n\n{shown}\n\nreport: {planned.report}"


def closing_table(folder: Path, stream: TextIO | None = None) -> str:
    """A finished sweep's recorded closing table for a stream; empty if its plan or its tables have changed since."""
    complete = completion_record.read(folder)
    if complete is None or not all(completion_record.are_there(complete.made[step]) for step in ("plan", "aggregate")):
        return ""
    return for_stream(complete.tables, stream)


def for_stream(tables: list[Part], stream: TextIO | None = None) -> str:
    """The closing table for a stream, within its width if it is a terminal; ``tables`` are those of `Closing`."""
    return in_lines(tables if shows_bars(stream) else map(without_bars, tables), terminal_width(stream))


def without_bars(part: Part) -> Part:
    """A text, or a table without its column of bars."""
    if isinstance(part, str):
        return part
    columns = [column for column in zip(*part, strict=True) if not _BARS.fullmatch("".join(column))]
    return [list(row) for row in zip(*columns, strict=True)]


def _files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []

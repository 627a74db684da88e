# SPDX-License-Identifier: MIT
"""Tables of any length, made part by part: the parts are on disk, so that memory holds one part at a time."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from tcpsweep.core.store import whole_files
from tcpsweep.core.words import spreadsheet_text


@dataclass(frozen=True)
class Parts:
    """The parts of tables, in a scratch folder: each a Parquet file, by the table's name."""

    folder: Path
    of: dict[str, list[Path]] = field(default_factory=dict)

    def add(self, table: str, part: pl.DataFrame) -> None:
        """Add the next part of a table; without rows, it is only kept if it is the first."""
        paths = self.of.setdefault(table, [])
        if paths and part.is_empty():
            return
        paths.append(self.folder / f"{table}-{len(paths)}.parquet")
        part.write_parquet(paths[-1], compression="lz4", statistics=False)

    def each(self, table: str) -> Iterator[pl.DataFrame]:
        """The parts of a table, one after the other."""
        return map(pl.read_parquet, self.of[table])

    def whole(self, table: str) -> pl.LazyFrame:
        """All rows of a table, with the columns of all its parts."""
        return pl.concat([pl.scan_parquet(path) for path in self.of[table]], how="diagonal")

    def is_empty(self, table: str) -> bool:
        """Whether a table has no rows."""
        return self.whole(table).limit(1).collect().is_empty()

    def sink(self, table: str, path: Path, columns: Sequence[str] | None = None) -> None:
        """Write the whole table, or only the given columns, to a Parquet file."""
        rows = self.whole(table)
        with whole_files.written_whole(path) as file:
            (rows if columns is None else rows.select(columns)).sink_parquet(file)

    def sink_csv(self, table: str, path: Path) -> None:
        """Write the whole table to a CSV file; all its parts have the same columns."""
        with whole_files.written_whole(path) as file, file.open("wb") as out:
            for number, part in enumerate(self.each(table)):
                spreadsheet_text.harmless(part).write_csv(out, include_header=not number)


@contextmanager
def scratch(folder: Path) -> Iterator[Parts]:
    """`Parts` in a folder below a sweep's ``folder``. It is removed when the block ends.

    If its process is killed, the sweep's next run removes it with the other hidden files.
    """
    with tempfile.TemporaryDirectory(prefix=".parts.", dir=folder, ignore_cleanup_errors=True) as scratch_folder:
        yield Parts(Path(scratch_folder))

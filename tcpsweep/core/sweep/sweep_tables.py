# SPDX-License-Identifier: MIT
"""The tables in a sweep's folder: their files, and the tables that exist even without rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tcpsweep.core.store import digests, state_files
from tcpsweep.core.sweep.sweep_record import Run
from tcpsweep.core.words import spreadsheet_text

if TYPE_CHECKING:
    import polars as pl

# In the order of the report. Tables not in `ALWAYS`, such as `harm`, are written only if they have rows.
_TABLES = (
    *("verdicts", "effects", "summary", "links", "groups", "group_verdicts", "group_effects"),
    *("traffic", "traffic_verdicts", "traffic_effects", "stacks", "flows"),
    *("audit", "runs", "precision", "search", "refined", "refined_points", "expectations", "flow_monitor"),
    *("pairs", "ranking", "frontier", "harm", "nodes"),
    *("published", "published_ranks", "published_winners", "published_claims"),
)
# The table of each kind of part of a network.
OF_PARTS = {"link": "links", "traffic": "traffic", "group": "groups"}
_OTHER_FORMATS = {
    **{
        "verdicts": ("csv",),
        "traffic_verdicts": ("csv",),
        "group_verdicts": ("csv",),
        "flows": ("parquet",),
        "runs": ("parquet",),
    },
    "summary": ("csv", "md", "tex", "parquet"),
}
ALWAYS = ("summary", "flows", "audit", "runs", "flow_monitor")
ATTRIBUTES = "attributes.json"  # ns-3's attributes in force: `attributes_in_force`
COVERED = "covered.json"  # the runs included in the tables, written last
BESIDE = (ATTRIBUTES, COVERED)  # the files next to the tables
STALE = "another run made or removed simulations after these tables: run the sweep again to remake them"


def formats(table: str) -> tuple[str, ...]:
    """The formats of a table's files."""
    return _OTHER_FORMATS.get(table, ("csv", "parquet"))


def files(table: str) -> list[str]:
    """The names of a table's files."""
    return [f"{table}.{kind}" for kind in formats(table)]


def names(folder: Path) -> list[str]:
    """The names of tables: those of `_TABLES`, and those that the digests of this sweep's folder list.

    Other files in the folder are not the sweep's.
    """
    return with_added(Path(name).stem for name in digests.legible(folder) if name.endswith(".parquet"))


def with_added(added: Iterable[str]) -> list[str]:
    """The names of `_TABLES` and of tables that features added."""
    return [*_TABLES, *sorted(set(added).difference(_TABLES))]


def always() -> list[str]:
    """The names of the files in every sweep's folder."""
    return [name for table in ALWAYS for name in files(table)]


def present_files(folder: Path, tables: Iterable[str] | None = None) -> list[str]:
    """The names of the files of tables in this sweep's folder. ``tables`` are by default those of `names`."""
    tables = names(folder) if tables is None else tables
    return [name for table in tables for name in files(table) if (folder / name).is_file()]


def covered(folder: Path | str) -> set[Run]:
    """The runs included in the tables of a sweep's folder; none if there are no tables, or if that is unknown."""
    return set(state_files.read(Path(folder) / COVERED, list[Run]) or ())


def file(folder: Path | str, name: str) -> Path:
    """The path of a table's file in a sweep's folder, if the file is undamaged, or if it was not written.

    Raises
    ------
    digests.Differs
    """
    path = Path(folder) / name
    if not path.exists() and not (path.parent / digests.FILE).exists():
        return path
    try:
        digests.check(path.parent, name)
    except digests.Differs as error:
        raise digests.Differs(f"{error}\nrun the sweep again to remake its tables") from None
    return path


def read(folder: Path | str, table: str, columns: Mapping[str, Any] | None = None) -> pl.DataFrame:
    """A table from a sweep's folder; if it has no rows and so no file, an empty table with these columns.

    Raises
    ------
    digests.Differs
    """
    return scan(folder, table, columns).collect()


def scan_csv(path: Path) -> pl.LazyFrame:
    """A table from its CSV, as a lazy frame; columns whose first rows have no number are numeric too."""
    import polars as pl

    table = pl.scan_csv(path, schema_overrides={"mix": pl.String}, infer_schema_length=None)
    return spreadsheet_text.as_it_was(table)


def scan(folder: Path | str, table: str, columns: Mapping[str, Any] | None = None) -> pl.LazyFrame:
    """`read` as a lazy frame."""
    import polars as pl

    path = file(folder, f"{table}.parquet")
    return pl.scan_parquet(path) if path.is_file() else pl.LazyFrame(schema=columns)

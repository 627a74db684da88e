# SPDX-License-Identifier: MIT
"""Imported captures as polars frames, for people's own analysis: `tcpsweep.open_import`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tcpsweep.core.store import digests, layout
from tcpsweep.core.words import spelling, table_columns
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.captures import imported_files

# Columns of the table `flows` that captures lack.
_SIMULATION_COLUMNS = ("group", "direction", "variant", "bytes", "finish_s")


class NoImport(UserError):
    """There is no such import, or no such table in it; the user reads it."""


@dataclass(frozen=True, repr=False)
class OpenedImport:
    """The tables of imported captures. Times are in s from the beginning of the captures."""

    # The files with counts, ``files``, ``began_ns`` since the epoch, or None, ``length_s``, ``flows``.
    record: dict[str, Any]
    folder: Path  # ``results/imported/<name>``

    def __repr__(self) -> str:
        """How many flows there are, and where it lies."""
        flows = f"{imported_files.flow_count(self.record)} flows"
        return f"{self.record['name']}: {flows}, {self.record['length_s']:g} s; {self.folder}"

    @property
    def flows(self) -> pl.DataFrame:
        """A row per flow: its ends, ``start_s``, ``stop_s``, ``protocol``, ``interface``, and a column per metric."""
        flows = self.table("flows").collect().drop(_SIMULATION_COLUMNS)
        recorded = pl.DataFrame(
            self.record["flows"], schema={"flow": pl.Int32, "protocol": pl.UInt8, "interface": pl.String}
        )
        values = self.table("measures").filter(pl.col("flow").is_not_null(), direction="forward").collect()
        wide = values.pivot("metric", index="flow", values="value", maintain_order=True)
        columns = [name for name in wide.columns if name == "flow" or name not in flows.columns]
        return flows.join(recorded, on="flow", how="left").join(wide.select(columns), on="flow", how="left")

    @property
    def packets(self) -> pl.LazyFrame:
        """All packets, with ``time``: when each was captured, in UTC; null if only a simulator's clock is known."""
        began_ns = self.record["began_ns"]
        time_ns = (pl.col("time_s") * 1_000_000_000).cast(pl.Int64) + pl.lit(began_ns, pl.Int64)
        return self.table("packets").with_columns(time=time_ns.cast(pl.Datetime("ns", "UTC")))

    @property
    def traces(self) -> pl.LazyFrame:
        """The traces of each flow, as its packets show them: ``metric``, ``flow``, ``time_s``, ``value``."""
        return self.table("traces")

    @property
    def path(self) -> pl.LazyFrame:
        """The packets between two captures (``--path``): ``flow``, ``direction``, ``sent_s``, ``delay_s``, ``is_lost``.

        A delay is above the least one of its way. Raises `NoImport` if the import is without ``--path``.
        """
        if not (self.folder / "path.parquet").is_file():
            raise NoImport(f"{self.record['name']}: is an import without --path")
        return pl.scan_parquet(self.folder / "path.parquet")

    def table(self, name: str) -> pl.LazyFrame:
        """A table as its file has it, such as ``measures``, ``fairness``, ``flow_monitor`` or ``events``.

        Raises `NoImport` if there is none, and `digests.Differs` if its file was changed since.
        """
        path = self.folder / f"{name}.parquet"
        if name not in table_columns.COLUMNS or not path.is_file():
            names = sorted(file.stem for file in self.folder.glob("*.parquet"))
            no_table = f"{self.record['name']} has no table {name!r}"
            raise NoImport(spelling.none_of_these(no_table, f"{self.folder} has", name, names))
        digests.check(self.folder, path.name)
        return pl.scan_parquet(path)


def read(name_or_folder: str | Path, folder: str | Path = ".") -> OpenedImport:
    """Open an import, as `tcpsweep.open_import` does. Raises `NoImport`."""
    root = Path(folder).expanduser().absolute()
    for place in (Path(name_or_folder).expanduser(), root / layout.IMPORTED / name_or_folder):
        if (place / imported_files.RECORD).is_file():
            return OpenedImport(
                json.loads((place / imported_files.RECORD).read_text(encoding="utf-8")), place.absolute()
            )
    names = sorted(record.parent.name for record in (root / layout.IMPORTED).glob(f"*/{imported_files.RECORD}"))
    nearest = spelling.did_you_mean(Path(name_or_folder).name, names)
    existing = f"{root / layout.IMPORTED} has {', '.join(names) or 'none'}"
    raise NoImport(f"{name_or_folder}: expected an import: its name or its folder; {existing}{nearest}")

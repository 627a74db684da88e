# SPDX-License-Identifier: MIT
"""The tables of finished cells, read in blocks of runs."""

import itertools
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import polars as pl
import polars.selectors as cs

from tcpsweep.store import layout
from tcpsweep.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.words import metrics, table_columns

BLOCK_RUNS = 2000  # runs whose cells' tables are in memory at a time
MEASURED = ("measures", "fairness", "audit")  # the tables in the folder of a cell's metrics; others lie above it


def blocks(runs: Sequence[Run]) -> Iterator[list[Run]]:
    """Runs, from `PlannedSweep.finished`, in lists of about `BLOCK_RUNS`; a combination's runs stay together."""
    block: list[Run] = []
    for _, of_combination in itertools.groupby(runs, key=lambda run: run[1]):
        block += of_combination
        if len(block) >= BLOCK_RUNS:
            yield block
            block = []
    yield block


def scan(
    sweep: PlannedSweep, runs: Sequence[Run], table: str, root: Path = Path(), *, optional: bool = False
) -> pl.LazyFrame:
    """One kind of table of the cells of finished runs, not read yet.

    Parameters
    ----------
    sweep : PlannedSweep
    runs : list of Run
    table : str
        One of `table_columns.COLUMNS`.
    root : Path
        The folder that holds ``results/``.
    optional : bool
        Whether cells may lack the table; they then have no rows.

    Returns
    -------
    LazyFrame
        ``combination``, ``run``, ``cell``, and the columns of ``table``, in their order, with exact seconds as floats.
    """
    schema = table_columns.schema(table)
    paths = [_place(sweep, run, table, root) for run in runs]
    there = {path: not optional or os.path.isfile(path) for path in dict.fromkeys(paths)}  # noqa: PTH113 (faster)
    places = pl.LazyFrame(
        [(path, run.combination, run.run, run.cell) for path, run in zip(paths, runs, strict=True) if there[path]],
        schema={"path": pl.String, "combination": pl.Int64, "run": pl.Int64, "cell": pl.String},
        orient="row",
    )
    read = [path for path in there if there[path]]
    rows = (
        pl.scan_parquet(read, schema=schema, include_file_paths="path")
        if read
        else pl.LazyFrame(schema=schema | {"path": pl.String})
    )
    if "cell" in schema:
        rows = rows.drop("cell")
    named = rows.join(places, on="path", maintain_order="left").with_columns(cs.decimal().cast(pl.Float64))
    return named.select("combination", "run", "cell", *(name for name in schema if name != "cell"))


def _place(sweep: PlannedSweep, run: Run, table: str, root: Path) -> str:
    measure = sweep.measures[run.combination] if table in MEASURED else None
    return f"{layout.text(run.cell, sweep.parser, measure, root)}/{table}.parquet"


def measure(sweep: PlannedSweep, runs: Sequence[Run], root: Path = Path()) -> pl.DataFrame:
    """The metrics of finished runs.

    Returns
    -------
    DataFrame
        ``combination``, ``run``, ``digest``, and the columns of the table `measures`, ``metric`` as an `Enum`.
    """
    cells = list(dict.fromkeys(run.cell for run in runs))
    digests = pl.LazyFrame({"cell": cells, "digest": [_digest(sweep, cell, root) for cell in cells]}, schema=_DIGESTS)
    return (
        scan(sweep, runs, "measures", root)
        .join(digests, on="cell")
        .select("combination", "run", "digest", *table_columns.schema("measures"))
        .with_columns(pl.col("metric").cast(_METRIC))
        .collect()
        .sort("combination", "run", "flow", "metric", nulls_last=True)
    )


class _Record(msgspec.Struct):
    """What is needed of a `run.json`."""

    digest: str


_METRIC = pl.Enum(list(metrics.METRICS))
_DIGESTS = {"cell": pl.String, "digest": pl.String}


def _digest(sweep: PlannedSweep, cell: str, root: Path) -> str:
    path = f"{layout.text(cell, sweep.parser, root=root)}/run.json"
    with open(path, "rb") as file:  # noqa: PTH123 (faster)
        return msgspec.json.decode(file.read(), type=_Record).digest


def first_uses(runs: Sequence[Run]) -> list[Run]:
    """The first run of each cell; runs that differ only in how they are measured share a cell."""
    found: dict[str, Run] = {}
    for run in runs:
        found.setdefault(run[0], run)
    return list(found.values())


def audit(sweep: PlannedSweep, runs: Sequence[Run], root: Path = Path()) -> pl.DataFrame:
    """The results of finished cells' audits.

    Parameters
    ----------
    sweep : PlannedSweep
    runs : list of Run
        A run of each cell.

    Returns
    -------
    DataFrame
        ``combination``, ``run``, ``cell``, ``checks`` (their number), ``agreeing`` (how many of them agree). A check
        that does not agree has a row with ``check``, ``flow``, ``low``, ``found``, ``high`` of the table `audit`, and
        ``difference``, how far it is out of range. A cell whose checks all agree has one row, with nulls in these.
    """
    checks, key = scan(sweep, runs, "audit", root), ["combination", "run", "cell"]
    counts = checks.group_by(key).agg(checks=pl.len(), agreeing=pl.col("agrees").sum())
    off = pl.max_horizontal(pl.col("low") - pl.col("found"), pl.col("found") - pl.col("high"))
    disagreeing = checks.filter(~pl.col("agrees")).drop("agrees").with_columns(difference=off)
    found = counts.join(disagreeing, on=key, how="left").collect()
    return found.sort("combination", "run", "check", "flow", maintain_order=True)


def of_cells(sweep: PlannedSweep, runs: Sequence[Run], table: str, root: Path = Path()) -> pl.DataFrame:
    """One kind of table, of all finished cells that have it.

    Parameters
    ----------
    sweep : PlannedSweep
    runs : list of Run
        A run of each cell.
    table : str
    root : Path
        The folder that holds ``results/``.

    Returns
    -------
    DataFrame
        As from `scan`, in the order of combinations and runs.
    """
    found = scan(sweep, runs, table, root, optional=True).collect()
    return found.sort("combination", "run", maintain_order=True)

# SPDX-License-Identifier: MIT
"""The tables of finished cells, read in blocks of runs."""

import itertools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from tcpsweep.store import layout
from tcpsweep.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.words import table_columns

BLOCK_RUNS = 2000  # runs whose cells' tables are in memory at a time


def blocks(runs: Sequence[Run]) -> Iterator[list[Run]]:
    """Runs, from `PlannedSweep.finished`, in lists of about `BLOCK_RUNS`; a combination's runs stay together."""
    block: list[Run] = []
    for _, of_combination in itertools.groupby(runs, key=lambda run: run[1]):
        block += of_combination
        if len(block) >= BLOCK_RUNS:
            yield block
            block = []
    yield block


def measure(sweep: PlannedSweep, runs: Sequence[Run]) -> pl.DataFrame:
    """The metrics of finished runs.

    Returns
    -------
    DataFrame
        ``combination``, ``run``, ``digest``, and the columns of the table `measures`.
    """
    digests: dict[str, str] = {}
    for cell, _, _ in runs:
        if cell not in digests:
            record = layout.parquet(cell, sweep.parser) / "run.json"
            digests[cell] = json.loads(record.read_text(encoding="utf-8"))["digest"]
    places = pl.DataFrame(
        [
            (str(_measured(sweep, cell, combination) / "measures.parquet"), combination, run, digests[cell])
            for cell, combination, run in runs
        ],
        schema={"path": pl.String, "combination": pl.Int64, "run": pl.Int64, "digest": pl.String},
        orient="row",
    )
    if not runs:
        return places.drop("path").join(pl.DataFrame(schema=table_columns.schema("measures")), how="cross")
    measures = pl.scan_parquet(
        places["path"].unique().to_list(), schema=table_columns.schema("measures"), include_file_paths="path"
    )
    return (
        measures.join(places.lazy(), on="path")
        .drop("path")
        .select("combination", "run", "digest", *table_columns.schema("measures"))
        .collect()
        .sort("combination", "run", "flow", "metric", nulls_last=True)
    )


def _measured(sweep: PlannedSweep, cell: str, combination: int) -> Path:
    return layout.measured(cell, sweep.parser, sweep.measures[combination])


def first_uses(runs: Sequence[Run]) -> list[Run]:
    """The first run of each cell; runs that differ only in how they are measured share a cell."""
    found: dict[str, Run] = {}
    for run in runs:
        found.setdefault(run[0], run)
    return list(found.values())


def audit(sweep: PlannedSweep, runs: Sequence[Run]) -> pl.DataFrame:
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
    places = pl.DataFrame(
        [
            (str(_measured(sweep, cell, combination) / "audit.parquet"), combination, run, cell)
            for cell, combination, run in runs
        ],
        schema={"path": pl.String, "combination": pl.Int64, "run": pl.Int64, "cell": pl.String},
        orient="row",
    )
    if runs:
        checks = pl.scan_parquet(
            places["path"].to_list(), schema=table_columns.schema("audit"), include_file_paths="path"
        )
    else:
        checks = pl.LazyFrame(schema=table_columns.schema("audit") | {"path": pl.String})
    counts = checks.group_by("path").agg(checks=pl.len(), agreeing=pl.col("agrees").sum())
    off = pl.max_horizontal(pl.col("low") - pl.col("found"), pl.col("found") - pl.col("high"))
    disagreeing = checks.filter(~pl.col("agrees")).drop("agrees").with_columns(difference=off)
    found = places.lazy().join(counts, on="path").join(disagreeing, on="path", how="left").drop("path").collect()
    return found.sort("combination", "run", "check", "flow", maintain_order=True)


def of_cells(sweep: PlannedSweep, runs: Sequence[Run], table: str) -> pl.DataFrame:
    """One kind of table, of all finished cells that have it.

    Parameters
    ----------
    sweep : PlannedSweep
    runs : list of Run
        A run of each cell.
    table : str

    Returns
    -------
    DataFrame
        ``combination``, ``run``, ``cell``, and the columns of ``table``, in their order.
    """
    parser = sweep.parser
    places = {
        str(layout.parquet(cell, parser) / f"{table}.parquet"): (combination, run, cell)
        for cell, combination, run in runs
    }
    there = [path for path in places if Path(path).is_file()]
    rows = [(path, *places[path]) for path in there]
    names = {"path": pl.String, "combination": pl.Int64, "run": pl.Int64, "cell": pl.String}
    found = pl.DataFrame(rows, schema=names, orient="row")
    if there:
        frame = pl.scan_parquet(there, include_file_paths="path").collect()
    else:
        frame = pl.DataFrame(schema=table_columns.schema(table) | {"path": pl.String})
    together = found.join(frame, on="path", maintain_order="right").drop("path")
    return together.sort("combination", "run", maintain_order=True)

# SPDX-License-Identifier: MIT
"""The tables of finished cells, read in blocks of runs."""

import itertools
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl
import polars.selectors as cs
from polars.io.plugins import register_io_source

from tcpsweep.core.store import cell_files, layout
from tcpsweep.core.store.cell_files import Damaged
from tcpsweep.core.sweep import attributes_in_force
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.core.words import metrics, table_columns

_TOGETHER = 64  # files that are checked and then read at once
BLOCK_RUNS = 2000  # runs whose cells' tables are in memory at a time
MEASURED = ("measures", "fairness", "audit")  # the tables in the folder of a cell's metrics; others lie above it
# The files that the sweep's tables and its report are made from, in a cell's two folders.
_READ_PARQUET = ("flow_monitor.parquet", "nodes.parquet")  # and `cell_files.RECORD`
_READ_METRICS = ("measures.parquet", "audit.parquet")


class Sound(NamedTuple):
    """Runs whose files are undamaged.

    Attributes
    ----------
    simulations : dict
        Each cell's `cell_files.simulation`.
    metrics : dict
        Each run's `cell_files.metrics`.
    attributes : dict
        The text of each cell's attributes, from `attributes_in_force.recorded`; the same object where it is the same.
    """

    runs: list[Run]
    simulations: dict[str, str]
    metrics: dict[Run, str]
    attributes: dict[str, bytes]


def blocks(runs: Sequence[Run]) -> Iterator[list[Run]]:
    """Runs, from `PlannedSweep.finished`, in lists of about `BLOCK_RUNS`; a combination's runs stay together."""
    block: list[Run] = []
    for _, of_combination in itertools.groupby(runs, key=lambda run: run[1]):
        block += of_combination
        if len(block) >= BLOCK_RUNS:
            yield block
            block = []
    yield block


def sound(sweep: PlannedSweep, runs: Sequence[Run], root: Path = Path(), *, partly: bool = False) -> Iterator[Sound]:
    """Read the files for the sweep's tables in `blocks`, and check that they are undamaged.

    ``root`` is the folder that holds ``results/``. With ``partly``, cells that were damaged since they were made are
    left out, and standard error says so.

    Raises `cell_files.Damaged`.
    """
    simulations: dict[str, str | None] = {}
    attributes: dict[str, bytes] = {}
    first_of_equal: dict[bytes, bytes] = {}

    def checked_cell(cell: str) -> tuple[str, bytes]:
        """The digest of a cell's simulation, and the text of its attributes. Raises `Damaged`."""
        folder = Path(layout.path_text(cell, sweep.parser, root=root))
        digests = cell_files.check(folder, _READ_PARQUET)
        return cell_files.simulation(digests), attributes_in_force.recorded(cell_files.record_text(folder, digests))

    def checked_metrics(run: Run) -> str:
        folder = Path(layout.path_text(run.cell, sweep.parser, sweep.measures[run.combination], root))
        return cell_files.metrics(cell_files.check(folder, _READ_METRICS))

    for block in blocks(runs):
        shared_cells = {run.cell for run in block} & simulations.keys()
        simulations = {cell: simulations[cell] for cell in shared_cells}
        attributes = {cell: attributes[cell] for cell in shared_cells & attributes.keys()}
        metrics_by_run: dict[Run, str] = {}
        for run in block:
            try:
                if run.cell not in simulations:
                    simulations[run.cell] = None  # until the check below finds it undamaged
                    simulations[run.cell], text = checked_cell(run.cell)
                    attributes[run.cell] = first_of_equal.setdefault(text, text)
                if simulations[run.cell]:
                    metrics_by_run[run] = checked_metrics(run)
            except Damaged as error:
                if not partly:
                    raise
                print(error, file=sys.stderr, flush=True)
        undamaged = {cell: digest for cell, digest in simulations.items() if digest}
        yield Sound([*metrics_by_run], undamaged, metrics_by_run, attributes)


def scan(
    sweep: PlannedSweep,
    runs: Sequence[Run],
    table: str,
    root: Path = Path(),
    *,
    optional: bool = False,
    checked: bool = False,
) -> pl.LazyFrame:
    """One kind of table of the cells of finished runs, not read yet.

    Parameters
    ----------
    table : str
        One of `table_columns.COLUMNS`.
    root : Path
        The folder that holds ``results/``.
    optional : bool
        Whether cells may lack the table; they then have no rows.
    checked : bool
        Whether to check each file when it is read. Collecting then raises `cell_files.Damaged`.

    Returns
    -------
    LazyFrame
        ``combination``, ``run``, ``cell``, and the columns of ``table``, in their order, with exact seconds as floats.
    """
    schema = table_columns.schema(table)
    paths = [_table_path(sweep, run, table, root) for run in runs]
    exists = {path: not optional or os.path.isfile(path) for path in dict.fromkeys(paths)}  # noqa: PTH113 (faster)
    run_of_path = pl.LazyFrame(
        [(path, run.combination, run.run, run.cell) for path, run in zip(paths, runs, strict=True) if exists[path]],
        schema={"path": pl.String, "combination": pl.Int64, "run": pl.Int64, "cell": pl.String},
        orient="row",
    )
    existing = [path for path in exists if exists[path]]
    with_path = schema | {"path": pl.String}
    if not existing:
        rows = pl.LazyFrame(schema=with_path)
    elif checked:
        rows = register_io_source(
            lambda *arguments: _checked_rows(existing, schema, *arguments), schema=with_path, is_pure=True
        )
    else:
        rows = pl.scan_parquet(existing, schema=schema, include_file_paths="path")
    if "cell" in schema:
        rows = rows.drop("cell")
    rows_of_runs = rows.join(run_of_path, on="path", maintain_order="left").with_columns(cs.decimal().cast(pl.Float64))
    return rows_of_runs.select("combination", "run", "cell", *(name for name in schema if name != "cell"))


def _checked_rows(
    paths: Sequence[str],
    schema: table_columns.Schema,
    columns: list[str] | None,
    predicate: pl.Expr | None,
    row_limit: int | None,
    batch: int | None,
) -> Iterator[pl.DataFrame]:
    """The rows of files, with ``path``, that polars asks a source for; each file is checked before it is read.

    polars passes the last four arguments to a source. ``batch``, the size that it suggests, is not used.
    """
    for first in range(0, len(paths), _TOGETHER):
        checked_paths = [str(cell_files.checked(Path(path))) for path in paths[first : first + _TOGETHER]]
        rows = pl.scan_parquet(checked_paths, schema=schema, include_file_paths="path")
        if predicate is not None:
            rows = rows.filter(predicate)
        if columns is not None:
            rows = rows.select(columns)
        if row_limit is not None:
            rows = rows.head(row_limit)
        frame = rows.collect()
        yield frame
        if row_limit is not None:
            row_limit -= frame.height
            if row_limit <= 0:
                return


def _table_path(sweep: PlannedSweep, run: Run, table: str, root: Path) -> str:
    measure = sweep.measures[run.combination] if table in MEASURED else None
    return f"{layout.path_text(run.cell, sweep.parser, measure, root)}/{table}.parquet"


def measure(sweep: PlannedSweep, block: Sound, root: Path = Path()) -> pl.DataFrame:
    """The metrics of runs.

    Returns
    -------
    DataFrame
        ``combination``, ``run``, ``digest``, and the columns of the table `measures`, ``metric`` as an `Enum`.
    """
    simulations = block.simulations
    digests = pl.LazyFrame({"cell": list(simulations), "digest": list(simulations.values())}, schema=_DIGESTS)
    return (
        scan(sweep, block.runs, "measures", root)
        .join(digests, on="cell")
        .select("combination", "run", "digest", *table_columns.schema("measures"))
        .with_columns(pl.col("metric").cast(_METRIC))
        .collect()
        .sort("combination", "run", "flow", "metric", "link", "direction", nulls_last=True)
    )


_METRIC = pl.Enum(list(metrics.METRICS))
_DIGESTS = {"cell": pl.String, "digest": pl.String}


def first_uses(runs: Sequence[Run]) -> list[Run]:
    """The first run of each cell; runs that differ only in how they are measured share a cell."""
    by_cell: dict[str, Run] = {}
    for run in runs:
        by_cell.setdefault(run[0], run)
    return list(by_cell.values())


def audit(sweep: PlannedSweep, runs: Sequence[Run], root: Path = Path()) -> pl.DataFrame:
    """The results of finished cells' audits.

    ``runs`` has a run of each cell.

    Returns
    -------
    DataFrame
        ``combination``, ``run``, ``cell``, ``checks`` (their number), ``agreeing`` (how many of them agree). A check
        that does not agree has a row with ``check``, ``flow``, ``low``, ``found``, ``high`` of the table `audit`, and
        ``difference``, how far it is out of range. A cell whose checks all agree has one row, with nulls in these.
    """
    key, agrees = ["combination", "run", "cell"], pl.col("agrees")
    checks = scan(sweep, runs, "audit", root).group_by(key).agg(checks=pl.len(), agreeing=agrees.sum()).collect()
    # Most cells agree, so that one column is all that most files are read for.
    failed = set(checks.filter(pl.col("agreeing") < pl.col("checks"))["cell"])
    out_of_range = pl.max_horizontal(pl.col("low") - pl.col("found"), pl.col("found") - pl.col("high"))
    disagreeing = scan(sweep, [run for run in runs if run.cell in failed], "audit", root).filter(~agrees).drop("agrees")
    rows = checks.join(disagreeing.with_columns(difference=out_of_range).collect(), on=key, how="left")
    return rows.sort("combination", "run", "check", "flow", maintain_order=True)


def of_cells(sweep: PlannedSweep, runs: Sequence[Run], table: str, root: Path = Path()) -> pl.DataFrame:
    """One kind of table, of all finished cells that have it.

    ``runs`` has a run of each cell, and ``root`` is the folder that holds ``results/``.

    Returns
    -------
    DataFrame
        As from `scan`, in the order of combinations and runs.
    """
    rows = scan(sweep, runs, table, root, optional=True).collect()
    return rows.sort("combination", "run", maintain_order=True)

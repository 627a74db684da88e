# SPDX-License-Identifier: MIT
"""A sweep's tables, written from the tables of its finished cells."""

import json
from pathlib import Path

import polars as pl

from tcpsweep.analysis import (
    axis_columns,
    cell_tables,
    comparisons,
    effects,
    harm,
    readable_summary,
    summaries,
    verdict_words,
)
from tcpsweep.expectations import judged
from tcpsweep.store import whole_files
from tcpsweep.store.whole_files import write_whole
from tcpsweep.study import claim_findings, reproduction
from tcpsweep.sweep import sweep_record, sweep_tables
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import markup, metrics


def of_runs(sweep: PlannedSweep, root: Path = Path()) -> dict[str, pl.DataFrame]:
    """Make the tables that only need finished runs, block by block: memory holds one block's own tables at a time.

    Parameters
    ----------
    sweep : PlannedSweep
    root : Path
        The folder that holds ``results/``.

    Returns
    -------
    dict of str to DataFrame
        ``values`` from `summaries.by_run`, ``summary`` from `summaries.summarise`, ``flows`` from `summaries.flows`,
        ``audit`` from `cell_tables.audit`, ``flow_monitor`` and ``nodes`` from `cell_tables.of_cells`, and ``measures``
        from `cell_tables.measure`, which has rows only if the sweep reproduces a study. The combinations that are added
        to the sweep's own are in ``audit``, ``values`` and ``measures`` alone.
    """
    runs = sweep.finished(root)
    parts: dict[str, list[pl.DataFrame]] = {}
    firsts = set(cell_tables.first_uses(runs))
    own = pl.col("combination") < sweep.swept
    for block in cell_tables.blocks(runs):
        cells = [run for run in block if run in firsts]
        swept = [run for run in cells if run[1] < sweep.swept]
        measures = cell_tables.measure(sweep, block, root)
        values = summaries.by_run(measures)
        made = {
            "values": values,
            "summary": summaries.summarise(values.filter(own)),
            "flows": summaries.flows(measures.filter(own)),
            "audit": cell_tables.audit(sweep, cells, root),
            "flow_monitor": cell_tables.of_cells(sweep, swept, "flow_monitor", root),
            "nodes": cell_tables.of_cells(sweep, swept, "nodes", root),
            "measures": measures if sweep.study else measures.clear(),
        }
        for name, frame in made.items():
            parts.setdefault(name, []).append(frame)
    return {name: pl.concat(frames, how="diagonal") for name, frames in parts.items()}


def _study(sweep: PlannedSweep, measures: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """The tables of the study that a sweep reproduces, by name."""
    return reproduction.tables(sweep, measures) | {"published_claims": claim_findings.judged(sweep, measures)}


def write(folder: Path | str) -> None:
    """Make the tables of the sweep in ``folder``: `sweep_tables`, and last the list of runs that they are made from.

    The combinations that `harm` and `published` add to the sweep are in their own tables and in the audit alone. Each
    table is written and given up before the next is made. An optional table without rows is removed, if an earlier form
    of the sweep left one.
    """
    folder = Path(folder)
    whole = sweep_record.read(folder)
    sweep = whole.up_to(whole.swept)
    made = of_runs(whole)
    for name, frame in _study(whole, made.pop("measures")).items():
        _write(folder, name, axis_columns.with_axes(sweep, frame))
    values = made.pop("values")
    first = whole.published.first
    harms = harm.harms(whole.up_to(first), values)
    _write(folder, "harm", axis_columns.networks(sweep, harms, 1))
    _write(folder, "audit", axis_columns.with_axes(whole, made.pop("audit")))
    for name in ("flow_monitor", "nodes"):
        _write(folder, name, axis_columns.with_axes(sweep, made.pop(name)))
    per_flow = made.pop("flows")
    ordered = [*summaries.FLOW_COLUMNS, *(name for name in metrics.METRICS if name in per_flow.columns)]
    _write(folder, "flows", axis_columns.with_axes(sweep, per_flow.select(ordered)))
    del per_flow
    values = values.filter(pl.col("combination") < whole.swept)
    _write(folder, "runs", values)
    summary = made.pop("summary")
    _write(folder, "expectations", axis_columns.with_axes(sweep, judged.table(sweep, summary, values)))
    _write_parquet(folder, "summary", axis_columns.with_axes(sweep, summary))
    table = summaries.wide(sweep, summary)
    _write_csv(folder, "summary", table.drop("combination"))
    heads, rows, words = readable_summary.for_people(sweep, table, summaries.silent(summary))
    del summary
    write_whole(folder / "summary.md", markup.markdown(heads, rows))
    write_whole(folder / "summary.tex", markup.latex(heads, rows, words))
    effect = effects.effects(sweep, values)
    del values
    _write(folder, "verdicts", verdict_words.verdicts(effect, comparisons.pairs(sweep), sweep.headline))
    _write(folder, "effects", axis_columns.networks(sweep, effect, 2))
    write_whole(folder / sweep_tables.COVERED, json.dumps(whole.finished()))


def _write(folder: Path, name: str, frame: pl.DataFrame) -> None:
    """Write a table in its formats, or remove it."""
    if frame.is_empty() and name not in sweep_tables.ALWAYS:
        for file in sweep_tables.files(name):
            (folder / file).unlink(missing_ok=True)
        return
    if "parquet" in sweep_tables.FORMATS[name]:
        _write_parquet(folder, name, frame)
    if "csv" in sweep_tables.FORMATS[name]:
        _write_csv(folder, name, frame)


def _write_parquet(folder: Path, name: str, frame: pl.DataFrame) -> None:
    with whole_files.written_whole(folder / f"{name}.parquet") as file:
        frame.write_parquet(file)


def _write_csv(folder: Path, name: str, frame: pl.DataFrame) -> None:
    with whole_files.written_whole(folder / f"{name}.csv") as file:
        frame.write_csv(file)

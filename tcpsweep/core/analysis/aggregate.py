# SPDX-License-Identifier: MIT
"""A sweep's tables, written from the tables of its finished cells."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import polars as pl

from tcpsweep.core.analysis import (
    axis_columns,
    cell_tables,
    comparisons,
    effects,
    group_effects,
    group_values,
    next_round,
    summaries,
    table_parts,
    verdict_words,
)
from tcpsweep.core.analysis.cell_tables import Sound
from tcpsweep.core.analysis.run_results import RunResults
from tcpsweep.core.analysis.table_parts import Parts
from tcpsweep.core.contact.tables import AddedTables
from tcpsweep.core.store import removal
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import (
    attributes_in_force,
    caveats,
    rotations,
    rounds,
    sweep_digests,
    sweep_record,
    sweep_tables,
)
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import markup, metrics


def by_block(
    sweep: PlannedSweep, blocks: Iterable[Sound], root: Path = Path(), with_measures: bool = False
) -> Iterator[dict[str, pl.DataFrame]]:
    """Make the tables that only need finished runs, block by block, so that memory holds one block's own tables.

    ``blocks`` are those of the sweep's runs, from `cell_tables.sound`, and ``root`` is the folder that holds
    ``results/``.

    Yields
    ------
    dict of str to DataFrame
        The tables of each block:

        - ``runs`` from `summaries.by_run`, ``summary`` from `summaries.summarise`, ``flows`` from `summaries.flows`
        - ``links`` from `summaries.of_links`, ``groups`` and ``group_runs`` from `group_values`
        - ``traffic`` from `summaries.of_traffic`, ``traffic_runs`` from `group_effects.values`
        - ``audit`` from `cell_tables.audit`, ``flow_monitor`` and ``nodes`` from `cell_tables.of_cells`
        - ``measures`` from `cell_tables.measure`, without links and traffic; without rows unless ``with_measures``
        - ``added_runs``: rows with the columns of ``runs`` for combinations that are added to the sweep's own. These
          combinations are also in ``audit`` and ``measures``.
    """
    is_swept, in_traffic = pl.col("combination") < sweep.swept, pl.col("traffic").is_not_null()
    seen_cells: set[str] = set()
    groups, lengths = summaries.flow_groups(sweep), rotations.lengths(sweep.combinations)
    side_count = group_values.number(sweep)
    with_groups = {number for number in group_values.combinations(sweep) if number < sweep.swept}
    for block in blocks:
        new_runs = [run for run in cell_tables.first_uses(block.runs) if run.cell not in seen_cells]
        seen_cells |= {run.cell for run in new_runs}
        new_swept_runs = [run for run in new_runs if run[1] < sweep.swept]
        of_all = cell_tables.measure(sweep, block, root)
        measures, traffic = of_all.filter(pl.col("link").is_null(), ~in_traffic), of_all.filter(is_swept, in_traffic)
        values = summaries.by_run(of_all.filter(~in_traffic), lengths, side_count)
        of_groups = group_values.by_run(of_all, groups, with_groups, lengths, side_count)
        yield {
            "runs": values.filter(is_swept),
            "added_runs": values.filter(~is_swept),
            "summary": summaries.summarise(values.filter(is_swept), lengths=lengths),
            "links": summaries.of_links(of_all.filter(is_swept), lengths),
            "groups": group_values.summary(of_groups, lengths),
            "group_runs": group_values.of_whole_groups(of_groups),
            "traffic": summaries.of_traffic(traffic, lengths),
            "traffic_runs": group_effects.values(traffic),
            "flows": summaries.flows(measures.filter(is_swept), groups),
            "audit": cell_tables.audit(sweep, new_runs, root),
            "flow_monitor": cell_tables.of_cells(sweep, new_swept_runs, "flow_monitor", root),
            "nodes": cell_tables.of_cells(sweep, new_swept_runs, "nodes", root),
            "measures": measures if with_measures else measures.clear(),
        }


def of_runs(sweep: PlannedSweep, root: Path = Path()) -> dict[str, pl.DataFrame]:
    """The tables of `by_block` of all finished runs, whole.

    Raises
    ------
    cell_files.Damaged
        A cell was damaged since it was made.
    """
    frames_by_table: dict[str, list[pl.DataFrame]] = {}
    for tables in by_block(sweep, cell_tables.sound(sweep, sweep.finished(root), root), root):
        for name, frame in tables.items():
            frames_by_table.setdefault(name, []).append(frame)
    return {name: pl.concat(frames, how="diagonal") for name, frames in frames_by_table.items()}


def write_tables(folder: Path | str, added_tables: Sequence[AddedTables]) -> None:
    """Make the tables of the sweep in ``folder``: `sweep_tables`, and last the list of runs that they are made from.

    ``added_tables`` are those of features. The combinations that questions add to the sweep are only in their own
    tables and in the audit. Tables that grow with the number of runs are made in parts, which are in the folder
    meanwhile. If an earlier form of the sweep left an optional table that now has no rows, it is removed. Cells that
    were damaged since they were made are in no table. Each is noted, so that the next run makes it again.
    """
    folder = Path(folder)
    full = sweep_record.read(folder)
    cell_digests, attributes = sweep_digests.Cells(), attributes_in_force.InForce()
    with table_parts.scratch(folder) as parts:
        results = RunResults(folder, full, parts)

        def noted_blocks() -> Iterator[Sound]:
            """The blocks, whose runs, digests and attributes are noted for the files that are written last."""
            for block in cell_tables.sound(full, full.finished(), partly=True):
                results.covered.extend(block.runs)
                for run in block.runs:
                    cell_digests.add(run.cell, block.simulations[run.cell], block.metrics[run])
                    attributes.add(block.attributes[run.cell], run.combination)
                yield block

        with_measures = any(added.needs_measures and added.key in full.questions for added in added_tables)
        _add_tables_of_blocks(results, by_block(full, noted_blocks(), with_measures=with_measures))
        for name in ("audit", "flow_monitor", "links", "groups", "traffic", "nodes", "runs"):
            _write_parts(folder, name, parts)
        _write_flows(results)
        _write_summary(results)
        _write_effects(results)
        for column in ("traffic", "group"):
            _write_group_effects(results, column)
        added_names = _write_added_tables(results, added_tables)
        if full.asked:
            rounds.write_rounds(folder, full.asked, *next_round.wanted_next(results, added_tables))
    attributes.write(folder)
    write_whole(folder / sweep_tables.COVERED, msgspec.json.encode(results.covered).decode(), is_lasting=True)
    sweep_digests.write(folder, cell_digests.digest, added_names)


_WITH_AXES = ("flow_monitor", "nodes", "flows", "links", "groups", "traffic", "summary")


def _add_tables_of_blocks(results: RunResults, blocks: Iterable[dict[str, pl.DataFrame]]) -> None:
    """Add the tables of `by_block` to the parts, some with columns of axes."""
    axes_tables = {"audit": results.full_axes} | dict.fromkeys(_WITH_AXES, results.axes)
    for tables in blocks:
        for name, frame in tables.items():
            axes_of_table = axes_tables.get(name)
            results.parts.add(name, frame if axes_of_table is None else axis_columns.with_axes(axes_of_table, frame))


def _write_added_tables(results: RunResults, added_tables: Iterable[AddedTables]) -> list[str]:
    """Write the tables of features, and remove those of an earlier form of the sweep. Returns the written ones."""
    written: list[str] = []
    for added in added_tables:
        names: dict[str, None] = {}
        for name, part in added.tables(results):
            results.parts.add(name, part)
            names[name] = None
        for name in names:
            _write_parts(results.folder, name, results.parts)
        written += names
    for name in sweep_tables.names(results.folder):
        if name not in results.parts.of:
            _remove(results.folder, name)
    return written


def _write_flows(results: RunResults) -> None:
    """Write the table of flows; its parts have columns for the metrics that their own flows have."""
    axes_columns = results.axes.columns
    columns = results.parts.whole("flows").collect_schema().names()
    first = [*axes_columns, *(name for name in summaries.FLOW_COLUMNS if name not in axes_columns)]
    metric_columns = [name for name in metrics.METRICS if name in columns]
    results.parts.sink("flows", results.folder / "flows.parquet", [*first, *metric_columns])


def _write_summary(results: RunResults) -> None:
    """Write the summary, and its headline metrics with a row per combination and variant."""
    folder, sweep, axes_table, parts = results.folder, results.sweep, results.axes, results.parts
    parts.sink("summary", folder / "summary.parquet")
    metric_names = parts.whole("summary").select(pl.col("metric").unique()).collect()["metric"]
    headline = metrics.headline(metric_names, sweep.headline)
    wholes = [text["variant"] for text in sweep.texts]
    heads: list[str] = []
    rows: list[list[str]] = []
    for part in parts.each("summary"):
        table = summaries.wide(axes_table, part, headline, wholes)
        if not parts.is_empty("groups"):
            in_part = pl.col("combination").is_in(part["combination"].unique().to_list())
            rows_of_groups = group_values.wide(parts.whole("groups").filter(in_part).collect(), part, headline)
            table = group_values.in_place(table, axis_columns.with_axes(axes_table, rows_of_groups))
        parts.add("wide", table.drop("combination"))
        heads, part_rows, text_columns = summaries.texts_for_people(sweep, table, summaries.silent(part))
        rows += part_rows
    parts.sink_csv("wide", folder / "summary.csv")
    write_whole(folder / "summary.md", markup.markdown(heads, rows) + caveats.footnote(sweep, headline))
    write_whole(folder / "summary.tex", markup.latex(*summaries.texts_for_print(sweep, heads, rows), text_columns))


def _write_effects(results: RunResults) -> None:
    """Write the effects and the verdicts, metric by metric."""
    sweep, parts = results.sweep, results.parts
    compared, verdict_tables = comparisons.pairs(sweep), []
    for part in effects.by_metric(sweep, results.values, pairs=compared):
        verdict_tables.append(verdict_words.verdicts(part, compared))
        parts.add("effects", axis_columns.networks(sweep, results.axes, part, 2))
    verdicts = verdict_words.in_order(pl.concat(verdict_tables), sweep.headline)
    parts.add("verdicts", _with_defects(verdicts, caveats.Touching(sweep)))
    for name in ("verdicts", "effects"):
        _write_parts(results.folder, name, parts)


def _with_defects(verdicts: pl.DataFrame, touched: caveats.Touching) -> pl.DataFrame:
    """Verdicts with ``known_defects``, the names of ns-3's defects that affect each."""
    defect_names = ["; ".join(caveat.name for caveat in touched.verdict(row)) for row in verdicts.iter_rows(named=True)]
    return verdicts.with_columns(known_defects=pl.Series(defect_names, dtype=pl.String))


def _write_group_effects(results: RunResults, column: str) -> None:
    """Write the effects and the verdicts on each group of traffic, or of flows, as ``column`` says."""
    sweep, parts = results.sweep, results.parts
    touched = caveats.Touching(sweep)
    effects_name, verdicts_name = table_names = (f"{column}_effects", f"{column}_verdicts")
    for of_group, verdicts in group_effects.by_group(sweep, parts.whole(f"{column}_runs"), column):
        parts.add(effects_name, axis_columns.networks(sweep, results.axes, of_group, 3))
        parts.add(verdicts_name, _with_defects(verdicts, touched))
    for name in table_names:
        if name not in parts.of:
            parts.add(name, pl.DataFrame({column: []}))
        _write_parts(results.folder, name, parts)


def _write_parts(folder: Path, name: str, parts: Parts) -> None:
    """Write a table from its parts in its formats, or remove it if it has no rows."""
    if name not in sweep_tables.ALWAYS and parts.is_empty(name):
        _remove(folder, name)
        return
    if "parquet" in sweep_tables.formats(name):
        parts.sink(name, folder / f"{name}.parquet")
    if "csv" in sweep_tables.formats(name):
        parts.sink_csv(name, folder / f"{name}.csv")


def _remove(folder: Path, name: str) -> None:
    """Remove a table's files."""
    for file in sweep_tables.files(name):
        removal.remove(folder / file, within=folder)

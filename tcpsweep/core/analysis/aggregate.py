# SPDX-License-Identifier: MIT
"""A sweep's tables, written from the tables of its finished cells."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import polars as pl

from tcpsweep.core.analysis import (
    axis_columns,
    cell_tables,
    comparisons,
    effects,
    group_values,
    next_round,
    summaries,
    table_parts,
    verdict_words,
)
from tcpsweep.core.analysis.cell_tables import Sound
from tcpsweep.core.analysis.table_parts import Parts
from tcpsweep.core.store import removal
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import attributes_in_force, rotations, rounds, sweep_digests, sweep_record, sweep_tables
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.core.words import markup, metrics
from tcpsweep.features.corrections import touched_numbers
from tcpsweep.features.expectations import judged
from tcpsweep.features.linux import stack_table
from tcpsweep.features.pairs import harm, pair_frontier, pair_ranking, pair_tables
from tcpsweep.features.precision import precision_table
from tcpsweep.features.refine import refinement
from tcpsweep.features.search import network_sweep_file, searched_networks
from tcpsweep.features.studies import claim_findings, reproduction
from tcpsweep.features.traffic import traffic_effects


def by_block(sweep: PlannedSweep, blocks: Iterable[Sound], root: Path = Path()) -> Iterator[dict[str, pl.DataFrame]]:
    """Make the tables that only need finished runs, block by block, so that memory holds one block's own tables.

    ``blocks`` are those of the sweep's runs, from `cell_tables.sound`, and ``root`` is the folder that holds
    ``results/``.

    Yields
    ------
    dict of str to DataFrame
        The tables of each block:

        - ``runs`` from `summaries.by_run`, ``summary`` from `summaries.summarise`, ``flows`` from `summaries.flows`
        - ``links`` from `summaries.of_links`, ``groups`` and ``group_runs`` from `group_values`
        - ``traffic`` from `summaries.of_traffic`, ``traffic_runs`` from `traffic_effects.values`
        - ``audit`` from `cell_tables.audit`, ``flow_monitor`` and ``nodes`` from `cell_tables.of_cells`
        - ``measures`` from `cell_tables.measure`, without links and traffic; without rows unless the sweep reproduces
          a study
        - ``added_runs``: rows with the columns of ``runs`` for combinations that are added to the sweep's own. These
          combinations are also in ``audit`` and ``measures``.
    """
    is_swept, is_traffics = pl.col("combination") < sweep.swept, pl.col("traffic").is_not_null()
    seen: set[str] = set()
    groups, lengths = summaries.flow_groups(sweep), rotations.lengths(sweep.combinations)
    sides = group_values.number(sweep)
    apart = {number for number in group_values.combinations(sweep) if number < sweep.swept}
    for block in blocks:
        cells = [run for run in cell_tables.first_uses(block.runs) if run.cell not in seen]
        seen |= {run.cell for run in cells}
        swept = [run for run in cells if run[1] < sweep.swept]
        of_all = cell_tables.measure(sweep, block, root)
        measures, traffic = of_all.filter(pl.col("link").is_null(), ~is_traffics), of_all.filter(is_swept, is_traffics)
        values = summaries.by_run(of_all.filter(~is_traffics), lengths, sides)
        of_groups = group_values.by_run(of_all, groups, apart, lengths, sides)
        yield {
            "runs": values.filter(is_swept),
            "added_runs": values.filter(~is_swept),
            "summary": summaries.summarise(values.filter(is_swept), lengths=lengths),
            "links": summaries.of_links(of_all.filter(is_swept), lengths),
            "groups": group_values.summary(of_groups, lengths),
            "group_runs": group_values.of_whole_groups(of_groups),
            "traffic": summaries.of_traffic(traffic, lengths),
            "traffic_runs": traffic_effects.values(traffic),
            "flows": summaries.flows(measures.filter(is_swept), groups),
            "audit": cell_tables.audit(sweep, cells, root),
            "flow_monitor": cell_tables.of_cells(sweep, swept, "flow_monitor", root),
            "nodes": cell_tables.of_cells(sweep, swept, "nodes", root),
            "measures": measures if sweep.study else measures.clear(),
        }


def of_runs(sweep: PlannedSweep, root: Path = Path()) -> dict[str, pl.DataFrame]:
    """The tables of `by_block` of all finished runs, whole.

    Raises
    ------
    cell_files.Damaged
        A cell was damaged since it was made.
    """
    parts: dict[str, list[pl.DataFrame]] = {}
    for made in by_block(sweep, cell_tables.sound(sweep, sweep.finished(root), root), root):
        for name, frame in made.items():
            parts.setdefault(name, []).append(frame)
    return {name: pl.concat(frames, how="diagonal") for name, frames in parts.items()}


def write_tables(folder: Path | str) -> None:
    """Make the tables of the sweep in ``folder``: `sweep_tables`, and last the list of runs that they are made from.

    The combinations that `pairs`, `harm` and `published` add to the sweep are only in their own tables and in the
    audit. Tables that grow with the number of runs are made in parts, which are in the folder meanwhile. If an earlier
    form of the sweep left an optional table that now has no rows, it is removed. Cells that were damaged since they
    were made are in no table. Each is noted, so that the next run makes it again.
    """
    folder = Path(folder)
    whole = sweep_record.read(folder)
    sweep = whole.up_to(whole.swept)
    every = axis_columns.combinations(whole)
    axes_table = every.head(whole.swept) if whole.swept < every.height else every
    axes_tables = {"audit": every} | dict.fromkeys(_WITH_AXES, axes_table)
    covered: list[Run] = []
    cells, in_force = sweep_digests.Cells(), attributes_in_force.InForce()

    def kept() -> Iterator[Sound]:
        for block in cell_tables.sound(whole, whole.finished(), partly=True):
            covered.extend(block.runs)
            for run in block.runs:
                cells.add(run.cell, block.simulations[run.cell], block.metrics[run])
                in_force.add(block.attributes[run.cell], run.combination)
            yield block

    with table_parts.scratch(folder) as parts:
        for made in by_block(whole, kept()):
            for name, frame in made.items():
                columns = axes_tables.get(name)
                parts.add(name, frame if columns is None else axis_columns.with_axes(columns, frame))
        measures = parts.whole("measures").collect()
        study = reproduction.comparison_tables(whole, measures) | {
            "published_claims": claim_findings.judged(whole, measures)
        }
        for name, frame in study.items():
            _write(folder, name, axis_columns.with_axes(axes_table, frame))
        values, summary = parts.whole("runs"), parts.whole("summary")
        compared, of_all = whole.up_to(whole.published.first), pl.concat([values, parts.whole("added_runs")])
        harms = harm.harms(compared, of_all)
        _write(folder, "harm", axis_columns.networks(sweep, every, harms, 1))
        for name, frame in _pairs(compared, of_all, parts.whole("flows")).items():
            _write(folder, name, axis_columns.networks(sweep, every, frame, 1))
        for name in ("audit", "flow_monitor", "links", "groups", "traffic", "nodes", "runs"):
            _write_parts(folder, name, parts)
        _write_flows(folder, axes_table, parts)
        expectations = judged.judged_expectations(
            sweep,
            summary,
            values,
            {kind: parts.whole(name) for kind, name in sweep_tables.OF_PARTS.items()},
        )
        _write(folder, "expectations", axis_columns.with_axes(axes_table, expectations))
        _write_summary(folder, sweep, axes_table, parts)
        _write_effects(folder, sweep, axes_table, parts)
        _write(folder, "stacks", axis_columns.networks(sweep, axes_table, stack_table.table(sweep, values), 2))
        for column in ("traffic", "group"):
            _write_group_effects(folder, sweep, axes_table, parts, column)
        precision = precision_table.table(
            sweep, parts.whole("summary").collect() if sweep.precision else pl.DataFrame()
        )
        _write(folder, "precision", axis_columns.with_axes(axes_table, precision))
        looked_at = refinement.points(sweep, values)
        for name, frame in {"refined_points": looked_at, "refined": refinement.turns(sweep, looked_at)}.items():
            _write(folder, name, refinement.with_axes(sweep, axes_table, frame))
        seen = searched_networks.seen(sweep, values) if sweep.search else None
        networks = searched_networks.table(sweep, seen) if seen else pl.DataFrame(schema=searched_networks.COLUMNS)
        networks = axis_columns.with_axes(axes_table, networks)
        _write(folder, "search", networks)
        network_sweep_file.write(folder, sweep, networks, is_ended=bool(seen and not seen.wanted))
    if whole.asked:
        rounds.write_rounds(folder, whole.asked, *next_round.wanted_next(whole, precision, looked_at, covered, seen))
    in_force.write(folder)
    write_whole(folder / sweep_tables.COVERED, msgspec.json.encode(covered).decode(), is_lasting=True)
    sweep_digests.write(folder, cells.digest)


_WITH_AXES = ("flow_monitor", "nodes", "flows", "links", "groups", "traffic", "summary")


def _pairs(sweep: PlannedSweep, values: pl.LazyFrame, flows: pl.LazyFrame) -> dict[str, pl.DataFrame]:
    """The tables that compare variants in all mixes of two, by name."""
    runs = pair_tables.by_run(sweep, values, flows)
    return {
        "pairs": pair_tables.pair_means(runs),
        "ranking": pair_ranking.table(runs, sweep.pairs),
        "frontier": pair_frontier.table(sweep, values),
    }


def _write_flows(folder: Path, axes_table: pl.DataFrame, parts: Parts) -> None:
    """Write the table of flows; its parts have columns for the metrics that their own flows have."""
    columns = parts.whole("flows").collect_schema().names()
    first = [*axes_table.columns, *(name for name in summaries.FLOW_COLUMNS if name not in axes_table.columns)]
    parts.sink("flows", folder / "flows.parquet", [*first, *(name for name in metrics.METRICS if name in columns)])


def _write_summary(folder: Path, sweep: PlannedSweep, axes_table: pl.DataFrame, parts: Parts) -> None:
    """Write the summary, and its headline metrics with a row per combination and variant."""
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
            of_groups = group_values.wide(parts.whole("groups").filter(in_part).collect(), part, headline)
            table = group_values.in_place(table, axis_columns.with_axes(axes_table, of_groups))
        parts.add("wide", table.drop("combination"))
        heads, more, words = summaries.texts_for_people(sweep, table, summaries.silent(part))
        rows += more
    parts.sink_csv("wide", folder / "summary.csv")
    write_whole(folder / "summary.md", markup.markdown(heads, rows) + touched_numbers.footnote(sweep, headline))
    write_whole(folder / "summary.tex", markup.latex(*summaries.texts_for_print(sweep, heads, rows), words))


def _write_effects(folder: Path, sweep: PlannedSweep, axes_table: pl.DataFrame, parts: Parts) -> None:
    """Write the effects and the verdicts, metric by metric."""
    compared, said = comparisons.pairs(sweep), []
    for part in effects.by_metric(sweep, parts.whole("runs"), pairs=compared):
        said.append(verdict_words.verdicts(part, compared))
        parts.add("effects", axis_columns.networks(sweep, axes_table, part, 2))
    verdicts = verdict_words.in_order(pl.concat(said), sweep.headline)
    _write(folder, "verdicts", _with_defects(verdicts, touched_numbers.Touched(sweep)))
    _write_parts(folder, "effects", parts)


def _with_defects(verdicts: pl.DataFrame, touched: touched_numbers.Touched) -> pl.DataFrame:
    """Verdicts with ``known_defects``, the names of ns-3's defects that affect each."""
    by = ["; ".join(defect.name for defect in touched.verdict(row)) for row in verdicts.iter_rows(named=True)]
    return verdicts.with_columns(known_defects=pl.Series(by, dtype=pl.String))


def _write_group_effects(
    folder: Path, sweep: PlannedSweep, axes_table: pl.DataFrame, parts: Parts, column: str
) -> None:
    """Write the effects and the verdicts on each group of traffic, or of flows, as ``column`` says."""
    touched, names = touched_numbers.Touched(sweep), (f"{column}_effects", f"{column}_verdicts")
    for tables in traffic_effects.by_group(sweep, parts.whole(f"{column}_runs"), column):
        for name, part in zip(names, tables, strict=True):
            is_verdict = name == names[1]
            parts.add(
                name, _with_defects(part, touched) if is_verdict else axis_columns.networks(sweep, axes_table, part, 3)
            )
    for name in names:
        if name not in parts.of:
            parts.add(name, pl.DataFrame({column: []}))
        _write_parts(folder, name, parts)


def _write(folder: Path, name: str, frame: pl.DataFrame) -> None:
    """Write a table in its formats, or remove it."""
    with table_parts.scratch(folder) as parts:
        parts.add(name, frame)
        _write_parts(folder, name, parts)


def _write_parts(folder: Path, name: str, parts: Parts) -> None:
    """Write a table from its parts in its formats, or remove it if it has no rows."""
    if name not in sweep_tables.ALWAYS and parts.is_empty(name):
        for file in sweep_tables.files(name):
            removal.remove(folder / file, within=folder)
        return
    if "parquet" in sweep_tables.FORMATS[name]:
        parts.sink(name, folder / f"{name}.parquet")
    if "csv" in sweep_tables.FORMATS[name]:
        parts.sink_csv(name, folder / f"{name}.csv")

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
from tcpsweep.core.sweep import (
    attributes_in_force,
    caveats,
    rotations,
    rounds,
    sweep_digests,
    sweep_record,
    sweep_tables,
)
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.core.words import markup, metrics
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
            "traffic_runs": traffic_effects.values(traffic),
            "flows": summaries.flows(measures.filter(is_swept), groups),
            "audit": cell_tables.audit(sweep, new_runs, root),
            "flow_monitor": cell_tables.of_cells(sweep, new_swept_runs, "flow_monitor", root),
            "nodes": cell_tables.of_cells(sweep, new_swept_runs, "nodes", root),
            "measures": measures if sweep.study else measures.clear(),
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


def write_tables(folder: Path | str) -> None:
    """Make the tables of the sweep in ``folder``: `sweep_tables`, and last the list of runs that they are made from.

    The combinations that `pairs`, `harm` and `published` add to the sweep are only in their own tables and in the
    audit. Tables that grow with the number of runs are made in parts, which are in the folder meanwhile. If an earlier
    form of the sweep left an optional table that now has no rows, it is removed. Cells that were damaged since they
    were made are in no table. Each is noted, so that the next run makes it again.
    """
    folder = Path(folder)
    full = sweep_record.read(folder)  # with the combinations that are added
    sweep = full.up_to(full.swept)
    full_axes = axis_columns.combinations(full)
    axes_table = full_axes.head(full.swept) if full.swept < full_axes.height else full_axes
    axes_tables = {"audit": full_axes} | dict.fromkeys(_WITH_AXES, axes_table)
    covered: list[Run] = []
    cell_digests, attributes = sweep_digests.Cells(), attributes_in_force.InForce()

    def noted_blocks() -> Iterator[Sound]:
        """The blocks, whose runs, digests and attributes are noted for the files that are written last."""
        for block in cell_tables.sound(full, full.finished(), partly=True):
            covered.extend(block.runs)
            for run in block.runs:
                cell_digests.add(run.cell, block.simulations[run.cell], block.metrics[run])
                attributes.add(block.attributes[run.cell], run.combination)
            yield block

    with table_parts.scratch(folder) as parts:
        for tables in by_block(full, noted_blocks()):
            for name, frame in tables.items():
                axes_of_table = axes_tables.get(name)
                parts.add(name, frame if axes_of_table is None else axis_columns.with_axes(axes_of_table, frame))
        measures = parts.whole("measures").collect()
        study_tables = reproduction.comparison_tables(full, measures) | {
            "published_claims": claim_findings.judged(full, measures)
        }
        for name, frame in study_tables.items():
            _write_table(folder, name, axis_columns.with_axes(axes_table, frame))
        values, summary = parts.whole("runs"), parts.whole("summary")
        unpublished, of_all = full.up_to(full.published.first), pl.concat([values, parts.whole("added_runs")])
        harms = harm.harms(unpublished, of_all)
        _write_table(folder, "harm", axis_columns.networks(sweep, full_axes, harms, 1))
        for name, frame in _tables_of_pairs(unpublished, of_all, parts.whole("flows")).items():
            _write_table(folder, name, axis_columns.networks(sweep, full_axes, frame, 1))
        for name in ("audit", "flow_monitor", "links", "groups", "traffic", "nodes", "runs"):
            _write_parts(folder, name, parts)
        _write_flows(folder, axes_table, parts)
        expectations = judged.judged_expectations(
            sweep,
            summary,
            values,
            {kind: parts.whole(name) for kind, name in sweep_tables.OF_PARTS.items()},
        )
        _write_table(folder, "expectations", axis_columns.with_axes(axes_table, expectations))
        _write_summary(folder, sweep, axes_table, parts)
        _write_effects(folder, sweep, axes_table, parts)
        _write_table(folder, "stacks", axis_columns.networks(sweep, axes_table, stack_table.table(sweep, values), 2))
        for column in ("traffic", "group"):
            _write_group_effects(folder, sweep, axes_table, parts, column)
        precision = precision_table.table(
            sweep, parts.whole("summary").collect() if sweep.precision else pl.DataFrame()
        )
        _write_table(folder, "precision", axis_columns.with_axes(axes_table, precision))
        refined = refinement.points(sweep, values)
        for name, frame in {"refined_points": refined, "refined": refinement.turns(sweep, refined)}.items():
            _write_table(folder, name, refinement.with_axes(sweep, axes_table, frame))
        search = searched_networks.seen(sweep, values) if sweep.search else None
        networks = searched_networks.table(sweep, search) if search else pl.DataFrame(schema=searched_networks.COLUMNS)
        networks = axis_columns.with_axes(axes_table, networks)
        _write_table(folder, "search", networks)
        network_sweep_file.write(folder, sweep, networks, is_ended=bool(search and not search.wanted))
    if full.asked:
        rounds.write_rounds(folder, full.asked, *next_round.wanted_next(full, precision, refined, covered, search))
    attributes.write(folder)
    write_whole(folder / sweep_tables.COVERED, msgspec.json.encode(covered).decode(), is_lasting=True)
    sweep_digests.write(folder, cell_digests.digest)


_WITH_AXES = ("flow_monitor", "nodes", "flows", "links", "groups", "traffic", "summary")


def _tables_of_pairs(sweep: PlannedSweep, values: pl.LazyFrame, flows: pl.LazyFrame) -> dict[str, pl.DataFrame]:
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
            rows_of_groups = group_values.wide(parts.whole("groups").filter(in_part).collect(), part, headline)
            table = group_values.in_place(table, axis_columns.with_axes(axes_table, rows_of_groups))
        parts.add("wide", table.drop("combination"))
        heads, part_rows, text_columns = summaries.texts_for_people(sweep, table, summaries.silent(part))
        rows += part_rows
    parts.sink_csv("wide", folder / "summary.csv")
    write_whole(folder / "summary.md", markup.markdown(heads, rows) + caveats.footnote(sweep, headline))
    write_whole(folder / "summary.tex", markup.latex(*summaries.texts_for_print(sweep, heads, rows), text_columns))


def _write_effects(folder: Path, sweep: PlannedSweep, axes_table: pl.DataFrame, parts: Parts) -> None:
    """Write the effects and the verdicts, metric by metric."""
    compared, verdict_tables = comparisons.pairs(sweep), []
    for part in effects.by_metric(sweep, parts.whole("runs"), pairs=compared):
        verdict_tables.append(verdict_words.verdicts(part, compared))
        parts.add("effects", axis_columns.networks(sweep, axes_table, part, 2))
    verdicts = verdict_words.in_order(pl.concat(verdict_tables), sweep.headline)
    _write_table(folder, "verdicts", _with_defects(verdicts, caveats.Touching(sweep)))
    _write_parts(folder, "effects", parts)


def _with_defects(verdicts: pl.DataFrame, touched: caveats.Touching) -> pl.DataFrame:
    """Verdicts with ``known_defects``, the names of ns-3's defects that affect each."""
    defect_names = ["; ".join(caveat.name for caveat in touched.verdict(row)) for row in verdicts.iter_rows(named=True)]
    return verdicts.with_columns(known_defects=pl.Series(defect_names, dtype=pl.String))


def _write_group_effects(
    folder: Path, sweep: PlannedSweep, axes_table: pl.DataFrame, parts: Parts, column: str
) -> None:
    """Write the effects and the verdicts on each group of traffic, or of flows, as ``column`` says."""
    touched, table_names = caveats.Touching(sweep), (f"{column}_effects", f"{column}_verdicts")
    for tables in traffic_effects.by_group(sweep, parts.whole(f"{column}_runs"), column):
        for name, part in zip(table_names, tables, strict=True):
            is_verdict = name == table_names[1]
            parts.add(
                name, _with_defects(part, touched) if is_verdict else axis_columns.networks(sweep, axes_table, part, 3)
            )
    for name in table_names:
        if name not in parts.of:
            parts.add(name, pl.DataFrame({column: []}))
        _write_parts(folder, name, parts)


def _write_table(folder: Path, name: str, frame: pl.DataFrame) -> None:
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

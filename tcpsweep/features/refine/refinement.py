# SPDX-License-Identifier: MIT
"""The known crossovers of two variants' difference in each network, and the next values to look at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from tcpsweep.core.analysis import axis_columns, comparisons, paired_runs
from tcpsweep.core.analysis.run_results import RunResults
from tcpsweep.core.contact.tables import AddedTables
from tcpsweep.core.statistics import means, turning_points
from tcpsweep.core.statistics.turning_points import Looked
from tcpsweep.core.sweep import axes, combination_parts, rotations
from tcpsweep.core.sweep.rounds import Point
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics
from tcpsweep.features.refine import refine_record
from tcpsweep.features.refine.refine_record import MOST_VALUES, Refinement

POINTS = {
    "combination": pl.Int64,
    "reference_combination": pl.Int64,
    "network": pl.Int64,
    "at": pl.Float64,
    **dict.fromkeys(("runs", "distinct_runs", "lost_runs"), pl.Int64),
    "steady": pl.Boolean,
    **dict.fromkeys(("mean", "reference_mean", "difference", "low", "high"), pl.Float64),
    "sign": pl.Int64,
}
TURNS = {
    "combination": pl.Int64,
    "network": pl.Int64,
    "turn": pl.Int64,
    **dict.fromkeys(("low_edge", "high_edge", "estimate"), pl.Float64),
    "before": pl.Int64,
    "after": pl.Int64,
    "reached": pl.Boolean,
    **dict.fromkeys(("values", "undecided", "incomplete", "cells"), pl.Int64),
}


def points(sweep: PlannedSweep, values: pl.LazyFrame) -> pl.DataFrame:
    """The difference of the two variants at each value that was looked at.

    ``values`` are as from `summaries.by_run`.

    Returns
    -------
    DataFrame
        `POINTS`, in the order of the network's values, without rows if the sweep has no refinement:

        - ``combination`` with the first variant, ``reference_combination`` with the second
        - ``network``, the number of the combination of the other axes' values
        - ``at``, the axis' value in its base unit
        - ``runs`` (pairs), ``distinct_runs`` (distinct pairs), ``lost_runs`` (requested runs that make no pair),
          ``steady`` (whether all runs are stationary; they count in any case)
        - ``mean`` and ``reference_mean`` over the runs
        - ``difference`` with its 95 % interval ``low`` and ``high``, null for a single run, of width 0 where all runs
          of each variant are identical
        - ``sign``, 1 or -1 if the interval excludes 0 and no run is lost, else 0
    """
    asked = refine_record.of(sweep)
    if asked is None:
        return pl.DataFrame(schema=POINTS)
    compared = _compared(sweep, asked)
    of_metric = values.filter(pl.col("metric") == asked.metric, pl.col("value").is_not_null()).collect()
    lengths = rotations.lengths(sweep.combinations)
    rows = paired_runs.paired(of_metric, compared, lengths)
    steady = rows.group_by("pair").agg(steady=(pl.col("counts") & pl.col("reference_counts")).all())
    # Runs that are not stationary count too, because there is no better estimate. The column `steady` reports them.
    rows, constant_pairs = _with_variation(rows.with_columns(counts=True, reference_counts=True))
    sums = paired_runs.sums(rows, [], paired_runs.finished_runs(rows)).join(steady, on="pair", how="left")
    table = compared.join(sums, on="pair", how="left", maintain_order="left")
    table = table.with_columns(pl.col("runs", "distinct_runs").fill_null(0))
    degrees = sorted(set(table["degrees"].drop_nulls().to_list()) - {0})
    quantile = dict(zip(degrees, means.student_t(degrees), strict=True))
    half = pl.col("degrees").replace_strict(quantile, default=None, return_dtype=pl.Float64) * pl.col("error")
    half = pl.when(pl.col("pair").is_in(constant_pairs)).then(0.0).otherwise(half)
    rotation = paired_runs.rotation_of(table, lengths)
    asked_runs = pl.Series(
        [
            rotations.whole(sweep.runs_of(number), length)
            for number, length in zip(table["combination"], rotation, strict=True)
        ],
        dtype=pl.Int64,
    )
    table = table.with_columns(lost_runs=asked_runs - pl.col("runs"))
    is_whole, difference = pl.col("lost_runs") == 0, pl.col("difference")
    table = table.with_columns(low=difference - half, high=difference + half).with_columns(
        sign=pl.when(is_whole & (pl.col("low") > 0)).then(1).when(is_whole & (pl.col("high") < 0)).then(-1).otherwise(0)
    )
    return table.select(pl.col(name).cast(kind) for name, kind in POINTS.items())


def _with_variation(rows: pl.DataFrame) -> tuple[pl.DataFrame, list[int]]:
    """Paired runs that do not count as duplicates because one side is deterministic, and the fully deterministic pairs.

    If all runs of one side are identical, this side is a constant. The other side's runs then show the variation, so
    that all of them must count. If both sides are constant, the difference has no variation.
    """
    sides = rows.group_by("pair", maintain_order=True).agg(
        is_constant=pl.col("digest").n_unique() == 1,
        reference_is_constant=pl.col("reference_digest").n_unique() == 1,
        pairs=pl.len(),
    )
    both = pl.col("is_constant") & pl.col("reference_is_constant")
    constant_pairs = sides.filter(both, pl.col("pairs") > 1)["pair"].to_list()
    varying = rows.join(sides, on="pair", how="left", maintain_order="left").with_columns(
        digest=pl.when(pl.col("is_constant") & ~both).then("reference_digest").otherwise("digest"),
        reference_digest=pl.when(pl.col("reference_is_constant") & ~both).then("digest").otherwise("reference_digest"),
    )
    return varying.drop("is_constant", "reference_is_constant", "pairs"), constant_pairs


def _compared(sweep: PlannedSweep, asked: Refinement) -> pl.DataFrame:
    """The pairs of combinations, with ``pair``, ``network`` and ``at``, in order."""
    metric = metrics.METRICS[asked.metric]
    networks: dict[tuple[str, ...], int] = {}
    sides: dict[tuple[int, float], dict[str, int]] = {}
    names = axes.rest_axes(sweep)
    for number, row in enumerate(sweep.combinations[: sweep.swept]):
        network = networks.setdefault(tuple(sweep.texts[number][name] for name in names), len(networks))
        at = asked.range.number(row[asked.range.axis])
        sides.setdefault((network, at), {})[row.variant] = number
    rows = []
    for (network, at), number_by_variant in sorted(sides.items()):
        pair = number_by_variant.get(asked.variant), number_by_variant.get(asked.reference)
        if pair[0] is None or pair[1] is None:
            continue
        flow_variants = [
            combination_parts.variants_of_flows(sweep.combinations[number])[0] for number in pair if number is not None
        ]
        flows = flow_variants if metric.by_variant else [None, None]
        rows.append((*pair, asked.variant, asked.reference, None, *flows, None, network, at))
    schema = comparisons.PAIR | {"network": pl.Int64, "at": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row").with_row_index("pair")


def _networks(sweep: PlannedSweep, points: pl.DataFrame) -> Iterator[tuple[int, int, Point, list[Looked]]]:
    """Each network's number, its first combination, its values of the other axes, and its looked-at values.

    A missing value of an axis is None, which distinguishes the network from networks with a value.
    """
    names = axes.rest_axes(sweep)
    for (number,), part in points.group_by("network", maintain_order=True):
        first = int(part["combination"][0])
        row = sweep.combinations[first]
        seen = [
            Looked(at, difference, sign, 0.0 if high is None else high - difference)
            for at, difference, sign, high in part.select("at", "difference", "sign", "high").iter_rows()
        ]
        yield int(number), first, {name: row.get(name) for name in names}, seen


def turns(sweep: PlannedSweep, points: pl.DataFrame) -> pl.DataFrame:
    """The crossovers of each network.

    ``points`` are from `points`.

    Returns
    -------
    DataFrame
        `TURNS`, with a single row for a network without a crossover:

        - ``combination``, one in the network; ``network``
        - ``turn``, the crossover's number in the network from 1, null without a crossover
        - ``low_edge`` and ``high_edge``, the last value with the sign before the crossover and the first value with the
          sign after it, in the axis' base unit
        - ``estimate``, the value at which the mean difference is 0, in the same unit
        - ``before`` and ``after``, the signs; without a crossover, the sign of all decided values, null if there are
          none
        - ``reached``, whether the edges are as narrow as requested; without a crossover, true if any value is decided,
          else null
        - ``values``, the number of the axis' values that were looked at, ``undecided``, how many of them are undecided,
          and ``incomplete``, how many have lost runs
        - ``cells``, the number of simulations in the network
    """
    rows: list[dict[str, Any]] = []
    asked = refine_record.of(sweep)
    if asked is None:
        return pl.DataFrame(schema=TURNS)
    cells = _cell_count_by_key(sweep)
    lost = dict(points.group_by("network").agg((pl.col("lost_runs") > 0).sum()).iter_rows())
    for number, first, of_rest, seen in _networks(sweep, points):
        network_columns = {"combination": first, "network": number, "values": len(seen)}
        network_columns["cells"] = cells[_key_of_rest(of_rest)]
        network_columns |= {"undecided": sum(not value.sign for value in seen), "incomplete": lost[number]}
        crossovers = turning_points.turns(seen, asked.range, asked.to)
        for place, turn in enumerate(crossovers, 1):
            edges = {"low_edge": turn.low, "high_edge": turn.high, "estimate": turn.estimate}
            signs = {"before": turn.before, "after": turn.after, "reached": turn.is_narrow}
            rows.append(network_columns | {"turn": place} | edges | signs)
        if not crossovers:
            sign = next((value.sign for value in seen if value.sign), None)
            rows.append(network_columns | {"before": sign, "after": sign, "reached": True if sign else None})
    return pl.DataFrame(rows, schema=TURNS)


def next_points(sweep: PlannedSweep, points: pl.DataFrame) -> list[Point]:
    """The points of the sweep's refinement so far, and those to look at next."""
    asked = refine_record.of(sweep)
    if asked is None:
        return sweep.points
    new_points: list[Point] = []
    for *_, of_rest, seen in _networks(sweep, points):
        room = MOST_VALUES - len(seen)
        for number in turning_points.following(seen, asked.range, asked.to)[: max(0, room)]:
            new_points.append({asked.range.axis: asked.range.value(number)} | of_rest)
    return [*sweep.points, *(point for point in new_points if point not in sweep.points)]


def _cell_count_by_key(sweep: PlannedSweep) -> dict[str, int]:
    """The number of simulations of each network, by the key of its values of the other axes."""
    names = axes.rest_axes(sweep)
    keys = [_key_of_rest({name: row.get(name) for name in names}) for row in sweep.combinations[: sweep.swept]]
    cells_by_key: dict[str, set[str]] = {}
    for run in sweep.cells:
        if run.combination < sweep.swept:
            cells_by_key.setdefault(keys[run.combination], set()).add(run.cell)
    return {key: len(cells) for key, cells in cells_by_key.items()}


def _key_of_rest(of_rest: Point) -> str:
    return combination_parts.key(of_rest)


def tables(results: RunResults) -> Iterator[tuple[str, pl.DataFrame]]:
    """The tables of `points` and `turns`, by name, with the columns of axes; turns without the open axis."""
    sweep, looked_at = results.sweep, points(results.sweep, results.values)
    other_axes = results.axes.drop([axis_columns.column(sweep, name) for name in sweep.open_axes])
    yield "refined_points", axis_columns.networks(sweep, results.axes, looked_at, 1)
    yield "refined", axis_columns.networks(sweep, other_axes, turns(sweep, looked_at), 1)


def _next_round(results: RunResults) -> tuple[dict[str, int], list[Point]]:
    sweep = results.full
    more = next_points(sweep, results.parts.whole("refined_points").collect())
    return sweep.by_first_cell(sweep.run_counts()), more


TABLES = AddedTables(key=refine_record.KEY, tables=tables, next_round=_next_round)

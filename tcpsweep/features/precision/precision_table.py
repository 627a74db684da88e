# SPDX-License-Identifier: MIT
"""The precision of the means in a sweep that requests one, and the combinations that need more runs."""

from collections import Counter
from collections.abc import Collection, Iterator

import polars as pl

from tcpsweep.core.analysis import axis_columns
from tcpsweep.core.analysis.run_results import RunResults
from tcpsweep.core.contact.tables import AddedTables
from tcpsweep.core.statistics import sequential
from tcpsweep.core.sweep import axes, rotations
from tcpsweep.core.sweep.rounds import FIRST_RUNS, Point
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.features.precision import precision_record

COLUMNS = {
    "combination": pl.Int64,
    "flow_variant": pl.String,
    "metric": pl.String,
    "runs": pl.Int64,
    "distinct_runs": pl.Int64,
    "mean": pl.Float64,
    "half_width": pl.Float64,
    "asked": pl.Float64,
    "reached": pl.Boolean,
    "next_runs": pl.Int64,
}


def table(sweep: PlannedSweep, summary: pl.DataFrame) -> pl.DataFrame:
    """The precision of each mean for which the sweep requests one.

    ``summary`` is from `summaries.summarise`.

    Returns
    -------
    DataFrame
        A row for each mean; no rows if the sweep requests no precision. Columns:

        - ``combination``, ``metric``, and ``flow_variant``, which is null for a metric of the network
        - ``runs``, ``distinct_runs``: all runs, and those that count; whole rotations if variants change flow positions
        - ``mean``, and the ``half_width`` of its 95 % interval, null if the runs are identical
        - ``asked``: the requested half-width in the metric's unit
        - ``reached``: whether the interval is as narrow as requested
        - ``next_runs``: the number of runs that this mean would need next, at most the sweep's ``at_most``
    """
    asked = precision_record.of(sweep)
    if asked is None:
        return pl.DataFrame(schema=COLUMNS)
    bounds = pl.DataFrame(
        [(name, width.share, width.absolute) for name, width in asked.asked.items()],
        schema={"metric": pl.String, "share": pl.Float64, "absolute": pl.Float64},
        orient="row",
    )
    distinct = pl.col("distinct_runs")
    length = pl.col("length")
    at_most = asked.at_most
    most = pl.when(length <= at_most).then(at_most // length * length).otherwise(at_most)
    # Rotations are what is counted: a first look at few of them would stop too early.
    is_early = (length > 1) & (pl.col("planned") < pl.min_horizontal(FIRST_RUNS * length, most))
    at_next_look = sequential.wanted_runs(distinct, pl.col("half_width"), pl.col("asked"), pl.col("runs") <= FIRST_RUNS)
    wanted = pl.when(is_early).then(FIRST_RUNS).otherwise(at_next_look) * length
    lengths = pl.DataFrame(
        {"length": rotations.lengths(sweep.combinations), "planned": sweep.run_counts()},
        schema={"length": pl.Int64, "planned": pl.Int64},
    )
    is_alike = (distinct == 1) & (pl.col("runs") > 1)
    return (
        summary.with_columns(pl.col("metric").cast(pl.String))
        .join(bounds, on="metric", how="inner", maintain_order="left")
        .join(
            lengths.with_row_index("combination").cast({"combination": pl.Int64}),
            on="combination",
            maintain_order="left",
        )
        .with_columns(
            half_width=(pl.col("high") - pl.col("low")) / 2,
            asked=pl.col("share") * pl.col("mean").abs() + pl.col("absolute"),
        )
        .with_columns(
            reached=(~is_early & (is_alike | (pl.col("half_width") <= pl.col("asked")))).fill_null(False),
            next_runs=pl.min_horizontal(wanted, most),
        )
        .select(pl.col(name).cast(kind) for name, kind in COLUMNS.items())
    )


def next_runs(sweep: PlannedSweep, precision: pl.DataFrame, covered: Collection[Run]) -> dict[str, int]:
    """How many runs each combination is to have, by the id of its first cell.

    All combinations of a network get the same number of runs, which is the largest number that one of them needs. This
    way, variants have pairs of runs. A network gets no more runs if some of its runs failed. ``precision`` is from
    `table`, and ``covered`` are the finished runs.
    """
    counts = sweep.run_counts()
    finished = Counter(run.combination for run in covered)
    networks = axes.network_keys(sweep)
    runs_by_network: dict[str, int] = {}
    for combination, most in precision.group_by("combination").agg(pl.col("next_runs").max()).iter_rows():
        runs_by_network[networks[combination]] = max(most or 0, runs_by_network.get(networks[combination], 0))
    lacking = {networks[number] for number, count in enumerate(counts) if finished[number] < count}
    numbers = [
        count if networks[number] in lacking else max(count, runs_by_network.get(networks[number], 0))
        for number, count in enumerate(counts)
    ]
    return sweep.by_first_cell(numbers)


def _tables(results: RunResults) -> Iterator[tuple[str, pl.DataFrame]]:
    is_asked = precision_record.KEY in results.full.questions
    summary = results.parts.whole("summary").collect() if is_asked else pl.DataFrame()
    yield "precision", axis_columns.with_axes(results.axes, table(results.sweep, summary))


def _next_round(results: RunResults) -> tuple[dict[str, int], list[Point]]:
    table_so_far = results.parts.whole("precision").collect()
    return next_runs(results.full, table_so_far, results.covered), results.full.points


TABLES = AddedTables(key=precision_record.KEY, tables=_tables, next_round=_next_round)

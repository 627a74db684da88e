# SPDX-License-Identifier: MIT
"""The differences between two sweeps in every combination and metric, with their tests: B − A."""

import math

import polars as pl

from tcpsweep.core.analysis import findings, paired_runs
from tcpsweep.core.campaigns import two_sweeps
from tcpsweep.core.campaigns.two_sweeps import Match, Side
from tcpsweep.core.statistics import replicates, rotation_blocks, significance
from tcpsweep.core.sweep import rotations
from tcpsweep.core.sweep.sweep_record import UNSET
from tcpsweep.core.words import metrics

FINDINGS = (*findings.TESTS.values(), "identical")

_CASE = ["place", "flow_variant", "link"]


def differences(a: Side, b: Side, matched: Match) -> pl.DataFrame:
    """The changes from A to B in each combination.

    Returns
    -------
    DataFrame
        A row for each case and metric. Columns:

        - ``combination_a``, ``combination_b``, and a text for each name by which the combinations were matched
        - ``flow_variant``, null for a metric of the whole network, ``link``, ``metric``, ``family``, ``unit``
        - ``runs``, ``lost_runs_a``, ``lost_runs_b``, ``steady_a``, ``steady_b``, ``steady_shown_a``, ``steady_shown_b``
        - ``distinct_runs``: pairs, or runs of the side that has fewer
        - ``mean_a``, ``mean_b``
        - ``difference``, B − A, its standard ``error``, and that error's ``degrees`` of freedom
        - ``smallest_share``, ``smallest_value``, ``smallest_origin``: the smallest effect of interest, from B's sweep
        - the columns of `findings.TESTED`, as in `effects.by_metric`, from paired tests or Welch's test
        - ``correlation`` of the pairs, null if runs are not paired
        - ``finding``: one of `FINDINGS` or of `verdict_words.WORDS`

    All cases of the metrics that tables begin with are one family. The cases of each other metric are a family of their
    own.
    """
    first, second = two_sweeps.placed(a, b, matched)
    cases = pl.concat([first, second]).select(_CASE).unique(maintain_order=True).sort(_CASE)
    cases = cases.with_row_index("pair")  # `paired_runs` counts by this column
    first, second = (runs.join(cases, on=_CASE, nulls_equal=True) for runs in (first, second))
    rotated = [_in_rotations(side, a, b, matched) for side in (first, second)]
    sums = _paired(*rotated) if two_sweeps.is_paired(a, b) else _unpaired(*rotated)
    cases_and_metrics = pl.concat([first, second]).select("pair", *_CASE, "metric").unique()
    # A case has no sums if one side has no value in any run. The other side then has only its mean.
    sums = cases_and_metrics.join(sums, on=["pair", "metric"], how="left").with_columns(
        pl.col("runs", "distinct_runs").fill_null(0),
        pl.col("lacking").fill_null(True),
        pl.col("same").fill_null(False),
        pl.col("steady", "reference_steady", "steady_shown", "reference_steady_shown").fill_null(True),
    )
    for side, column in zip(rotated, ("reference_mean", "mean"), strict=True):
        means = side.group_by("pair", "metric").agg(own=pl.col("value").mean())
        sums = sums.join(means, on=["pair", "metric"], how="left", maintain_order="left")
        sums = sums.with_columns(pl.coalesce(column, "own").alias(column)).drop("own")
    asked_a, asked_b = ([len(side.sweep.runs_of(pair[i])) for pair in matched.both] for i, side in enumerate((a, b)))
    sums = _with_lost(sums, (first, asked_a), (second, asked_b))
    finding = pl.when("same").then(pl.lit("identical")).otherwise(findings.why_not())
    primary = metrics.headline(metrics.METRICS, b.sweep.headline)
    table = findings.judged(sums.with_columns(finding=finding), b.sweep.smallest_effects, primary)
    return _with_names_of_sides(table, a, matched)


def _with_names_of_sides(table: pl.DataFrame, a: Side, matched: Match) -> pl.DataFrame:
    """The columns of `differences`; in ``table``, the values of A are those of the reference."""
    combinations_of_place = pl.DataFrame(
        {"place": range(len(matched.both))}
        | {f"combination_{side}": [pair[i] for pair in matched.both] for i, side in enumerate("ab")}
        | {name: [a.values[pair[0]].get(name, UNSET) for pair in matched.both] for name in matched.names},
        schema_overrides={"place": pl.Int64},
    )
    by_side = ("mean", "lost_runs", "steady", "steady_shown")
    return (
        table.join(combinations_of_place, on="place", maintain_order="left")
        .rename({name: f"{name}_b" for name in by_side} | {f"reference_{name}": f"{name}_a" for name in by_side})
        .select(
            *("combination_a", "combination_b", *matched.names, *_CASE[1:], "metric", "family", "unit"),
            *("runs", "lost_runs_a", "lost_runs_b", "steady_a", "steady_b", "steady_shown_a", "steady_shown_b"),
            *("distinct_runs", "mean_a", "mean_b", "difference", "error", "degrees"),
            *("smallest_share", "smallest_value", "smallest_origin"),
            *findings.TESTED,
            "correlation",
            "finding",
        )
    )


def _in_rotations(runs: pl.DataFrame, a: Side, b: Side, matched: Match) -> pl.DataFrame:
    """One side's runs as whole rotations, after which the variants of both sides are back at their positions."""
    lengths_a, lengths_b = (rotations.lengths(side.sweep.combinations) for side in (a, b))
    lengths = [math.lcm(lengths_a[number_a], lengths_b[number_b]) for number_a, number_b in matched.both]
    if max(lengths, default=1) == 1:
        return runs
    rotation = pl.Series(lengths, dtype=pl.Int64).gather(runs["place"])
    with_rotation = runs.with_columns(rotation.alias(rotation_blocks.ROTATION))
    return rotation_blocks.blocked(with_rotation, ["pair", "metric"], flags=[*paired_runs.FLAGS])


def _paired(runs_a: pl.DataFrame, runs_b: pl.DataFrame) -> pl.DataFrame:
    """The sums, from `paired_runs.sums`, of runs paired by their numbers; ``same`` says that no pair differs."""
    columns = ["pair", "metric", "run", "digest", "value", *paired_runs.FLAGS]
    reference = runs_a.select(columns).rename({name: f"reference_{name}" for name in columns[3:]})
    paired = runs_b.select(*columns, "link").join(reference, on=columns[:3], maintain_order="left")
    alike = (pl.col("digest") == pl.col("reference_digest")) & (pl.col("value") == pl.col("reference_value"))
    paired = paired.with_columns(same=alike.all().over("pair", "metric"))
    return paired_runs.sums(paired, ["same"], paired_runs.finished_runs(paired)).drop("link")


def _unpaired(runs_a: pl.DataFrame, runs_b: pl.DataFrame) -> pl.DataFrame:
    """The same columns for two separate samples of runs, with the errors and degrees of freedom of Welch's test."""
    samples = _sample(runs_b).join(_sample(runs_a), on=["pair", "metric"], suffix="_a")
    error, degrees = significance.welch(*map(pl.col, ("sd", "distinct_runs", "sd_a", "distinct_runs_a")))
    difference = pl.col("mean") - pl.col("mean_a")
    reference_error = pl.col("sd_a") / pl.col("distinct_runs_a").sqrt()
    rounding = paired_runs.SAME * pl.max_horizontal(pl.col("mean").abs(), pl.col("mean_a").abs())
    return samples.select(
        "pair",
        "metric",
        *(pl.min_horizontal(name, f"{name}_a").alias(name) for name in ("runs", "distinct_runs")),
        "steady",
        "steady_shown",
        reference_steady="steady_a",
        reference_steady_shown="steady_shown_a",
        mean="mean",
        reference_mean="mean_a",
        difference=pl.when(difference.abs() > rounding).then(difference).otherwise(0.0),
        error=error,
        degrees=degrees,
        reference_error=reference_error,
        covariance=-(reference_error**2),  # of the difference's mean and the reference's, which are not paired
        correlation=pl.lit(None, pl.Float64),
        lacking=pl.col("lacking") | pl.col("lacking_a"),
        same=pl.lit(False),
        of_variant="values",
        of_reference="values_a",
        are_pairs=pl.lit(False),
    )


def _with_lost(sums: pl.DataFrame, *sides: tuple[pl.DataFrame, list[int]]) -> pl.DataFrame:
    """The sums with the runs that A and B lost, and whether they lost different shares.

    ``sides`` are A's runs and B's runs, each with the requested number of runs of each place.
    """
    asked_a, asked_b = (pl.Series(asked, dtype=pl.Int64).gather(sums["place"]) for _, asked in sides)
    for (runs, _), asked, column in zip(sides, (asked_a, asked_b), ("reference_lost_runs", "lost_runs"), strict=True):
        run_counts = runs.group_by("pair", "metric").agg(there=pl.col("run").n_unique().cast(pl.Int64))
        sums = sums.join(run_counts, on=["pair", "metric"], how="left", maintain_order="left")
        sums = sums.with_columns((asked - pl.col("there").fill_null(0)).alias(column)).drop("there")
    return sums.with_columns(uneven=pl.col("lost_runs") * asked_a != pl.col("reference_lost_runs") * asked_b)


def _sample(runs: pl.DataFrame) -> pl.DataFrame:
    """The runs' counts, mean and standard deviation for each case and metric of one side."""
    key = ["pair", "metric"]
    finished_runs = runs.group_by("place").agg(finished_runs=pl.col("run").n_unique())
    counts = runs.group_by(*key, "place").agg(
        pl.col("steady_shown").all(), runs=pl.len().cast(pl.Int64), steady=pl.col("counts").all()
    )
    value = pl.col("value")
    distinct_runs = replicates.counted(runs, key)
    sd = pl.when(value.std() > paired_runs.SAME * value.abs().max()).then(value.std()).otherwise(value.std() * 0)
    statistics = distinct_runs.group_by(key).agg(
        distinct_runs=pl.len().cast(pl.Int64),
        mean=value.mean(),
        sd=sd,
        values=value,
    )
    return (
        counts.join(finished_runs, on="place")
        .join(statistics, on=key, how="left")
        .select(
            *key,
            "runs",
            "steady",
            "steady_shown",
            "mean",
            "sd",
            "values",
            distinct_runs=pl.col("distinct_runs").fill_null(0),
            lacking=pl.col("runs") < pl.col("finished_runs"),
        )
    )


def changed(table: pl.DataFrame) -> pl.DataFrame:
    """The rows of `differences` in which a difference is shown."""
    return table.filter(pl.col("finding").is_in(["higher", "lower"]))


def surest(rows: pl.DataFrame, most: int) -> pl.DataFrame:
    """The rows of `differences` with the smallest p, at most ``most``, in the table's order."""
    smallest_p = rows.with_row_index("at").sort("p", nulls_last=True, maintain_order=True).head(most)
    return smallest_p.sort("at").drop("at")

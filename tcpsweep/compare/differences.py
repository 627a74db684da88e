# SPDX-License-Identifier: MIT
"""The differences between two sweeps in every combination and metric, with their tests: B − A."""

import polars as pl

from tcpsweep.analysis import findings, paired_runs
from tcpsweep.compare import two_sweeps
from tcpsweep.compare.two_sweeps import Match, Side
from tcpsweep.statistics import significance
from tcpsweep.sweep import axes

FINDINGS = ("higher", "lower", "none", "identical")


def differences(a: Side, b: Side, matched: Match) -> pl.DataFrame:
    """What changed from A to B in each combination.

    Parameters
    ----------
    a, b : Side
    matched : Match

    Returns
    -------
    DataFrame
        ``combination_a`` and ``combination_b``, a column of text for each name that the combinations were matched by,
        ``flow_variant`` (null for a metric of the whole network), ``metric``, ``unit``; ``runs``, ``steady_runs``,
        ``distinct_runs`` (pairs, or runs of the side that has fewer); ``mean_a``, ``mean_b``; ``difference``, B − A,
        its standard ``error``, that error's ``degrees`` of freedom, and the 95 % interval ``low``, ``high``; ``ratio``
        of the geometric means, B / A, with its interval; ``correlation`` of the pairs, null where runs are not paired;
        ``p`` of the t-test, paired or Welch's, ``holm_p``, ``holm_low``, ``holm_high``; ``finding``, one of `FINDINGS`
        or of `verdict_words.WORDS`.

    Holm's correction covers all comparisons of a metric that can be tested.
    """
    first, second = two_sweeps.placed(a, b, matched)
    cases = (
        pl.concat([first, second])
        .select("place", "flow_variant")
        .unique(maintain_order=True)
        .sort("place", "flow_variant")
    )
    cases = cases.with_row_index("pair")
    first, second = (runs.join(cases, on=["place", "flow_variant"], nulls_equal=True) for runs in (first, second))
    sums = _paired(first, second) if two_sweeps.is_paired(a, b) else _unpaired(first, second)
    asked = pl.concat([first, second]).select("pair", "place", "flow_variant", "metric").unique()
    # A case has no sums if one side has no value in any run.
    sums = asked.join(sums, on=["pair", "metric"], how="left").with_columns(
        pl.col("runs", "steady_runs", "distinct_runs").fill_null(0),
        pl.col("lacking").fill_null(True),
        pl.col("same").fill_null(False),
    )
    finding = pl.when("same").then(pl.lit("identical")).otherwise(findings.why_not())
    table = findings.judged(sums.with_columns(finding=finding))
    numbers = pl.DataFrame(
        {"place": range(len(matched.both))}
        | {f"combination_{name}": [pair[i] for pair in matched.both] for i, name in enumerate("ab")}
        | {name: [a.values[pair[0]].get(name, axes.UNSET) for pair in matched.both] for name in matched.names},
        schema_overrides={"place": pl.Int64},
    )
    return (
        table.join(numbers, on="place", maintain_order="left")
        .rename({"mean": "mean_b", "reference_mean": "mean_a"})
        .select(
            *("combination_a", "combination_b", *matched.names, "flow_variant", "metric", "unit"),
            *("runs", "steady_runs", "distinct_runs", "mean_a", "mean_b", "difference", "error", "degrees"),
            *findings.TESTED,
            "correlation",
            "finding",
        )
    )


def _paired(first: pl.DataFrame, second: pl.DataFrame) -> pl.DataFrame:
    """The sums, from `paired_runs.sums`, of runs paired by their numbers; ``same`` says that no pair differs."""
    columns = ["pair", "metric", "run", "digest", "value", "counts"]
    other = first.select(columns).rename({name: f"reference_{name}" for name in columns[3:]})
    rows = second.select(columns).join(other, on=columns[:3], maintain_order="left")
    alike = (pl.col("digest") == pl.col("reference_digest")) & (pl.col("value") == pl.col("reference_value"))
    rows = rows.with_columns(same=alike.all().over("pair", "metric"))
    return paired_runs.sums(rows, ["same"], paired_runs.finished_runs(rows))


def _unpaired(first: pl.DataFrame, second: pl.DataFrame) -> pl.DataFrame:
    """The same columns for two separate samples of runs, with the errors and degrees of freedom of Welch's test."""
    joined = _sample(second).join(_sample(first), on=["pair", "metric"], suffix="_a")
    error, degrees = significance.welch(*map(pl.col, ("sd", "distinct_runs", "sd_a", "distinct_runs_a")))
    log_error, log_degrees = significance.welch(
        *map(pl.col, ("log_sd", "distinct_runs", "log_sd_a", "distinct_runs_a"))
    )
    difference = pl.col("mean") - pl.col("mean_a")
    rounding = paired_runs.SAME * pl.max_horizontal(pl.col("mean").abs(), pl.col("mean_a").abs())
    return joined.select(
        "pair",
        "metric",
        *(pl.min_horizontal(name, f"{name}_a").alias(name) for name in ("runs", "steady_runs", "distinct_runs")),
        "mean",
        reference_mean="mean_a",
        difference=pl.when(difference.abs() > rounding).then(difference).otherwise(0.0),
        error=error,
        degrees=degrees,
        log_ratio=pl.col("log_mean") - pl.col("log_mean_a"),
        log_error=log_error,
        log_degrees=log_degrees,
        correlation=pl.lit(None, pl.Float64),
        lacking=pl.col("lacking") | pl.col("lacking_a"),
        same=pl.lit(False),
    )


def _sample(values: pl.DataFrame) -> pl.DataFrame:
    """The counts, mean and standard deviation of one side's runs, also of their logarithms, per case and metric."""
    key = ["pair", "metric"]
    finished = values.group_by("place").agg(finished_runs=pl.col("run").n_unique())
    runs = values.group_by(*key, "place").agg(
        runs=pl.len().cast(pl.Int64), steady_runs=pl.col("counts").sum().cast(pl.Int64)
    )
    value, positive = pl.col("value"), pl.col("value").min() > 0
    counted = values.filter("counts").unique([*key, "digest"], keep="first", maintain_order=True)
    spread = pl.when(value.std() > paired_runs.SAME * value.abs().max()).then(value.std()).otherwise(value.std() * 0)
    of_runs = counted.group_by(key).agg(
        distinct_runs=pl.len().cast(pl.Int64),
        mean=value.mean(),
        sd=spread,
        log_mean=pl.when(positive).then(value.log().mean()),
        log_sd=pl.when(positive).then(value.log().std()),
    )
    return (
        runs.join(finished, on="place")
        .join(of_runs, on=key, how="left")
        .select(
            *key,
            "runs",
            "steady_runs",
            "mean",
            "sd",
            "log_mean",
            "log_sd",
            distinct_runs=pl.col("distinct_runs").fill_null(0),
            lacking=pl.col("runs") < pl.col("finished_runs"),
        )
    )


def changed(table: pl.DataFrame) -> pl.DataFrame:
    """The rows of `differences` in which a difference is shown."""
    return table.filter(pl.col("finding").is_in(["higher", "lower"]))


def surest(rows: pl.DataFrame, most: int) -> pl.DataFrame:
    """The rows of `differences` with the smallest p, at most ``most``, in the table's order."""
    first = rows.with_row_index("at").sort("p", nulls_last=True, maintain_order=True).head(most)
    return first.sort("at").drop("at")

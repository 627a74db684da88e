# SPDX-License-Identifier: MIT
"""The harm that the variants of a mix do to each other, compared with each variant's flows without competition.

Ware, Mukerjee, Seshan and Sherry: Beyond Jain's Fairness Index: Setting the Bar For The Deployment of Congestion
Control Algorithms. HotNets 2019.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from tcpsweep.core.analysis import findings, paired_runs, verdict_words
from tcpsweep.core.statistics import exact_tests, replicates, rotation_blocks, significance
from tcpsweep.core.sweep import combination_parts, flow_groups, rotations
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.words import metrics
from tcpsweep.core.words.mixes import Mix
from tcpsweep.core.words.thresholds import LEVEL_OF_CLAIMS, least_pairs
from tcpsweep.features.pairs import harm_combinations

METRICS = ("goodput_bps", "owd_mean_s", "congestion_loss")
WORDS = {"more": "more", "less": "less", "none": "no difference shown"} | verdict_words.WORDS
_CASE = {
    "combination": pl.Int64,
    "alone": pl.Int64,
    "among_itself": pl.Int64,
    "mix": pl.String,
    "victim": pl.String,
    "beside": pl.String,
}
_SIDES = ("mixed", "alone", "own")  # the three combinations of a case, as prefixes of columns
_HARM_COLUMNS = ("harm", "own_harm", "excess")
COLUMNS = {
    "combination": pl.Int64,
    **dict.fromkeys(("mix", "victim", "beside", "metric", "unit"), pl.String),
    **dict.fromkeys(("runs", "steady_runs", "distinct_runs"), pl.Int64),
    **dict.fromkeys(("alone_mean", "mixed_mean", "own_mean"), pl.Float64),
    **{f"{part}{end}": pl.Float64 for part in _HARM_COLUMNS for end in ("", "_low", "_high")},
    "finding": pl.String,
}


def cases(sweep: PlannedSweep) -> pl.DataFrame:
    """Each variant of each mix, with the combinations to compare it with.

    Returns
    -------
    DataFrame
        ``combination`` of the mix; ``alone``, the combination without the other variants' flows; ``among_itself``, the
        combination in which all flows are the variant's own; ``mix``, ``victim`` and ``beside``, the mix's other
        variants. There is no row if the sweep lacks one of these combinations.
    """
    if not any(row.mix.is_mixed for row in sweep.combinations):
        return pl.DataFrame(schema=_CASE)
    numbers = {row: number for number, row in enumerate(sweep.combinations)}
    rows = []
    for number, row in enumerate(sweep.combinations):
        variants = list(combination_parts.flows_of(row))
        for victim in variants if len(variants) > 1 and flow_groups.share_a_link(row) else ():
            compared = [
                numbers.get(derived(row, victim))
                for derived in (harm_combinations.alone, harm_combinations.among_itself)
            ]
            if None not in compared:
                others = str(Mix(tuple(other for other in variants if other != victim)))
                rows.append((number, *compared, row["variant"], victim, others))
    return pl.DataFrame(rows, schema=_CASE, orient="row")


def harm_done(x: pl.Expr, y: pl.Expr, better: str | None) -> pl.Expr:
    """Harm as an expression: (x − y) / x if more is better, (y − x) / y if less is; 0 if both are 0.

    ``x`` is the victim's value without competitors, ``y`` its value in the mix. Harm is at most 1. It is below 0 if y
    is better.
    """
    worst = x if better == "higher" else y
    loss = x - y if better == "higher" else y - x
    return pl.when(x == y).then(0.0).when(worst > 0).then(loss / worst)


def harms(sweep: PlannedSweep, values: pl.DataFrame | pl.LazyFrame) -> pl.DataFrame:
    """The harm in each mix, to each of its variants, in each of `METRICS`.

    ``values`` are as from `summaries.by_run`, with the values of the solo combinations.

    Returns
    -------
    DataFrame
        - ``combination``, ``mix``, ``victim``, ``beside``, ``metric``, ``unit``
        - ``runs`` (run numbers that all three combinations have), ``steady_runs``, ``distinct_runs`` (the runs that
          count, as in `effects`)
        - the victim's means over the distinct runs, in ``unit``: ``alone_mean``, ``mixed_mean`` and, where all flows
          are the victim's own, ``own_mean``
        - ``harm``, ``own_harm`` and their difference in a run, ``excess``, as means with 95 % bootstrap intervals
          ``…_low`` and ``…_high``, null if nothing is claimed
        - ``finding``, a key of `WORDS`
    """
    lengths = rotations.lengths(sweep.combinations)
    tables = [_harm_by_case(rows, metrics.METRICS[name], lengths) for name, rows in by_run(sweep, values)]
    if not tables:
        return pl.DataFrame(schema=COLUMNS)
    return pl.concat(tables).select(pl.col(name).cast(kind) for name, kind in COLUMNS.items())


def by_run(sweep: PlannedSweep, values: pl.DataFrame | pl.LazyFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """Each metric with a row per case and run: the victim's values in the mix, alone and among itself.

    ``values`` are as for `harms`; those of other combinations, such as a study's, are left out.

    Yields
    ------
    tuple of str and DataFrame
        One of `METRICS`, and its rows. They have the columns of `cases`, ``metric`` and ``run``. They also have
        ``digest``, ``value`` and ``counts`` with each of the prefixes ``mixed_``, ``alone_`` and ``own_``, and
        ``uneven``: whether the three lost unequal numbers of requested runs.
    """
    harm_cases, asked_runs = cases(sweep), sweep.run_counts()
    for name in METRICS if harm_cases.height else ():
        rows = harm_cases.with_columns(metric=pl.lit(name))
        of_metric = (
            values.lazy()
            .filter((pl.col("metric") == name) & (pl.col("combination") < len(asked_runs)))
            .drop_nulls("value")
            .select("combination", "flow_variant", "metric", "run", "digest", "value", "counts")
            .collect()
        )
        lost = paired_runs.lost(of_metric, asked_runs).drop("metric").rename({"own": "victim"})
        for side, place in zip(_SIDES, ("combination", "alone", "among_itself"), strict=True):
            on_side = of_metric.drop("metric").rename(
                {name: f"{side}_{name}" for name in ("digest", "value", "counts")}
            )
            run_key = [] if side == "mixed" else ["run"]
            rows = rows.join(
                on_side,
                left_on=[place, "victim", *run_key],
                right_on=["combination", "flow_variant", *run_key],
                maintain_order="left_right",
            ).join(
                lost.rename({"lost_runs": f"{side}_lost"}),
                left_on=[place, "victim"],
                right_on=["combination", "victim"],
                maintain_order="left",
            )
        if rows.height:
            uneven = pl.any_horizontal(pl.col(f"{side}_lost") != pl.col("mixed_lost") for side in _SIDES)
            yield name, rows.with_columns(uneven=uneven)


def _harm_by_case(rows: pl.DataFrame, metric: metrics.Metric, lengths: Sequence[int]) -> pl.DataFrame:
    """The harm of one metric with its intervals, a row per case."""
    alone, mixed, among_itself = (pl.col(f"{side}_value") for side in ("alone", "mixed", "own"))
    key = ["combination", "victim"]
    rows = rows.with_columns(
        harm=harm_done(alone, mixed, metric.better),
        own_harm=harm_done(alone, among_itself, metric.better),
        steady=pl.all_horizontal(f"{side}_counts" for side in _SIDES),
    ).with_columns(excess=pl.col("harm") - pl.col("own_harm"))
    if max(lengths, default=1) > 1:
        rotation = rotation_blocks.of_pairs(lengths, *(rows[name] for name in ("combination", "alone", "among_itself")))
        rows = rotation_blocks.blocked(
            rows.with_columns(rotation.alias(rotation_blocks.ROTATION)),
            key,
            [*_HARM_COLUMNS, *(f"{side}_value" for side in _SIDES)],
            [f"{side}_digest" for side in _SIDES],
            ["steady"],
        )
    counts = rows.group_by(key, maintain_order=True).agg(
        pl.col("mix", "beside", "metric", "uneven").first(),
        runs=pl.len(),
        steady_runs=pl.col("steady").sum(),
    )
    counted = rows.filter(pl.col("steady") & ~pl.col("uneven")).drop_nulls("excess")
    counted = replicates.counted(counted, key, [f"{side}_digest" for side in _SIDES])
    result = counts.join(
        counted.group_by(key).agg(
            distinct_runs=pl.len(), alone_mean=alone.mean(), mixed_mean=mixed.mean(), own_mean=among_itself.mean()
        ),
        on=key,
        how="left",
        maintain_order="left",
    ).with_columns(pl.col("distinct_runs").fill_null(0), unit=pl.lit(metric.unit))
    result = result.join(_excess_holm(counted, key, counts.height), on=key, how="left", maintain_order="left")
    for harm in _HARM_COLUMNS:
        of_part = findings.bootstrapped_means(counted.select(*key, digest="mixed_digest", value=harm), key)
        of_harm = of_part.select(*key, pl.col("mean").alias(harm), pl.col("low", "high").name.prefix(f"{harm}_"))
        result = result.join(of_harm, on=key, how="left", maintain_order="left")
    return result.with_columns(finding=_finding(counts.height))


def _finding(case_count: int) -> pl.Expr:
    """Whether a case shows more harm than the victim's own kind does, less, or none; or why that is not known."""
    is_unsteady = (pl.col("steady_runs") < findings.LEAST_RUNS) & (pl.col("steady_runs") < pl.col("runs"))
    return (
        pl.when((pl.col("steady_runs") > 1) & (pl.col("distinct_runs") == 1))
        .then(pl.lit("deterministic"))
        .when(is_unsteady)
        .then(pl.lit("not steady"))
        .when("uneven")
        .then(pl.lit("uneven loss"))
        .when(pl.col("distinct_runs") < least_pairs(case_count))
        .then(pl.lit(findings.TOO_FEW))
        .when(pl.col("excess_holm") > LEVEL_OF_CLAIMS)
        .then(pl.lit("none"))
        .when(pl.col("excess_low") > 0)
        .then(pl.lit("more"))
        .when(pl.col("excess_high") < 0)
        .then(pl.lit("less"))
        .otherwise(pl.lit("none"))
    )


def _excess_holm(counted: pl.DataFrame, key: Sequence[str], case_count: int) -> pl.DataFrame:
    """The p-value of the exact signed-rank test of each case's excess, corrected for all cases of a metric.

    Returns
    -------
    DataFrame
        ``key`` and ``excess_holm``.
    """
    of_cases = counted.group_by(key, maintain_order=True).agg("excess")
    excess = findings.as_rows(of_cases["excess"])
    above, below = exact_tests.larger_p(exact_tests.Runs(excess, np.where(np.isnan(excess), np.nan, 0.0)), 0, 0)
    corrected, _ = significance.holm(np.minimum(1, 2 * np.minimum(above, below)), size=case_count)
    return of_cases.select(key).with_columns(excess_holm=pl.Series(corrected, dtype=pl.Float64))

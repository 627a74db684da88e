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
_RUNS = ("mixed", "alone", "own")
_PARTS = ("harm", "own_harm", "excess")
COLUMNS = {
    "combination": pl.Int64,
    **dict.fromkeys(("mix", "victim", "beside", "metric", "unit"), pl.String),
    **dict.fromkeys(("runs", "steady_runs", "distinct_runs"), pl.Int64),
    **dict.fromkeys(("alone_mean", "mixed_mean", "own_mean"), pl.Float64),
    **{f"{part}{end}": pl.Float64 for part in _PARTS for end in ("", "_low", "_high")},
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
    if not any(Mix.parse(str(row["variant"])).is_mixed for row in sweep.combinations):
        return pl.DataFrame(schema=_CASE)
    numbers = {combination_parts.key(row): number for number, row in enumerate(sweep.combinations)}
    found = []
    for number, row in enumerate(sweep.combinations):
        variants = list(combination_parts.flows_of(row))
        for victim in variants if len(variants) > 1 and flow_groups.share_a_link(row) else ():
            places = [
                numbers.get(combination_parts.key(part(row, victim)))
                for part in (harm_combinations.alone, harm_combinations.among_itself)
            ]
            if None not in places:
                others = str(Mix(tuple(other for other in variants if other != victim)))
                found.append((number, *places, row["variant"], victim, others))
    return pl.DataFrame(found, schema=_CASE, orient="row")


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
    found = [_tested(rows, metrics.METRICS[name], lengths) for name, rows in by_run(sweep, values)]
    if not found:
        return pl.DataFrame(schema=COLUMNS)
    return pl.concat(found).select(pl.col(name).cast(kind) for name, kind in COLUMNS.items())


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
    known, asked = cases(sweep), sweep.run_counts()
    for name in METRICS if known.height else ():
        rows = known.with_columns(metric=pl.lit(name))
        of_metric = (
            values.lazy()
            .filter((pl.col("metric") == name) & (pl.col("combination") < len(asked)))
            .drop_nulls("value")
            .select("combination", "flow_variant", "metric", "run", "digest", "value", "counts")
            .collect()
        )
        lost = paired_runs.lost(of_metric, asked).drop("metric").rename({"own": "victim"})
        for which, place in zip(_RUNS, ("combination", "alone", "among_itself"), strict=True):
            named = of_metric.drop("metric").rename({name: f"{which}_{name}" for name in ("digest", "value", "counts")})
            run = [] if which == "mixed" else ["run"]
            rows = rows.join(
                named,
                left_on=[place, "victim", *run],
                right_on=["combination", "flow_variant", *run],
                maintain_order="left_right",
            ).join(
                lost.rename({"lost_runs": f"{which}_lost"}),
                left_on=[place, "victim"],
                right_on=["combination", "victim"],
                maintain_order="left",
            )
        if rows.height:
            uneven = pl.any_horizontal(pl.col(f"{which}_lost") != pl.col("mixed_lost") for which in _RUNS)
            yield name, rows.with_columns(uneven=uneven)


def _tested(rows: pl.DataFrame, metric: metrics.Metric, lengths: Sequence[int]) -> pl.DataFrame:
    """The harm of one metric with its intervals, a row per case."""
    x, y, own = (pl.col(f"{which}_value") for which in ("alone", "mixed", "own"))
    key = ["combination", "victim"]
    rows = rows.with_columns(
        harm=harm_done(x, y, metric.better),
        own_harm=harm_done(x, own, metric.better),
        steady=pl.all_horizontal(f"{which}_counts" for which in _RUNS),
    ).with_columns(excess=pl.col("harm") - pl.col("own_harm"))
    if max(lengths, default=1) > 1:
        rotation = rotation_blocks.of_pairs(lengths, *(rows[name] for name in ("combination", "alone", "among_itself")))
        rows = rotation_blocks.blocked(
            rows.with_columns(rotation.alias(rotation_blocks.ROTATION)),
            key,
            [*_PARTS, *(f"{which}_value" for which in _RUNS)],
            [f"{which}_digest" for which in _RUNS],
            ["steady"],
        )
    about = rows.group_by(key, maintain_order=True).agg(
        pl.col("mix", "beside", "metric", "uneven").first(),
        runs=pl.len(),
        steady_runs=pl.col("steady").sum(),
    )
    counted = rows.filter(pl.col("steady") & ~pl.col("uneven")).drop_nulls("excess")
    counted = replicates.counted(counted, key, [f"{which}_digest" for which in _RUNS])
    result = about.join(
        counted.group_by(key).agg(
            distinct_runs=pl.len(), alone_mean=x.mean(), mixed_mean=y.mean(), own_mean=own.mean()
        ),
        on=key,
        how="left",
        maintain_order="left",
    ).with_columns(pl.col("distinct_runs").fill_null(0), unit=pl.lit(metric.unit))
    result = result.join(_excess_holm(counted, key, about.height), on=key, how="left", maintain_order="left")
    for part in _PARTS:
        of_part = findings.bootstrapped_means(counted.select(*key, digest="mixed_digest", value=part), key)
        named = of_part.select(*key, pl.col("mean").alias(part), pl.col("low", "high").name.prefix(f"{part}_"))
        result = result.join(named, on=key, how="left", maintain_order="left")
    unsteady = (pl.col("steady_runs") < findings.LEAST_RUNS) & (pl.col("steady_runs") < pl.col("runs"))
    return result.with_columns(
        finding=pl.when((pl.col("steady_runs") > 1) & (pl.col("distinct_runs") == 1))
        .then(pl.lit("deterministic"))
        .when(unsteady)
        .then(pl.lit("not steady"))
        .when("uneven")
        .then(pl.lit("uneven loss"))
        .when(pl.col("distinct_runs") < least_pairs(about.height))
        .then(pl.lit(findings.TOO_FEW))
        .when(pl.col("excess_holm") > LEVEL_OF_CLAIMS)
        .then(pl.lit("none"))
        .when(pl.col("excess_low") > 0)
        .then(pl.lit("more"))
        .when(pl.col("excess_high") < 0)
        .then(pl.lit("less"))
        .otherwise(pl.lit("none"))
    )


def _excess_holm(counted: pl.DataFrame, key: Sequence[str], cases: int) -> pl.DataFrame:
    """The p-value of the exact signed-rank test of each case's excess, corrected for all cases of a metric.

    Returns
    -------
    DataFrame
        ``key`` and ``excess_holm``.
    """
    of_cases = counted.group_by(key, maintain_order=True).agg("excess")
    excess = findings.as_rows(of_cases["excess"])
    above, below = exact_tests.larger_p(exact_tests.Runs(excess, np.where(np.isnan(excess), np.nan, 0.0)), 0, 0)
    corrected, _ = significance.holm(np.minimum(1, 2 * np.minimum(above, below)), size=cases)
    return of_cases.select(key).with_columns(excess_holm=pl.Series(corrected, dtype=pl.Float64))

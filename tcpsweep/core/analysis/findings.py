# SPDX-License-Identifier: MIT
"""The results of a comparison's runs: intervals, p-values and findings, corrected for many comparisons."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import polars as pl

from tcpsweep.core.statistics import bootstrap, effect_tests, exact_tests, means, significance
from tcpsweep.core.sweep.sweep_parts import ShareOrValue
from tcpsweep.core.words import metrics, thresholds

TESTS = {
    effect_tests.HIGHER: "higher",
    effect_tests.LOWER: "lower",
    effect_tests.SAME: "same",
    effect_tests.UNDECIDED: "undecided",
}
TOO_FEW = "too few runs"
UNTESTED = ("deterministic", "not steady", "no value", "uneven loss", TOO_FEW, "no spread")
FINDINGS = (*TESTS.values(), *UNTESTED)
LEAST_RUNS = thresholds.LEAST_RUNS
PRIMARY, EXPLORATORY = "primary", "exploratory"
TESTED = (
    *("low", "high", "ratio", "ratio_low", "ratio_high", "p", "beyond_p", "within_p", "beyond_holm", "within_holm"),
    *("holm_low", "holm_high", "effect", "effect_low", "effect_high", "runs_needed"),
)
_RUNS = ("of_variant", "of_reference", "are_pairs")
_WORDS = TESTS | {effect_tests.TOO_FEW: TOO_FEW}


def tested(family: pl.DataFrame, size: int) -> pl.DataFrame:
    """The intervals, p-values and findings of comparisons with enough runs that are corrected together, a family.

    ``family`` has the columns of `paired_runs.sums`, ``smallest_share``, ``smallest_value`` and ``smallest_origin``.
    ``size`` is the number of the family's comparisons, including comparisons that cannot be tested. ``runs_needed``
    counts pairs, which may be rotations; it is null for separate samples.

    Returns
    -------
    DataFrame
        ``family`` with the columns of `TESTED` and ``finding``.
    """

    def column(name: str) -> effect_tests.Numbers:
        return family[name].cast(pl.Float64).to_numpy()

    estimate = effect_tests.Estimates(
        difference=column("difference"),
        reference=column("reference_mean"),
        error=column("error"),
        reference_error=column("reference_error"),
        covariance=column("covariance"),
        degrees=column("degrees"),
    )
    alpha = 1 - means.CONFIDENCE
    bound = effect_tests.Bound(column("smallest_share"), column("smallest_value"), column("smallest_origin"))
    runs = exact_tests.Runs(
        as_rows(family["of_variant"]), as_rows(family["of_reference"]), bool(family["are_pairs"].all())
    )
    decisions = effect_tests.decided(estimate, runs, bound, alpha, size)
    needed = effect_tests.runs_needed(estimate, runs, bound, size) if runs.are_pairs else np.full(family.height, np.nan)
    low, high = effect_tests.interval(estimate, alpha)
    ratio_low, ratio_high = effect_tests.relative_interval(estimate, alpha)
    holm_low, holm_high = effect_tests.interval(estimate, decisions.level)
    effect_low, effect_high = effect_tests.relative_interval(estimate, decisions.level)
    effect = np.where(
        estimate.reference > 0, estimate.difference / np.where(estimate.reference > 0, estimate.reference, 1), np.nan
    )
    varies = estimate.error > 0  # if all differences are 0, the intervals are 0 too
    columns = {
        "low": low,
        "high": high,
        "ratio": 1 + effect,
        "ratio_low": 1 + ratio_low,
        "ratio_high": 1 + ratio_high,
        "p": np.where(
            varies, significance.t_test_p(estimate.difference, np.where(varies, estimate.error, 1), estimate.degrees), 1
        ),
        "beyond_p": decisions.beyond_p,
        "within_p": decisions.within_p,
        "beyond_holm": decisions.beyond_holm,
        "within_holm": decisions.within_holm,
        "holm_low": holm_low,
        "holm_high": holm_high,
        "effect": effect,
        "effect_low": effect_low,
        "effect_high": effect_high,
        "runs_needed": needed,
    }
    nullable = {name: pl.Series(values, dtype=pl.Float64).fill_nan(None) for name, values in columns.items()}
    finding_words = pl.Series([_WORDS[int(code)] for code in decisions.finding], dtype=pl.String)
    return possible(family.drop(_RUNS).with_columns(**nullable, finding=finding_words))


def possible(table: pl.DataFrame) -> pl.DataFrame:
    """The comparisons, with intervals limited to what can be: effects of at least −100 %, shares that differ by 1.

    A difference of shares is at most 1, whatever the reference's true mean. No compared metric is below 0.
    """
    shares = [name for name, metric in metrics.METRICS.items() if metric.is_share]
    of_shares = pl.col("metric").cast(pl.String).is_in(shares)
    differences = [name for name in ("low", "high", "holm_low", "holm_high") if name in table.columns]
    least = {"effect_low": -1.0, "effect_high": -1.0, "ratio_low": 0.0, "ratio_high": 0.0}
    return table.with_columns(
        *(pl.when(of_shares).then(pl.col(end).clip(-1.0, 1.0)).otherwise(end).alias(end) for end in differences),
        *(pl.col(end).clip(lower_bound=bound) for end, bound in least.items() if end in table.columns),
    )


def as_rows(lists: pl.Series) -> effect_tests.Numbers:
    """Lists as rows of an array, with NaN where a list is shorter."""
    lengths = lists.list.len().to_numpy()
    array = np.full((len(lists), int(lengths.max(initial=0))), np.nan)
    array[np.arange(array.shape[1]) < lengths[:, None]] = lists.explode().cast(pl.Float64).to_numpy()
    return array


def of_family(family: pl.DataFrame) -> pl.DataFrame:
    """The comparisons that are corrected together, in which ``finding`` is null where a comparison can be tested.

    Comparisons that cannot be tested count in the family, but get no p-values. The other columns are as for `tested`.
    """
    testable = family["finding"].is_null()
    parts = [family.filter(~testable).drop(_RUNS)]
    if testable.any():
        parts.append(tested(family.filter(testable), family.height))
    return pl.concat(parts, how="diagonal")


def bootstrapped_means(values: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Means over distinct runs: ``key``, ``distinct_runs``, ``mean``, and its 95 % bootstrap interval.

    ``values`` has the columns of ``key``, ``digest`` and ``value``. The interval's ends, ``low`` and ``high``, are null
    below `LEAST_RUNS`.
    """
    enough = pl.col("distinct_runs") >= LEAST_RUNS
    return (
        values.group_by(key, maintain_order=True)
        .agg(distinct_runs=pl.len().cast(pl.Int64), mean=pl.col("value").mean())
        .join(bootstrap.bootstrapped(values, key), on=key, how="left", maintain_order="left")
        .with_columns(pl.when(enough).then(end) for end in ("low", "high"))
    )


def why_not() -> pl.Expr:
    """An expression for the reason why a comparison cannot be tested; null where it can.

    It uses the columns of `paired_runs.sums`, and ``uneven`` of `paired_runs.with_lost`.
    """
    n = pl.col("distinct_runs")
    return (
        pl.when((pl.col("runs") > 1) & (n == 1))
        .then(pl.lit("deterministic"))
        .when(~(pl.col("steady") & pl.col("reference_steady")))
        .then(pl.lit("not steady"))
        # Runs that never converge, for example, differ from the others, so that the remaining runs are a biased sample.
        .when(pl.col("lacking"))
        .then(pl.lit("no value"))
        # The loss of runs may depend on the variant: then the remaining runs of the two sides are not comparable.
        .when(pl.col("uneven"))
        .then(pl.lit("uneven loss"))
        .when(n < 2)
        .then(pl.lit(TOO_FEW))
        .when((pl.col("error") == 0) & (pl.col("difference") != 0))
        .then(pl.lit("no spread"))
    )


def judged(sums: pl.DataFrame, smallest: Mapping[str, ShareOrValue], primary: Collection[str]) -> pl.DataFrame:
    """The results of the tests of comparisons, each against the smallest effect of interest.

    All comparisons of the primary metrics are one family, for each simulator where axes differ in it. The comparisons
    of each other metric are a family of their own, for exploration: with many families, some contain false claims. A
    family's size includes comparisons that cannot be tested. Whether a comparison can be tested may depend on the
    outcome, so a correction for only the tested comparisons would be too weak.

    Parameters
    ----------
    sums : DataFrame
        The columns of `paired_runs.sums`, and ``finding``, null where the comparison can be tested.
    smallest : dict of str to ShareOrValue
        The smallest effect of interest by metric. Without one, any effect is of interest.
    primary : collection of str
        The metrics that tables begin with.

    Returns
    -------
    DataFrame
        The columns of ``sums``, ``family``, the columns of `TESTED`, and ``unit``, sorted by metric and pair. The
        smallest effect is the larger one of ``smallest_share`` of the distance between reference and
        ``smallest_origin``, and of ``smallest_value``. Of `TESTED`, an untested comparison has only ``effect`` and the
        plain interval, ``low`` and ``high``.
    """
    bounds = {name: smallest.get(name, ShareOrValue()) for name in metrics.METRICS}
    name = pl.col("metric").cast(pl.String)
    sums = sums.with_columns(metric=name).with_columns(
        family=pl.when(name.is_in(list(primary))).then(pl.lit(PRIMARY)).otherwise(pl.lit(EXPLORATORY)),
        smallest_share=name.replace_strict({n: b.share for n, b in bounds.items()}, return_dtype=pl.Float64),
        smallest_value=name.replace_strict({n: b.absolute for n, b in bounds.items()}, return_dtype=pl.Float64),
        smallest_origin=name.replace_strict({n: b.origin for n, b in bounds.items()}, return_dtype=pl.Float64),
        unit=name.replace_strict({n: m.unit for n, m in metrics.METRICS.items()}, return_dtype=pl.String),
    )
    family_name = pl.when(pl.col("family") == PRIMARY).then(pl.lit("")).otherwise(name)
    family_columns = ["of", *({"simulator"} & {*sums.columns})]
    families = sums.with_columns(of=family_name).partition_by(family_columns, maintain_order=True)
    families = [family.drop("of") for family in families]
    table = pl.concat([sums.clear().drop(_RUNS), *map(of_family, families)], how="diagonal")
    null_columns = [pl.lit(None, pl.Float64).alias(column) for column in TESTED if column not in table.columns]
    rank = {metric: place for place, metric in enumerate(metrics.METRICS)}
    return _with_untested(table.with_columns(*null_columns)).sort(
        name.replace_strict(rank, return_dtype=pl.Int64), "pair"
    )


def _with_untested(table: pl.DataFrame) -> pl.DataFrame:
    """The comparisons; untested ones get their effect and the plain 95 % interval of their difference."""
    degrees = sorted(set(table["degrees"].drop_nulls().cast(pl.Float64).to_list()) - {0.0})
    quantile_by_degrees = dict(zip(degrees, means.student_t(degrees), strict=True))
    half = pl.col("degrees").cast(pl.Float64).replace_strict(quantile_by_degrees, default=None, return_dtype=pl.Float64)
    half = half * pl.col("error")
    relative = pl.when(pl.col("reference_mean") > 0).then(pl.col("difference") / pl.col("reference_mean"))
    is_tested = pl.col("finding").is_in(list(TESTS.values()))
    return possible(
        table.with_columns(
            pl.when(is_tested).then(name).otherwise(value).alias(name)
            for name, value in (
                ("low", pl.col("difference") - half),
                ("high", pl.col("difference") + half),
                ("effect", relative),
            )
        )
    )

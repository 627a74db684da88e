# SPDX-License-Identifier: MIT
"""The effects of variants against the baseline, by paired runs.

A pair is two runs with the same number in one network: combinations that differ in the variant alone. In a mix, a pair
is two variants in one run. Paired runs share the random draws of their flows' starts and, packet by packet, those of
random losses; the correlation says how much that helped.
"""

from __future__ import annotations

import polars as pl

from tcpsweep.analysis import comparisons, findings, paired_runs
from tcpsweep.statistics import means
from tcpsweep.sweep.sweep_record import PlannedSweep
from tcpsweep.words import metrics

PRECISION = 0.05  # the half-width that `runs_needed` is for, as a share of the reference's mean
_NUMBERS = (
    "runs",
    "lost_runs",
    "reference_lost_runs",
    "steady",
    "reference_steady",
    "distinct_runs",
    "mean",
    "reference_mean",
    "difference",
    "sd",
    "correlation",
    "smallest_share",
    "smallest_value",
)


def effects(sweep: PlannedSweep, values: pl.DataFrame) -> pl.DataFrame:
    """What each variant changes, per network and metric.

    Parameters
    ----------
    sweep : PlannedSweep
    values : DataFrame
        As `summaries.by_run` gives them.

    Returns
    -------
    DataFrame
        ``combination``, ``reference_combination``, ``variant``, ``reference``, ``mix`` (both in it, else null),
        ``metric``, ``family`` and ``unit``; ``runs`` (finished pairs), ``lost_runs`` and ``reference_lost_runs`` (of
        the runs asked for, those without a value), ``steady`` and ``reference_steady`` (whether all runs of a side are
        stationary together), ``distinct_runs`` (pairs that count); ``mean`` and ``reference_mean``; ``difference`` of
        the two with its standard deviation over pairs ``sd`` and its 95 % interval ``low``, ``high``; ``ratio`` of the
        means with its interval; ``correlation`` of the pairs; ``smallest_share`` and ``smallest_value``, the smallest
        effect worth naming; ``p`` of the paired t-test of no difference; ``beyond_p`` and ``within_p`` of the tests
        that the effect is beyond that smallest one and that it is within it, ``beyond_holm`` and ``within_holm`` with
        Holm's correction; ``effect``, the difference as a share of the reference; of the difference and of this share
        the intervals that the finding follows from, ``holm_…`` and ``effect_low``, ``effect_high``; ``finding``, one of
        `findings.FINDINGS`; ``runs_needed`` for a half-width of `PRECISION` of the reference's mean.
    """
    values = values.filter(pl.col("metric").is_in(metrics.compared()) & pl.col("value").is_not_null())
    compared = comparisons.pairs(sweep)
    once = values.unique(["combination", "flow_variant", "run"]).with_columns(metric=pl.lit("any"))
    finished = paired_runs.finished_runs(paired_runs.paired(once, compared))

    def of_metric(values: pl.DataFrame) -> pl.DataFrame:
        rows = paired_runs.paired(values, compared).with_columns(pl.col("metric").cast(pl.String))
        sums = paired_runs.sums(rows, [*comparisons.PAIR], finished)
        return paired_runs.with_lost(sums, paired_runs.lost(values, len(sweep.runs)))

    # One metric after the other: the runs of all, side by side, would be more than all else that is in memory.
    names = values["metric"].unique().to_list()
    sums = pl.concat([of_metric(values.clear()), *(of_metric(values.filter(metric=name)) for name in names)])
    return _table(sweep, sums)


def _table(sweep: PlannedSweep, sums: pl.DataFrame) -> pl.DataFrame:
    """The table of effects of comparisons with these sums."""
    sums = sums.with_columns(finding=findings.why_not())
    table = findings.judged(sums, sweep.smallest_effects, metrics.headline(metrics.METRICS, sweep.headline))
    needed = means.runs_needed  # also where there are too few to test
    table = table.with_columns(
        runs_needed=pl.Series(
            needed(table["sd"].fill_null(float("nan")), PRECISION * table["reference_mean"].fill_null(0).abs())
        ).replace(0, None),
    )
    names = ["combination", "reference_combination", "variant", "reference", "mix", "metric", "family", "unit"]
    return table.select(*names, *_NUMBERS, *findings.TESTED, "finding", "runs_needed")

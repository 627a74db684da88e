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
    "steady_runs",
    "distinct_runs",
    "mean",
    "reference_mean",
    "difference",
    "sd",
    "correlation",
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
        ``metric``, ``unit``; ``runs`` (finished pairs), ``steady_runs``, ``distinct_runs`` (those that count);
        ``mean`` and ``reference_mean``; ``difference`` of the two with its standard deviation over pairs ``sd`` and
        its 95 % interval ``low``, ``high``; ``ratio`` of the geometric means with its interval; ``correlation`` of
        the pairs; ``p`` of the paired t-test, ``holm_p``, ``holm_low``, ``holm_high``; ``finding``, one of
        `findings.FINDINGS`; ``runs_needed`` for a half-width of `PRECISION` of the reference's mean.

    The family of Holm's correction is all comparisons of a metric in the sweep.
    """
    values = values.filter(pl.col("metric").is_in(metrics.compared()) & pl.col("value").is_not_null())
    compared = comparisons.pairs(sweep)
    once = values.unique(["combination", "flow_variant", "run"]).with_columns(metric=pl.lit("any"))
    finished = paired_runs.finished_runs(paired_runs.paired(once, compared))
    # One metric after the other: the runs of all metrics side by side would take more memory than everything else.
    of_metrics = [
        _of_metric(values.filter(pl.col("metric") == name), compared, finished)
        for name in values["metric"].unique().sort()
    ]
    return pl.concat([_of_metric(values.clear(), compared, finished), *of_metrics], how="vertical_relaxed")


def _of_metric(values: pl.DataFrame, compared: pl.DataFrame, finished: pl.DataFrame) -> pl.DataFrame:
    """The rows of `effects` of one metric's values."""
    rows = paired_runs.paired(values, compared)
    table = findings.judged(
        paired_runs.sums(rows, [*comparisons.PAIR], finished).with_columns(finding=findings.why_not())
    )
    needed = means.runs_needed  # also if there are too few runs to test
    table = table.with_columns(
        runs_needed=pl.Series(
            needed(table["sd"].fill_null(float("nan")), PRECISION * table["reference_mean"].fill_null(0).abs())
        ).replace(0, None),
    )
    names = ["combination", "reference_combination", "variant", "reference", "mix", "metric", "unit"]
    return table.select(*names, *_NUMBERS, *findings.TESTED, "finding", "runs_needed")

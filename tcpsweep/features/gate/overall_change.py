# SPDX-License-Identifier: MIT
"""The change of goodput over all network conditions together, run by run.

One network condition needs many runs to show a small change. All of them together need few, because each has its own
noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from tcpsweep.core.analysis import findings, paired_runs
from tcpsweep.core.sweep.sweep_parts import ShareOrValue
from tcpsweep.core.words.user_error import UserError

METRIC = "goodput_bps"
_CASE = ["place", "flow_variant", "link"]


def overall(base: pl.DataFrame, head: pl.DataFrame, smallest: Mapping[str, ShareOrValue]) -> dict[str, Any]:
    """The mean change of goodput, with its test against the smallest effect of interest.

    Each case's goodput is divided by its mean over BASE's runs, so that every case has the same weight. A run's value
    is the mean over its cases. Runs of the same number form pairs. The goodput of a fixed time needs no steady state,
    so flows that are not steady count too. A case without a goodput in some run does not count: its flows have few
    bytes, and most end before the warm-up does.

    Parameters
    ----------
    base, head : DataFrame
        From `two_sweeps.placed`.
    smallest : dict of str to ShareOrValue
        The smallest effect of interest by metric. A value counts as its share of BASE's mean goodput.

    Returns
    -------
    dict
        A row of `findings.judged`. ``effect``, ``effect_low`` and ``effect_high`` are shares of BASE's goodput,
        ``runs`` is the number of pairs, and ``sd`` the standard deviation of their differences.

    Raises
    ------
    UserError
        No network condition has a goodput in every run.
    """
    key = [*_CASE, "run"]
    goodput = pl.col("metric").cast(pl.String) == METRIC
    base_values, head_values = (side.filter(goodput).select(*key, "value", "digest") for side in (base, head))
    cases = head_values.join(
        base_values.rename({name: f"reference_{name}" for name in ("value", "digest")}),
        on=key,
        how="full",
        nulls_equal=True,
        coalesce=True,
    )
    paired_runs_of_case = (pl.col("value").is_not_null() & pl.col("reference_value").is_not_null()).sum().over(_CASE)
    complete_cases = cases.filter(paired_runs_of_case == cases["run"].n_unique())
    if complete_cases.is_empty():
        raise UserError("no network condition has a goodput in every run, so there is nothing to compare")
    base_mean = pl.col("reference_value").mean().over(_CASE)
    run_means = _means_of_runs(complete_cases.with_columns(pl.col("value", "reference_value") / base_mean))
    rows = run_means.with_columns(
        pair=0, metric=pl.lit(METRIC), link=pl.lit(None, pl.String), counts=True, reference_counts=True
    ).with_columns(steady_shown=True, reference_steady_shown=True)
    finished = pl.DataFrame({"pair": [0], "finished_runs": [run_means.height]})
    sums = paired_runs.sums(rows, [], finished).with_columns(uneven=False)
    smallest_effect = smallest.get(METRIC, ShareOrValue())
    mean_bps = float(np.mean(base_values["value"].drop_nulls().to_numpy()))
    smallest_share = {METRIC: ShareOrValue(share=max(smallest_effect.share, smallest_effect.absolute / mean_bps))}
    return findings.judged(sums.with_columns(finding=findings.why_not()), smallest_share, [METRIC]).row(0, named=True)


def _means_of_runs(cases: pl.DataFrame) -> pl.DataFrame:
    """The means over the cases of each run."""
    run_means = cases.group_by("run").agg(
        pl.col("value", "reference_value").mean(),
        pl.col("digest", "reference_digest").sort().str.join(),
    )
    return run_means.sort("run")

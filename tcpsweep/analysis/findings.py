# SPDX-License-Identifier: MIT
"""What the runs of a comparison show: intervals, p-values and findings, corrected for many comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import polars as pl

from tcpsweep.statistics import means, significance
from tcpsweep.words import metrics

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[np.float64]

LEAST_RUNS = 5  # different runs, below which nothing is claimed
FINDINGS = ("higher", "lower", "none", "deterministic", "not steady", "no value", "too few runs", "no spread")
TESTED = ("low", "high", "ratio", "ratio_low", "ratio_high", "p", "holm_p", "holm_low", "holm_high")


def _half_width(error: Array, degrees: Array, level: Array | float) -> Array:
    """Half the width of the interval of a mean with that standard error at confidence 1 − level."""
    from scipy.special import stdtrit

    return stdtrit(degrees, 1 - level / 2) * error


def tested(part: pl.DataFrame) -> pl.DataFrame:
    """The intervals, p-values and findings of one metric's comparisons with enough runs, corrected together.

    Parameters
    ----------
    part : DataFrame
        The columns of `paired_runs.sums`.

    Returns
    -------
    DataFrame
        With those of `TESTED` and ``finding``.
    """
    import numpy as np

    names = ("difference", "error", "degrees", "log_ratio", "log_error", "log_degrees")
    d, error, degrees, log_ratio, log_error, log_degrees = (part[name].to_numpy().astype(float) for name in names)
    alpha = 1 - means.CONFIDENCE
    moved = error > 0  # where all differences are 0, so are the intervals
    p = np.where(moved, significance.t_test_p(d, np.where(moved, error, 1), degrees), 1)
    adjusted, levels = significance.holm(p, alpha)
    half, corrected = _half_width(error, degrees, alpha), _half_width(error, degrees, levels)
    log_half = _half_width(log_error, log_degrees, alpha)
    columns = {
        "low": d - half,
        "high": d + half,
        "ratio": np.exp(log_ratio),
        "ratio_low": np.exp(log_ratio - log_half),
        "ratio_high": np.exp(log_ratio + log_half),
        "p": p,
        "holm_p": adjusted,
        "holm_low": d - corrected,
        "holm_high": d + corrected,
    }
    shown = {name: pl.Series(values).fill_nan(None) for name, values in columns.items()}
    return part.with_columns(**shown).with_columns(
        finding=pl.when(pl.col("holm_low") > 0)
        .then(pl.lit("higher"))
        .when(pl.col("holm_high") < 0)
        .then(pl.lit("lower"))
        .otherwise(pl.lit("none"))
    )


def why_not() -> pl.Expr:
    """Why a comparison with the columns of `paired_runs.sums` cannot be tested, as an expression; null where it can."""
    n, steady_runs = pl.col("distinct_runs"), pl.col("steady_runs")
    return (
        pl.when((steady_runs > 1) & (n == 1))
        .then(pl.lit("deterministic"))
        .when((steady_runs < LEAST_RUNS) & (steady_runs < pl.col("runs")))
        .then(pl.lit("not steady"))
        # Runs without a value, such as those that never converge, differ from others: the rest is no fair sample.
        .when(pl.col("lacking"))
        .then(pl.lit("no value"))
        .when(n < LEAST_RUNS)
        .then(pl.lit("too few runs"))
        .when((pl.col("error") == 0) & (pl.col("difference") != 0))
        .then(pl.lit("no spread"))
    )


def judged(sums: pl.DataFrame) -> pl.DataFrame:
    """Test the sums whose column ``finding`` is null, and say what the tests show.

    Returns
    -------
    DataFrame
        The columns of ``paired_runs.sums``, those of `TESTED`, and ``unit``, sorted by metric and pair.
    """
    parts = [sums.filter(pl.col("finding").is_not_null())]
    testable = sums.filter(pl.col("finding").is_null())
    parts += [tested(part) for part in testable.partition_by("metric", maintain_order=True)]
    table = pl.concat(parts, how="diagonal").sort("metric", "pair")
    units_of = {name: metric.unit for name, metric in metrics.METRICS.items()}
    missing = [pl.lit(None, pl.Float64).alias(name) for name in TESTED if name not in table.columns]
    return table.with_columns(*missing, pl.col("metric").cast(pl.String)).with_columns(
        unit=pl.col("metric").replace_strict(units_of, return_dtype=pl.String)
    )

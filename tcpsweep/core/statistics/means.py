# SPDX-License-Identifier: MIT
"""Means over runs with Student's t intervals, and the number of runs that an interval needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.statistics import replicates

CONFIDENCE = 0.95


def student_t(degrees: Iterable[float], confidence: float = CONFIDENCE) -> list[float]:
    """The two-sided quantile of Student's t for each of a list of degrees of freedom."""
    from scipy.special import stdtrit  # scipy.stats takes up to 2 s to load

    return [float(stdtrit(df, 0.5 + confidence / 2)) for df in degrees]


def summarise(values: pl.DataFrame, by: Sequence[str], confidence: float = CONFIDENCE) -> pl.DataFrame:
    """Mean, standard deviation and confidence interval of the mean over runs.

    The interval is mean ± t · s / √n with Student's t at n − 1 degrees of freedom. If the bytes of
    all runs are identical, they count as one; a single run has no interval.

    ``values`` has the columns of ``by``, ``digest`` and ``value``; a row per run.

    Returns
    -------
    DataFrame
        The columns of ``by``, ``runs`` (all), ``distinct_runs`` (those that count), ``mean``, ``sd``, ``low`` and
        ``high``.
    """
    runs = values.group_by(by, maintain_order=True).agg(runs=pl.len().cast(pl.Int64))
    distinct = replicates.counted(values, by).drop_nulls("value")
    summary = distinct.group_by(by, maintain_order=True).agg(
        distinct_runs=pl.len().cast(pl.Int64), mean=pl.col("value").mean(), sd=pl.col("value").std()
    )
    counts = sorted(set(summary["distinct_runs"].to_list()) - {1})
    quantiles = pl.DataFrame(
        {"distinct_runs": counts, "t": student_t([n - 1 for n in counts], confidence)},
        schema={"distinct_runs": pl.Int64, "t": pl.Float64},
    )
    half = pl.col("t") * pl.col("sd") / pl.col("distinct_runs").cast(pl.Float64).sqrt()
    return (
        runs.join(summary, on=by, how="left", nulls_equal=True, maintain_order="left")
        .join(quantiles, on="distinct_runs", how="left", maintain_order="left")
        .with_columns(
            distinct_runs=pl.col("distinct_runs").fill_null(0), low=pl.col("mean") - half, high=pl.col("mean") + half
        )
        .drop("t")
    )


def runs_needed(sd: npt.ArrayLike, half_width: npt.ArrayLike, confidence: float = CONFIDENCE) -> npt.NDArray[np.int64]:
    """The least number n of runs with t(n − 1) · sd / √n ≤ half_width, for arrays; 0 where it is unknown.

    Law: Simulation Modeling and Analysis, 5th edition, 2015, section 9.4.1; it assumes that the spread stays the same.
    """
    sd, half_width = np.asarray(sd, dtype=float), np.asarray(half_width, dtype=float)
    is_known = np.isfinite(sd) & (half_width > 0)
    if not is_known.any():
        return np.zeros(is_known.shape, dtype=np.int64)
    from scipy.special import ndtri, stdtrit  # takes long to load

    factor = np.where(is_known, sd / np.where(is_known, half_width, 1), 0)
    # Student's t is above the normal quantile, so this begins too low.
    n = np.maximum(2, np.ceil((ndtri(0.5 + confidence / 2) * factor) ** 2))
    while (short := stdtrit(n - 1, 0.5 + confidence / 2) * factor > np.sqrt(n)).any():
        n = n + short
    return np.where(is_known, n, 0).astype(np.int64)

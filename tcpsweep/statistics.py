# SPDX-License-Identifier: MIT
"""From runs to a mean with its interval."""

import polars as pl

CONFIDENCE = 0.95


def student_t(degrees, confidence=CONFIDENCE):
    """The two-sided quantile of Student's t for each of a list of degrees of freedom."""
    from scipy.special import stdtrit  # scipy.stats takes up to 2 s to load

    return [float(stdtrit(df, 0.5 + confidence / 2)) for df in degrees]


def summarise(values, by):
    """Mean, standard deviation and 95 % confidence interval of the mean over runs.

    The interval is mean ± t · s / √n with Student's t at n − 1 degrees of freedom. Runs whose simulations were
    identical to the byte count as one; a single run has no interval.

    Parameters
    ----------
    values : DataFrame
        The columns of ``by``, ``digest`` and ``value``; a row per run.
    by : list of str

    Returns
    -------
    DataFrame
        The columns of ``by``, ``runs`` (all), ``distinct_runs`` (those that count), ``mean``, ``sd``, ``low`` and
        ``high``.
    """
    runs = values.group_by(by, maintain_order=True).agg(runs=pl.len().cast(pl.Int64))
    distinct = values.unique([*by, "digest"], keep="first", maintain_order=True).drop_nulls("value")
    summary = distinct.group_by(by, maintain_order=True).agg(
        distinct_runs=pl.len().cast(pl.Int64), mean=pl.col("value").mean(), sd=pl.col("value").std()
    )
    counts = sorted(set(summary["distinct_runs"].to_list()) - {1})
    quantiles = pl.DataFrame(
        {"distinct_runs": counts, "t": student_t([n - 1 for n in counts])},
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

# SPDX-License-Identifier: MIT
"""From runs to means and differences with their intervals: the formulas, and where they are from."""

import functools
import itertools
import math

import polars as pl

CONFIDENCE = 0.95
MOST_EXACT, RESAMPLES, SEED = 7, 5000, 1  # 7 values have 1716 resamples, 8 have 6435
_AT_A_TIME = 500


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


def expanded_percentile(samples, confidence=CONFIDENCE):
    """Bootstrap confidence intervals of means: the expanded percentile interval.

    The ends are percentiles of the means of all resamples, at Φ(−√(n/(n − 1)) · t(n − 1)) instead of 2.5 %, as
    plain percentile intervals of few values are too narrow. The interval never leaves the range of the values, so
    that one of a share stays within 0 and 1; BCa's correction for skewness would itself be estimated from a handful
    of runs.

    Hesterberg: What Teachers Should Know About the Bootstrap. The American Statistician 69(4), 2015.

    Parameters
    ----------
    samples : array
        A row for each sample, all of the same number n > 1 of values.

    Returns
    -------
    low, high : array
    """
    import numpy as np
    from scipy.special import ndtr

    n = samples.shape[1]
    tail = float(ndtr(-math.sqrt(n / (n - 1)) * student_t([n - 1], confidence)[0]))
    weights, probabilities = _resamples(n)
    low, high = np.empty(len(samples)), np.empty(len(samples))
    for at in range(0, len(samples), _AT_A_TIME):
        part = slice(at, at + _AT_A_TIME)
        low[part], high[part] = _percentiles(samples[part] @ weights.T, probabilities, tail)
    return low, high


def _percentiles(means, probabilities, tail):
    """The means of each row between which lies all but ``tail`` of its probability at either end."""
    import numpy as np

    def place(reached, share):
        return np.minimum((reached < share - 1e-12).sum(axis=-1), means.shape[1] - 1)

    if (probabilities == probabilities[0]).all():  # whichever the order: no need to sort all of them
        reached = np.cumsum(probabilities)
        ends = place(reached, tail), place(reached, 1 - tail)
        return np.partition(means, ends, axis=1)[:, ends].T
    order = np.argsort(means, axis=1)
    reached = np.cumsum(probabilities[order], axis=1)
    row = np.arange(len(means))
    return tuple(means[row, order[row, place(reached, share)]] for share in (tail, 1 - tail))


@functools.cache
def _resamples(n):
    """The resamples of n values: the weights of the values in each one's mean, and how probable it is.

    All that there are while they are few, else as many as `RESAMPLES`, the same at every call.
    """
    import numpy as np

    if n <= MOST_EXACT:
        counts = np.array([c for c in itertools.product(range(n + 1), repeat=n - 1) if sum(c) <= n])
        counts = np.column_stack([counts, n - counts.sum(axis=1)])
        ways = [math.factorial(n) / math.prod(math.factorial(int(c)) for c in row) for row in counts]
        return counts / n, np.array(ways) / n**n
    counts = np.random.default_rng(SEED).multinomial(n, [1 / n] * n, size=RESAMPLES)
    return counts / n, np.full(RESAMPLES, 1 / RESAMPLES)


def bootstrapped(values, by):
    """Bootstrap intervals of means over runs, by `expanded_percentile`.

    Parameters
    ----------
    values : DataFrame
        As for `summarise`.
    by : list of str

    Returns
    -------
    DataFrame
        The columns of ``by``, ``low`` and ``high``; no row where there are fewer than two different runs.
    """
    import numpy as np

    groups = (
        values.unique([*by, "digest"], keep="first", maintain_order=True)
        .drop_nulls("value")
        .group_by(by, maintain_order=True)
        .agg("value")
        .with_columns(n=pl.col("value").list.len())
        .filter(pl.col("n") > 1)
    )
    parts = [groups.select(by).clear().with_columns(low=pl.lit(0.0), high=pl.lit(0.0))]
    for part in groups.partition_by("n", maintain_order=True):
        low, high = expanded_percentile(np.array(part["value"].to_list()))
        parts.append(part.select(by).with_columns(low=pl.Series(low), high=pl.Series(high)))
    return pl.concat(parts)


def t_test_p(differences, errors, degrees):
    """The two-sided p-value of a t-test for arrays of mean differences and their standard errors."""
    import numpy as np
    from scipy.special import stdtr

    return 2 * stdtr(degrees, -np.abs(differences) / errors)


def welch(sd, n, other_sd, other_n):
    """The standard error of the difference of two independent samples' means, and its degrees of freedom.

    Welch: The Generalization of `Student's' Problem when Several Different Population Variances Are Involved.
    Biometrika 34(1/2), 1947.

    Parameters
    ----------
    sd, n, other_sd, other_n : Expr
        Each sample's standard deviation and number of values.

    Returns
    -------
    error, degrees : Expr
        Where neither sample spreads, ``error`` is 0 and ``degrees`` the fewer that either has.
    """
    first, second = sd**2 / n, other_sd**2 / other_n
    degrees = (first + second) ** 2 / (first**2 / (n - 1) + second**2 / (other_n - 1))
    spread = first + second > 0
    return (first + second).sqrt(), pl.when(spread).then(degrees).otherwise(pl.min_horizontal(n, other_n) - 1)


def holm(p, level=1 - CONFIDENCE):
    """Holm's correction of a family of p-values.

    The k-th smallest of m p-values is held against 5 % / (m − k + 1), and nothing behind the first that fails is shown.

    Holm: A Simple Sequentially Rejective Multiple Test Procedure. Scandinavian Journal of Statistics 6(2), 1979.

    Returns
    -------
    adjusted : array
        The adjusted p-values: at most 5 % where a difference is shown.
    levels : array
        What each p-value was held against; behind the first that fails, what that one was. An interval of confidence
        1 − level contains 0 exactly where no difference is shown.
    """
    import numpy as np

    p = np.asarray(p, dtype=float)
    m, order = len(p), np.argsort(p, kind="stable")
    stages = m - np.arange(m)
    adjusted, levels = np.empty(m), np.empty(m)
    adjusted[order] = np.minimum(1, np.maximum.accumulate(stages * p[order]))
    failed = np.flatnonzero(p[order] > level / stages)
    reached = np.minimum(np.arange(m), failed[0] if len(failed) else m)
    levels[order] = level / (m - reached)
    return adjusted, levels


def runs_needed(sd, half_width, confidence=CONFIDENCE):
    """The least number n of runs with t(n − 1) · sd / √n ≤ half_width, for arrays; 0 where it cannot be told.

    Law: Simulation Modeling and Analysis, 5th edition, 2015, section 9.4.1: the spread is taken to stay what it is.
    """
    import numpy as np
    from scipy.special import ndtri, stdtrit

    sd, half_width = np.asarray(sd, dtype=float), np.asarray(half_width, dtype=float)
    known = np.isfinite(sd) & (half_width > 0)
    factor = np.where(known, sd / np.where(known, half_width, 1), 0)
    # Student's t is above the normal quantile, so this begins too low.
    n = np.maximum(2, np.ceil((ndtri(0.5 + confidence / 2) * factor) ** 2))
    while (short := stdtrit(n - 1, 0.5 + confidence / 2) * factor > np.sqrt(n)).any():
        n = n + short
    return np.where(known, n, 0).astype(np.int64)

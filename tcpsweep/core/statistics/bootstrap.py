# SPDX-License-Identifier: MIT
"""Bootstrap intervals of means, for values that are bounded or skewed."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.statistics import replicates
from tcpsweep.core.statistics.means import student_t

Numbers: TypeAlias = npt.NDArray[np.float64]

MOST_EXACT, RESAMPLES, SEED = 7, 5000, 1  # 7 values have 1716 resamples, 8 have 6435
_AT_A_TIME = 500


def expanded_percentile(samples: Numbers) -> tuple[Numbers, Numbers]:
    """Bootstrap confidence intervals of means: the expanded percentile interval.

    The ends are percentiles of the means of all resamples, at Φ(−√(n/(n − 1)) · t(n − 1)) instead of 2.5 %, because
    plain percentile intervals of few values are too narrow. The interval never leaves the range of the values, so
    the interval of a share stays within 0 and 1. BCa would estimate its correction for skewness from a handful of
    runs.

    Hesterberg: What Teachers Should Know About the Bootstrap. The American Statistician 69(4), 2015.

    Parameters
    ----------
    samples : array
        A row per sample, each with n > 1 values.
    """
    n = samples.shape[1]
    tail = _tail(n)
    weights, probabilities = resamples(n)
    low, high = np.empty(len(samples)), np.empty(len(samples))
    for at in range(0, len(samples), _AT_A_TIME):
        part = slice(at, at + _AT_A_TIME)
        low[part], high[part] = _percentiles(samples[part] @ weights.T, probabilities, tail)
    return low, high


def interval_ends(estimates: Numbers, probabilities: Numbers, n: int) -> tuple[Numbers, Numbers]:
    """Confidence intervals, as in `expanded_percentile`, of estimates that were computed from each of `resamples`.

    Parameters
    ----------
    estimates : array
        A row for each estimated quantity, with a column per resample.
    probabilities : array
        The probabilities of the resamples.
    n : int
        The number of resampled values.
    """
    return _percentiles(estimates, probabilities, _tail(n))


def shares(happened: Numbers, probabilities: Numbers) -> Numbers:
    """The share of resamples with each event; ``happened`` has a row per event and a column per resample, 0 to 1."""
    share: Numbers = np.clip((happened @ probabilities).round(12), 0, 1)  # a sum of probabilities ends near 1
    return share


def _tail(n: int) -> float:
    """The share of the resamples' means that an expanded interval of n values excludes at either end."""
    return math.erfc(math.sqrt(n / (n - 1) / 2) * student_t([n - 1])[0]) / 2


def _percentiles(means: Numbers, probabilities: Numbers, tail: float) -> tuple[Numbers, Numbers]:
    """The two means in each row that cut off ``tail`` of its probability at either end."""

    def index_at(cumulated: Numbers, share: float) -> npt.NDArray[np.intp]:
        index: npt.NDArray[np.intp] = np.minimum((cumulated < share - 1e-12).sum(axis=-1), means.shape[1] - 1)
        return index

    if (probabilities == probabilities[0]).all():  # equally likely, so there is no need to sort all of them
        cumulated = np.cumsum(probabilities)
        ends = index_at(cumulated, tail), index_at(cumulated, 1 - tail)
        low, high = np.partition(means, ends, axis=1)[:, ends].T
        return low, high
    order = np.argsort(means, axis=1)
    cumulated = np.cumsum(probabilities[order], axis=1)
    row = np.arange(len(means))
    low, high = (means[row, order[row, index_at(cumulated, share)]] for share in (tail, 1 - tail))
    return low, high


@functools.cache
def resamples(n: int) -> tuple[Numbers, Numbers]:
    """The resamples of n values: the weight of each value in a resample's mean, and the resample's probability.

    All of them for up to `MOST_EXACT` values, else `RESAMPLES` of them, the same at every call.
    """
    if n <= MOST_EXACT:
        counts = np.array([c for c in itertools.product(range(n + 1), repeat=n - 1) if sum(c) <= n])
        counts = np.column_stack([counts, n - counts.sum(axis=1)])
        ways = [math.factorial(n) / math.prod(math.factorial(int(c)) for c in row) for row in counts]
        return counts / n, np.array(ways) / n**n
    counts = np.random.default_rng(SEED).multinomial(n, [1 / n] * n, size=RESAMPLES)
    return counts / n, np.full(RESAMPLES, 1 / RESAMPLES)


def bootstrapped(values: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """Bootstrap intervals of means over runs, by `expanded_percentile`.

    ``values`` are as for `means.summarise`.

    Returns
    -------
    DataFrame
        The columns of ``by``, ``low`` and ``high``; no row where there are fewer than two different runs.
    """
    groups = (
        replicates.counted(values, by)
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

# SPDX-License-Identifier: MIT
"""The number of runs that is enough: the size of Stein's second stage, and the coverage of the requested precision."""

import math

import numpy as np
import polars as pl
import pytest
from scipy import stats

from tcpsweep.core.statistics import sequential


def wanted(runs, half, asked, is_first):
    frame = pl.DataFrame({"runs": [runs], "half": [half], "asked": [asked]}, schema_overrides={"half": pl.Float64})
    return frame.select(sequential.wanted_runs(*map(pl.col, frame.columns), pl.lit(is_first))).item()


def test_the_second_stage_is_as_large_as_steins():
    values = np.random.default_rng(3).normal(10, 2, 10)
    quantile, spread = stats.t.ppf(0.975, 9), values.std(ddof=1)
    for asked in (0.3, 0.5, 1.0):
        least = next(n for n in range(10, 1000) if quantile * spread / math.sqrt(n) <= asked)
        assert wanted(10, quantile * spread / math.sqrt(10), asked, True) == least


@pytest.mark.parametrize(
    ("runs", "half", "asked", "is_first", "expected"),
    [(10, 1.0, 1.0, True, 10), (21, 1.1, 1.0, False, 32), (10, None, 1.0, True, 10), (21, 0.9, 1.0, False, 21)],
)
def test_narrow_intervals_need_no_more_and_wide_ones_half_as_many_again(runs, half, asked, is_first, expected):
    assert wanted(runs, half, asked, is_first) == expected


def test_what_is_asked_for_holds_in_at_least_95_of_100_experiments():
    count, most, asked = 4000, 200, 0.05
    values = 1 + 0.1 * np.random.default_rng(1).standard_normal((count, most))
    runs, rows = np.full(count, 10), np.arange(count)
    while True:
        mean = np.array([values[row, :n].mean() for row, n in zip(rows, runs, strict=True)])
        spread = np.array([values[row, :n].std(ddof=1) for row, n in zip(rows, runs, strict=True)])
        half = stats.t.ppf(0.975, runs - 1) * spread / np.sqrt(runs)
        state = pl.DataFrame({"runs": runs, "half": half, "asked": asked * mean})
        columns = map(pl.col, state.columns)
        following = state.select(sequential.wanted_runs(*columns, pl.col("runs") <= 10)).to_series().to_numpy()
        if (following == runs).all():
            break
        runs = np.minimum(following, most)
    assert np.mean(np.abs(mean - 1) <= asked * mean) >= 0.95
    assert 20 <= runs.mean() <= 25

# SPDX-License-Identifier: MIT
"""Means and intervals over runs, compared with published tables, closed formulas, NumPy and SciPy."""

import math

import numpy as np
import polars as pl
import pytest
import scipy.stats

from tcpsweep.core.statistics import bootstrap, means
from tcpsweep.core.words import rounding


def summary(values, digests=None):
    frame = pl.DataFrame({"group": 1, "digest": digests or [str(i) for i in range(len(values))], "value": values})
    return means.summarise(frame, ["group"]).row(0, named=True)


def test_the_interval_is_students():
    # Five values with mean 10 and standard deviation sqrt(2.5): t(0.975, 4) = 2.776 (tables).
    row = summary([8.0, 9.0, 10.0, 11.0, 12.0])
    half = 2.7764451 * math.sqrt(2.5) / math.sqrt(5)
    assert (row["runs"], row["distinct_runs"], row["mean"]) == (5, 5, 10)
    assert (row["low"], row["high"]) == pytest.approx((10 - half, 10 + half), rel=1e-7)


@pytest.mark.parametrize(("degrees", "t"), [(1, 12.7062), (2, 4.3027), (9, 2.2622), (29, 2.0452), (1000, 1.9623)])
def test_students_quantiles_are_those_of_printed_tables(degrees, t):
    assert means.student_t([degrees])[0] == pytest.approx(t, abs=5e-5)


def test_repetitions_count_as_one_only_if_all_are_identical():
    row = summary([5.0] * 4, ["same"] * 4)
    assert (row["runs"], row["distinct_runs"], row["mean"], row["low"]) == (4, 1, 5, None)
    row = summary([5.0, 5.0, 7.0], ["a", "a", "b"])
    assert (row["runs"], row["distinct_runs"]) == (3, 3)
    assert row["mean"] == pytest.approx(17 / 3), "an outcome counts as often as it came"


def test_a_missing_value_is_no_zero():
    row = summary([1.0, None, 3.0])
    assert (row["runs"], row["distinct_runs"], row["mean"]) == (3, 2, 2)
    assert summary([None, None])["mean"] is None


SHOWN = {
    "4.81 ± 0.10": (4_812_345.0, 4_712_345.0, 4_912_345.0, 1e-6),
    "0.9877": (0.98765, None, None, 1),
    "1 ± 0": (1.0, 1.0, 1.0, 1),
    "–": (None, None, None, 1),
    "123 ± 23": (123.0, 100.0, 146.0, 1),
}


def test_a_mean_is_shown_to_its_intervals_precision():
    assert [rounding.mean_text(*numbers) for numbers in SHOWN.values()] == list(SHOWN)


@pytest.mark.parametrize(("sd", "half", "n"), [(1.0, 1.0, 7), (2.0, 1.0, 18), (0.0, 1.0, 2), (1.0, 0.0, 0)])
def test_the_runs_needed_are_the_least_that_do(sd, half, n):
    # t(0.975; 6) = 2.447 / √7 = 0.92 ≤ 1 < t(0.975; 5) = 2.571 / √6; 2 · 2.110 / √18 = 0.99 ≤ 1 < 2 · 2.120 / √17.
    assert means.runs_needed([sd], [half])[0] == n


DRAWS = {
    "normal": (lambda rng, size: rng.normal(size=size), 0),
    "uniform": (lambda rng, size: rng.uniform(size=size), 0.5),
    "beta": (lambda rng, size: rng.beta(8, 1, size=size), 8 / 9),
    "exponential": (lambda rng, size: rng.exponential(size=size), 1),
}


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("n", [5, 7, pytest.param(12, marks=pytest.mark.long)])
def test_bootstrap_intervals_cover_the_mean_as_often_as_students(name, n):
    draw, mean = DRAWS[name]
    samples = draw(np.random.default_rng(3), (4000, n))
    low, high = bootstrap.expanded_percentile(samples)
    assert (low >= samples.min(axis=1) - 1e-12).all()
    assert (high <= samples.max(axis=1) + 1e-12).all()
    students = scipy.stats.t.interval(0.95, n - 1, samples.mean(axis=1), samples.std(axis=1, ddof=1) / n**0.5)
    # No interval that stays among the values can do better than these together do: all n lie on one side of the middle
    # of a symmetric distribution with probability 2 / 2ⁿ. The other 2 % are three standard errors of both shares.
    best = min(np.mean((students[0] <= mean) & (mean <= students[1])), 1 - 2 ** (1 - n))
    assert best - 0.02 <= np.mean((low <= mean) & (mean <= high)) <= 0.97


def test_all_resamples_of_few_values_are_counted():
    weights, probabilities = bootstrap.resamples(5)
    assert len(weights) == math.comb(9, 5)
    assert probabilities.sum() == pytest.approx(1)
    assert weights.sum(axis=1) == pytest.approx(1)


def test_a_bootstrap_of_many_values_ends_at_the_percentiles_that_numpy_finds():
    values = np.random.default_rng(3).normal(5, 1, (4, 12))
    weights, _ = bootstrap.resamples(12)
    # Hesterberg 2015: Φ(−√(12/11) · t(11; 0.975)) = Φ(−2.2989).
    ends = np.percentile(values @ weights.T, [1.0756, 98.9244], axis=1, method="inverted_cdf")
    assert np.array(bootstrap.expanded_percentile(values)) == pytest.approx(ends, rel=1e-12)

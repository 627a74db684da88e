# SPDX-License-Identifier: MIT
"""Means and intervals over runs, compared with published tables and closed formulas."""

import math

import polars as pl
import pytest

from tcpsweep.statistics import means
from tcpsweep.words import rounding


def summary(values, digests=None):
    frame = pl.DataFrame({"group": 1, "digest": digests or [str(i) for i in range(len(values))], "value": values})
    return means.summarise(frame, ["group"]).row(0, named=True)


def test_the_interval_is_students():
    # Five values with mean 10 and standard deviation sqrt(2.5): t(0.975, 4) = 2.776 (tables).
    row = summary([8.0, 9.0, 10.0, 11.0, 12.0])
    half = 2.7764451 * math.sqrt(2.5) / math.sqrt(5)
    assert (row["runs"], row["distinct_runs"], row["mean"]) == (5, 5, 10)
    assert row["low"] == pytest.approx(10 - half, rel=1e-7)
    assert row["high"] == pytest.approx(10 + half, rel=1e-7)


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


@pytest.mark.parametrize(
    ("value", "low", "high", "scale", "text"),
    [
        (4_812_345.0, 4_712_345.0, 4_912_345.0, 1e-6, "4.81 ± 0.10"),
        (0.98765, None, None, 1, "0.9877"),
        (1.0, 1.0, 1.0, 1, "1 ± 0"),
        (None, None, None, 1, "–"),
        (123.0, 100.0, 146.0, 1, "123 ± 23"),
    ],
)
def test_a_mean_is_shown_to_its_intervals_precision(value, low, high, scale, text):
    assert rounding.mean_text(value, low, high, scale) == text

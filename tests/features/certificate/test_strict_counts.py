# SPDX-License-Identifier: MIT
"""Strict counts of a certificate: made-up cells whose counts are known by hand, and scipy's binomial tests."""

import polars as pl
import pytest
from scipy import stats

from tcpsweep.features.certificate import strict_counts

LOSS = {"smallest_share": 0.1, "smallest_value": 0.001, "smallest_origin": 0.0}  # 10 %, or 0.1 percentage points


@pytest.mark.parametrize(
    ("verdict", "linux", "margin", "is_lenient"),
    [
        ("equivalent", 0.0, 0.001, True),  # nothing, and whatever is below 0.1 percentage points
        ("equivalent", 0.0005, 0.001, True),  # 0 to 3 times
        ("equivalent", 0.001, 0.001, True),  # 0 to 2 times
        ("equivalent", 0.002, 0.001, False),
        ("equivalent", 0.05, 0.005, False),
        ("inconclusive", 0.0005, 0.001, False),  # it fails even the wide margin
        ("not testable", None, None, False),
    ],
)
def test_a_margin_that_passes_0_to_2_times_linux_mean_is_lenient(verdict, linux, margin, is_lenient):
    cell = pl.DataFrame(
        [LOSS | {"verdict": verdict, "reference_mean": linux}], schema_overrides={"reference_mean": float}
    )
    judged = cell.with_columns(margin=strict_counts.margin()).with_columns(is_lenient=strict_counts.is_lenient())
    assert judged.select("margin", "is_lenient").row(0) == (pytest.approx(margin), is_lenient)


@pytest.mark.parametrize(("count", "total"), [(18, 19), (0, 5), (5, 5), (286, 329), (1, 2)])
def test_a_shares_interval_is_wilsons(count, total):
    expected = stats.binomtest(count, total).proportion_ci(method="wilson")
    assert strict_counts.interval(count, total) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_an_interval_in_words_needs_comparisons():
    assert strict_counts.interval_in_words(286, 329) == " (95 %: 83 to 90 %)"
    assert strict_counts.interval_in_words(0, 0) == ""


@pytest.mark.parametrize(("higher", "lower"), [(0, 17), (3, 9), (5, 5), (1, 0), (60, 40)])
def test_the_sign_tests_p_is_binomial(higher, lower):
    assert strict_counts.sign_p(higher, lower) == pytest.approx(stats.binomtest(higher, higher + lower).pvalue)


def test_signs_are_counted_by_variant_and_metric_without_equal_means():
    differences = {"TcpLinuxReno": [-1.0] * 10, "TcpCubic": [1.0, -1.0, 2.0, 0.0, None]}
    cells = pl.DataFrame(
        [
            {"implementation": "corrections: all", "variant": variant, "metric": "congestion_loss", "difference": value}
            for variant, values in differences.items()
            for value in values
        ]
    )
    reno, cubic = strict_counts.signs(cells).rows(named=True)
    assert (reno["higher"], reno["lower"], reno["p"]) == (0, 10, 2 / 2**10)
    assert reno["p_after_holm"] == pytest.approx(2 * 2 / 2**10)  # the smaller of two
    assert (cubic["higher"], cubic["lower"], cubic["p"]) == (2, 1, 1.0)
    assert strict_counts.signs(cells.clear()).is_empty()

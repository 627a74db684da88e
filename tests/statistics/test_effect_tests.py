# SPDX-License-Identifier: MIT
"""Tests with an equivalence margin: compared with scipy.stats, and the rate of families with false claims."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from tcpsweep.statistics import effect_tests, significance


def estimates(x, y):
    """Paired runs along the last axis."""
    n, d = x.shape[-1], x - y
    covariance = ((d - d.mean(-1, keepdims=True)) * (y - y.mean(-1, keepdims=True))).sum(-1) / (n - 1) / n
    error, reference_error = (values.std(-1, ddof=1) / n**0.5 for values in (d, y))
    return effect_tests.Estimates(
        d.mean(-1), y.mean(-1), error, reference_error, covariance, np.full(d.shape[:-1], n - 1.0)
    )


def drawn(seed, ratio=1.0, shape=(8,), sd=0.02):
    rng = np.random.default_rng(seed)
    return ratio * (1 + sd * rng.normal(size=shape)), 1 + sd * rng.normal(size=shape)


@pytest.mark.parametrize("ratio", [0.9, 0.99, 1.0, 1.03, 2.0])
def test_the_tests_are_scipys_of_the_contrasts(ratio):
    x, y = drawn(1, ratio)
    beyond, within = effect_tests.p_values(estimates(x, y), 0.02, 0)

    def p(contrast, side):
        return scipy.stats.ttest_1samp(contrast, 0, alternative=side).pvalue

    above, below = x - 1.02 * y, x - 0.98 * y
    assert beyond == pytest.approx(min(1, 2 * min(p(above, "greater"), p(below, "less"))))
    assert within == pytest.approx(max(p(above, "less"), p(below, "greater")))
    # An absolute bound is the classical two one-sided tests of the differences.
    _, within = effect_tests.p_values(estimates(x, y), 0, 0.05)
    assert within == pytest.approx(max(p(x - y - 0.05, "less"), p(x - y + 0.05, "greater")))


def test_fiellers_interval_ends_where_the_contrast_is_just_not_shown_to_differ():
    x, y = drawn(2, 1.3)
    for level in (0.05, 0.001):
        for end in effect_tests.relative_interval(estimates(x, y), level):
            assert scipy.stats.ttest_1samp(x - (1 + end) * y, 0).pvalue == pytest.approx(level)


def test_a_reference_that_may_be_zero_bounds_no_ratio():
    x, y = np.array([1.0, 1.1, 0.9, 1.0]), np.array([0.0, 0.0, 0.0, 0.1])
    assert np.isnan(effect_tests.relative_interval(estimates(x, y), 0.05)).all()
    assert effect_tests.decided(estimates(x[None], y[None]), 0.02, 0).finding.tolist() == [effect_tests.HIGHER]


@given(st.integers(0, 10_000), st.sampled_from([0.9, 0.97, 1.0, 1.01, 1.03, 1.1]), st.sampled_from([0.002, 0.01, 0.05]))
def test_a_finding_is_what_its_interval_says(seed, ratio, sd):
    of = estimates(*drawn(seed, ratio, (6, 8), sd))
    found = effect_tests.decided(of, 0.02, 0)
    low, high = effect_tests.relative_interval(of, found.level)
    assert ((found.finding == effect_tests.HIGHER) == (low > 0.02)).all()
    assert ((found.finding == effect_tests.LOWER) == (high < -0.02)).all()
    same = found.finding == effect_tests.SAME
    assert ((low[same] > -0.02) & (high[same] < 0.02)).all()
    undecided = found.finding == effect_tests.UNDECIDED
    crosses = ((low < -0.02) & (high > -0.02)) | ((low < 0.02) & (high > 0.02))
    assert crosses[undecided].all()


def test_an_undecided_effect_among_many_clear_ones_has_an_interval_that_crosses_the_bound():
    family = effect_tests.Estimates(
        *(np.array([value] * 99 + [last]) for value, last in [(0.5, 0.0), (1.0, 1.0), (0.001, 0.006), (0.0, 0.0)]),
        np.zeros(100),
        np.full(100, 9.0),
    )
    found = effect_tests.decided(family, 0.02, 0)
    low, high = effect_tests.relative_interval(family, found.level)
    assert found.finding[-1] == effect_tests.UNDECIDED
    assert low[-1] < -0.02 < 0.02 < high[-1]


def test_values_that_are_equal_in_every_run_are_equivalent():
    found = effect_tests.decided(estimates(np.zeros((1, 6)), np.zeros((1, 6))), 0.02, 0)
    assert (found.finding.tolist(), found.beyond_p.tolist()) == ([effect_tests.SAME], [1])


def test_holms_correction_by_its_definition_worked_by_hand():
    # The example of Wikipedia's "Holm–Bonferroni method": 0.005 and 0.01 are rejected at 5 %, the others are not.
    adjusted, levels = significance.holm([0.01, 0.04, 0.03, 0.005])
    assert adjusted == pytest.approx([0.03, 0.06, 0.06, 0.02])
    # 0.005 ≤ 0.05/4, 0.01 ≤ 0.05/3, 0.03 > 0.05/2: the last two are compared with 0.05/2.
    assert levels == pytest.approx([0.05 / 3, 0.05 / 2, 0.05 / 2, 0.05 / 4])


@given(st.lists(st.floats(1e-9, 1), min_size=1, max_size=20))
def test_holm_shows_what_its_levels_say_and_all_that_bonferroni_shows(p):
    adjusted, levels = significance.holm(p)
    assert ((adjusted <= 0.05) == (np.array(p) <= levels)).all()
    assert (adjusted <= np.minimum(1, np.array(p) * len(p)) + 1e-12).all()
    assert (adjusted >= p).all()


def test_holms_correction_of_many_families_is_that_of_each():
    p = np.random.default_rng(3).random((5, 7)) ** 4
    adjusted, levels = significance.holm(p)
    for row, of_adjusted, of_levels in zip(p, adjusted, levels, strict=True):
        assert np.array_equal(significance.holm(row), (of_adjusted, of_levels))


SHOWN, NOT_HIGHER = (effect_tests.HIGHER, effect_tests.LOWER), (effect_tests.SAME, effect_tests.LOWER)


@pytest.mark.parametrize("runs", [5, 10])
@pytest.mark.parametrize(
    ("ratio", "false"), [*((ratio, SHOWN) for ratio in (1.0, 1.01, 1.02)), (1.02, NOT_HIGHER), (1.04, NOT_HIGHER)]
)
def test_a_twentieth_of_families_at_most_holds_a_false_claim(runs, ratio, false):
    # 2000 families of 30: the binomial's standard error is 0.5 percentage points; three of them are allowed.
    of = estimates(*drawn(4, ratio, (2000, 30, runs)))
    wrong = np.isin(effect_tests.decided(of, 0.02, 0).finding, false).any(-1).mean()
    assert wrong <= 0.05 + 3 * 0.005


def test_where_a_share_and_a_value_are_the_same_bound_no_more_than_a_twentieth_are_falsely_the_same():
    # A loss of 1 % of packets: 10 % of it is 0.1 points. The true difference is just that, and "same" is false.
    # The runs of a pair are similar, so that the reference's mean is less certain than the difference.
    rng = np.random.default_rng(5)
    y = 0.01 + 0.002 * rng.normal(size=(20_000, 10))
    x = y + 0.001 + 0.0001 * rng.normal(size=y.shape)
    _, within = effect_tests.p_values(estimates(x, y), 0.1, 0.001)
    assert (within <= 0.05).mean() <= 0.05 + 3 * (0.05 * 0.95 / 20_000) ** 0.5


def test_the_larger_of_a_share_and_a_value_is_the_bound():
    x, y = drawn(6, 1.03, (8,), 0.001)
    of = estimates(x, y)
    for share, value in ((0.1, 0.001), (0.001, 0.1)):
        larger = (share, 0) if share > value else (0, value)
        assert effect_tests.p_values(of, share, value) == effect_tests.p_values(of, *larger)


def test_p_values_far_below_the_rounding_of_one_are_kept():
    x, y = drawn(7, 3.0, (40,), 0.01)
    beyond, _ = effect_tests.p_values(estimates(x, y), 0.02, 0)
    above = scipy.stats.ttest_1samp(x - 1.02 * y, 0, alternative="greater").pvalue
    assert 0 < beyond < 1e-30
    assert beyond == pytest.approx(2 * above)

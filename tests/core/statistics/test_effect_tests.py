# SPDX-License-Identifier: MIT
"""Tests with an equivalence margin: compared with scipy.stats, and the rate of families with false claims."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from tcpsweep.core.statistics import effect_tests, exact_tests, significance
from tcpsweep.core.statistics.effect_tests import Bound
from tcpsweep.core.statistics.exact_tests import Runs
from tcpsweep.core.words import thresholds


def estimates(x, y):
    """Paired runs along the last axis."""
    n, d = x.shape[-1], x - y
    covariance = ((d - d.mean(-1, keepdims=True)) * (y - y.mean(-1, keepdims=True))).sum(-1) / (n - 1) / n
    error, reference_error = (values.std(-1, ddof=1) / n**0.5 for values in (d, y))
    return effect_tests.Estimates(
        d.mean(-1), y.mean(-1), error, reference_error, covariance, np.full(d.shape[:-1], n - 1.0)
    )


def p_values(x, y, *bound):
    return effect_tests.p_values(estimates(x, y), Runs(x, y), Bound(*bound))


def decided(x, y, *bound):
    return effect_tests.decided(estimates(x, y), Runs(x, y), Bound(*bound) if bound else Bound(0.02, 0))


def drawn(seed, ratio=1.0, shape=(8,), sd=0.02):
    rng = np.random.default_rng(seed)
    return ratio * (1 + sd * rng.normal(size=shape)), 1 + sd * rng.normal(size=shape)


@pytest.mark.parametrize("ratio", [0.9, 0.99, 1.0, 1.03, 2.0])
def test_the_tests_are_scipys_of_the_contrasts(ratio):
    x, y = drawn(1, ratio, (thresholds.LEAST_ALIKE,))
    beyond, within = p_values(x, y, 0.02, 0)

    def p(contrast, side):
        return scipy.stats.ttest_1samp(contrast, 0, alternative=side).pvalue

    def larger_p(contrast, side):
        return max(p(contrast, side), scipy.stats.wilcoxon(contrast, alternative=side, method="exact").pvalue)

    above, below = x - 1.02 * y, x - 0.98 * y
    assert beyond == pytest.approx(min(1, 2 * min(larger_p(above, "greater"), larger_p(below, "less"))))
    assert within == pytest.approx(max(p(above, "less"), p(below, "greater")))
    # An absolute bound is the classical two one-sided tests of the differences.
    _, within = p_values(x, y, 0, 0.05)
    assert within == pytest.approx(max(p(x - y - 0.05, "less"), p(x - y + 0.05, "greater")))


def test_fiellers_interval_ends_where_the_contrast_is_just_not_shown_to_differ():
    x, y = drawn(2, 1.3)
    for level in (0.05, 0.001):
        for end in effect_tests.relative_interval(estimates(x, y), level):
            assert scipy.stats.ttest_1samp(x - (1 + end) * y, 0).pvalue == pytest.approx(level)


def test_a_reference_that_may_be_zero_bounds_no_ratio():
    x, y = np.array([1.0, 1.1, 0.9, 1.0, 1.0, 1.0]), np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.1])
    assert np.isnan(effect_tests.relative_interval(estimates(x, y), 0.05)).all()
    assert decided(x[None], y[None]).finding.tolist() == [effect_tests.HIGHER]


@given(st.integers(0, 10_000), st.sampled_from([0.9, 0.97, 1.0, 1.01, 1.03, 1.1]), st.sampled_from([0.002, 0.01, 0.05]))
def test_a_finding_is_what_its_interval_says(seed, ratio, sd):
    x, y = drawn(seed, ratio, (6, 15), sd)
    found = decided(x, y)
    low, high = effect_tests.relative_interval(estimates(x, y), found.level)
    # 15 pairs carry all of the six comparisons, so the exact test refuses only pairs of both signs.
    both_signs = ((x > 1.02 * y).any(-1) & (x < 1.02 * y).any(-1)) | ((x > 0.98 * y).any(-1) & (x < 0.98 * y).any(-1))
    for code, beyond in ((effect_tests.HIGHER, low > 0.02), (effect_tests.LOWER, high < -0.02)):
        assert beyond[found.finding == code].all()
        assert (found.finding == code)[beyond & ~both_signs].all()
    same = found.finding == effect_tests.SAME
    assert ((low[same] > -0.02) & (high[same] < 0.02)).all()
    undecided = found.finding == effect_tests.UNDECIDED
    crosses = ((low < -0.02) & (high > -0.02)) | ((low < 0.02) & (high > 0.02))
    assert crosses[undecided & ~both_signs].all()


def test_an_undecided_effect_among_many_clear_ones_has_an_interval_that_crosses_the_bound():
    family = effect_tests.Estimates(
        *(np.array([value] * 99 + [last]) for value, last in [(0.5, 0.0), (1.0, 1.0), (0.001, 0.006), (0.0, 0.0)]),
        np.zeros(100),
        np.full(100, 13.0),
    )
    y = np.ones((100, 14))
    x = np.where(np.arange(100)[:, None] < 99, 1.5 * y, 1 + 0.006 * 14**0.5 * np.where(np.arange(14) % 2, 1, -1))
    found = effect_tests.decided(family, Runs(x, y), Bound(0.02, 0))
    low, high = effect_tests.relative_interval(family, found.level)
    assert found.finding[-1] == effect_tests.UNDECIDED
    assert low[-1] < -0.02 < 0.02 < high[-1]


def test_values_that_are_equal_in_every_run_are_equivalent():
    for runs, finding in ((thresholds.LEAST_ALIKE, effect_tests.SAME), (13, effect_tests.TOO_FEW)):
        found = decided(np.zeros((1, runs)), np.zeros((1, runs)))
        assert (found.finding.tolist(), found.beyond_p.tolist()) == ([finding], [1])


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


@pytest.mark.parametrize("runs", [11, 14])
@pytest.mark.parametrize(
    ("ratio", "false"), [*((ratio, SHOWN) for ratio in (1.0, 1.01, 1.02)), (1.02, NOT_HIGHER), (1.04, NOT_HIGHER)]
)
def test_a_twentieth_of_families_at_most_holds_a_false_claim(runs, ratio, false):
    # 2000 families of 30: the binomial's standard error is 0.5 percentage points; three of them are allowed.
    wrong = np.isin(decided(*drawn(4, ratio, (2000, 30, runs))).finding, false).any(-1).mean()
    assert wrong <= 0.05 + 3 * 0.005


def test_where_a_share_and_a_value_are_the_same_bound_no_more_than_a_twentieth_are_falsely_the_same():
    # A loss of 1 % of packets: 10 % of it is 0.1 points. The true difference is just that, and "same" is false.
    # The runs of a pair are similar, so that the reference's mean is less certain than the difference.
    rng = np.random.default_rng(5)
    y = 0.01 + 0.002 * rng.normal(size=(20_000, thresholds.LEAST_ALIKE))
    x = y + 0.001 + 0.0001 * rng.normal(size=y.shape)
    _, within = p_values(x, y, 0.1, 0.001)
    assert (within <= 0.05).mean() <= 0.05 + 3 * (0.05 * 0.95 / 20_000) ** 0.5


def test_the_larger_of_a_share_and_a_value_is_the_bound():
    x, y = drawn(6, 1.03, (8,), 0.001)
    for share, value in ((0.1, 0.001), (0.001, 0.1)):
        larger = (share, 0) if share > value else (0, value)
        assert p_values(x, y, share, value) == p_values(x, y, *larger)


def test_a_share_of_the_distance_to_one_is_a_bound_too():
    # Of x and y, the same as of 1 − x and 1 − y with a share of their own size.
    rng = np.random.default_rng(13)
    y = 0.9 + 0.01 * rng.normal(size=(200, 14))
    x = y + 0.01 * rng.normal(size=(200, 14)) + np.linspace(-0.03, 0.03, 200)[:, None]
    of_x, of_one_minus_x = p_values(x, y, 0.1, 0, 1), p_values(1 - x, 1 - y, 0.1, 0)
    assert np.allclose(of_x, of_one_minus_x, rtol=1e-9)
    assert 0.1 < (of_x[0] <= 0.05).mean() < 0.9


def test_p_values_far_below_the_rounding_of_one_are_kept():
    x, y = drawn(7, 3.0, (70,), 0.01)
    beyond, _ = p_values(x, y, 0.02, 0)
    assert scipy.stats.ttest_1samp(x - 1.02 * y, 0, alternative="greater").pvalue < 1e-30
    assert beyond == 2.0**-69  # all 70 pairs on one side: the signed-rank test's smallest p


# Data in which chance chooses the outcome: the rates are those of docs/verdict-errors.md.
def coin(rng, shape, noise=0.01):
    """Two variants of a mix of which a coin chooses the winner, 80 to 20: there is no difference."""
    wins = rng.random(shape) < 0.5
    return tuple(np.where(own, 80, 20) * (1 + noise * rng.normal(size=shape)) for own in (wins, ~wins))


def two_modes(rng, shape):
    """Two equal variants, each with 0.5 or 0.9 in a run."""
    return tuple(np.where(rng.random(shape) < 0.5, 0.5, 0.9) * (1 + 0.01 * rng.normal(size=shape)) for _ in "xy")


def with_rare(rng, shape, share):
    """Jain's index of 0.6 in a share of the variant's runs, 0.999 in all others and in the reference's."""
    y = 0.999 * (1 + 0.0005 * rng.normal(size=shape))
    return np.where(rng.random(shape) < share, 0.6, 0.999 * (1 + 0.0005 * rng.normal(size=shape))), y


@pytest.mark.parametrize("draw", [coin, two_modes])
@pytest.mark.parametrize("size", [1, 12, 84])
@pytest.mark.parametrize("runs", [5, 8, 12, 14])
def test_where_a_coin_chooses_the_winner_a_twentieth_of_families_at_most_holds_a_false_difference(draw, size, runs):
    # 400 families: three standard errors of the binomial are 3.3 percentage points.
    found = decided(*draw(np.random.default_rng(8), (400, size, runs))).finding
    assert np.isin(found, SHOWN).any(-1).mean() <= 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5


def test_separate_samples_of_two_modes_are_seldom_called_different():
    # The samples have no pairs: the rank-sum test, whose least p of 5 and 5 runs is 2 / 252.
    x, y = two_modes(np.random.default_rng(9), (20_000, 5))
    assert exact_tests.least_p(Runs(x[:1], y[:1], are_pairs=False)) == pytest.approx(2 / 252)
    above, below = exact_tests.larger_p(Runs(x, y, are_pairs=False), 0, 0)
    assert (2 * np.minimum(above, below) <= 0.05).mean() <= 0.05


@pytest.mark.parametrize("runs", [5, 10, 14, 20])
def test_runs_of_which_one_in_five_is_elsewhere_are_called_equivalent_in_a_twentieth_at_most(runs):
    found = decided(*with_rare(np.random.default_rng(10), (4000, 1, runs), 0.2)).finding
    assert (found == effect_tests.SAME).mean() <= 0.05 + 3 * (0.05 * 0.95 / 4000) ** 0.5
    # All runs of 14 are alike with probability 0.8^14 = 4.4 %.
    assert thresholds.LEAST_ALIKE == 14


def test_the_least_number_of_pairs_follows_from_the_number_of_comparisons():
    # n pairs carry at most 0.05 · 2^(n − 1) comparisons.
    assert [thresholds.least_pairs(size) for size in (1, 6, 7, 25, 26, 84, 102, 103)] == [6, 8, 9, 10, 11, 12, 12, 13]
    for size in (1, 6, 25, 84):
        pairs = thresholds.least_pairs(size)
        shown = [
            decided(*(np.full((size, n), value) + 1e-6 * np.arange(n) for value in (2.0, 1.0))).finding
            for n in (pairs - 1, pairs)
        ]
        assert [set(found.tolist()) for found in shown] == [{effect_tests.TOO_FEW}, {effect_tests.HIGHER}]


def test_rank_tests_are_scipys_exact_ones():
    rng = np.random.default_rng(11)
    for n, m in ((5, 5), (8, 11), (20, 14)):
        x, y = rng.normal(0.4, 1, n), rng.normal(0, 1, m)
        pairs = exact_tests.larger_p(Runs(x, x[::-1] / 2), 0, 0)
        separate = exact_tests.larger_p(Runs(x, y, are_pairs=False), 0, 0)
        for p, of_separate, side in zip(pairs, separate, ("greater", "less"), strict=True):
            assert p == pytest.approx(scipy.stats.wilcoxon(x, x[::-1] / 2, alternative=side, method="exact").pvalue)
            expected = scipy.stats.mannwhitneyu(x, y, alternative=side, method="exact").pvalue
            assert of_separate == pytest.approx(expected)
    # Rows with fewer runs are filled with NaN.
    padded = Runs(np.append(x, np.nan), np.append(x[::-1] / 2, np.nan))
    assert [*map(float, exact_tests.larger_p(padded, 0, 0))] == pytest.approx([*map(float, pairs)])


def needed(effect, sd, comparisons):
    """The pairs that one comparison of a family needs, from the true values; the sides vary by ``sd`` each."""
    one, pairs = np.ones(1), 20
    errors = np.sqrt(2) * sd * one / pairs**0.5, sd * one / pairs**0.5, -(sd**2) * one / pairs
    of = effect_tests.Estimates(effect * one, one, *errors, (pairs - 1) * one)
    return effect_tests.runs_needed(
        of, Runs(np.ones((1, pairs)), np.ones((1, pairs))), Bound(0.02, 0), comparisons
    ).item()


@pytest.mark.parametrize("comparisons", [1, 84])
@pytest.mark.parametrize(("effect", "sd"), [(0.1, 0.05), (0.05, 0.01), (0.0, 0.01), (0.01, 0.01), (0.5, 0.02)])
def test_the_runs_needed_decide_a_comparison_with_a_power_of_nine_tenths(comparisons, effect, sd):
    runs = int(needed(effect, sd, comparisons))
    x, y = 1 + sd * np.random.default_rng(12).normal(size=(2, 3000, runs))
    x += effect
    beyond, within = p_values(x, y, 0.02, 0)
    power = ((beyond if effect > 0.02 else within) * comparisons <= 0.05).mean()
    assert power >= 0.87  # the approximation, and three standard errors of 0.5 percentage points


def test_the_runs_needed_are_those_of_the_verdict_and_not_of_an_interval():
    # Equal variants whose differences vary by 30 %: (z.95 + z.95)² · (30 / 2)² = 2435.
    assert needed(0.0, 0.3 / 2**0.5, 1) == pytest.approx(2435, rel=0.01)
    # Never below the two rules; unknown for an effect of just the bound.
    assert [needed(0.5, 0.001, size) for size in (1, 84)] == [6, 12]
    assert needed(0.0, 0.0001, 1) == 14
    assert np.isnan(needed(0.02, 0.01, 1))

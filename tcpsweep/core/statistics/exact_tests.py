# SPDX-License-Identifier: MIT
"""Exact tests that one side is larger: they need no normal distribution, and few runs never give a small p.

A t-test of few runs relies on the tails of the normal distribution. If chance chooses one of two winners in each run,
n runs of one sign look like a sure difference, and happen with probability 2^(1 − n). A rank test knows this
probability. Pairs have the signed-rank test, and separate samples the rank-sum test.

Wilcoxon: Individual Comparisons by Ranking Methods. Biometrics Bulletin 1(6), 1945.
Mann and Whitney: On a Test of Whether one of Two Random Variables is Stochastically Larger than the Other. The Annals
of Mathematical Statistics 18(1), 1947. It has the recursion for the number of ways.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[np.int64]


class Runs(NamedTuple):
    """The runs of two sides, along the last axis; NaN fills rows that have fewer runs.

    If they are pairs, run i of one side belongs to run i of the other.
    """

    variant: Numbers
    reference: Numbers
    are_pairs: bool = True

    @property
    def counts(self) -> tuple[Counts, Counts]:
        """The numbers of runs of both sides."""
        variant, reference = ((~np.isnan(side)).sum(axis=-1) for side in (self.variant, self.reference))
        return variant, reference


def larger_p(runs: Runs, share: Numbers | float, absolute: Numbers | float) -> tuple[Numbers, Numbers]:
    """The one-sided p-values that the variant's runs exceed a bound, and that they are below it.

    The bound is (1 + share) · reference + absolute. Runs at the bound count against both claims.

    Returns
    -------
    above, below : array
    """
    bound = (1 + np.asarray(share)[..., None]) * runs.reference + np.asarray(absolute)[..., None]
    test = _signed_rank if runs.are_pairs else _rank_sum
    return test(runs.variant, bound), test(-runs.variant, -bound)


def least_p(runs: Runs) -> Numbers:
    """The smallest two-sided p-value that so many runs can have.

    It is 2^(1 − n) for n pairs. For samples of n and m runs, it is twice the reciprocal of the number of ways to choose
    n of n + m.
    """
    variant, reference = runs.counts
    if runs.are_pairs:
        p: Numbers = np.exp2(1.0 - variant)
        return p
    from scipy.special import gammaln

    ways = gammaln(variant + reference + 1) - gammaln(variant + 1) - gammaln(reference + 1)
    p = 2 * np.exp(-ways)
    return p


def _signed_rank(x: Numbers, bound: Numbers) -> Numbers:
    """The exact p-value of Wilcoxon's signed-rank test that x exceeds its bound, in pairs along the last axis.

    Equal sizes are ordered against the claim, which makes p larger.
    """
    excess = x - bound
    against = excess <= 0  # false where there is no pair
    order = np.lexsort((against, np.abs(excess)), axis=-1)  # pairs that are missing come last
    ranks = np.arange(1, excess.shape[-1] + 1)
    ranks_against = (np.take_along_axis(against, order, axis=-1) * ranks).sum(axis=-1)
    return _p_of_rows(ranks_against, (~np.isnan(excess)).sum(axis=-1), _signed_rank_p)


def _rank_sum(x: Numbers, bound: Numbers) -> Numbers:
    """The exact p-value of the rank-sum test that x exceeds the bounds, in separate samples along the last axis."""
    against = (x[..., :, None] <= bound[..., None, :]).sum(axis=(-2, -1))
    n, m = ((~np.isnan(side)).sum(axis=-1) for side in (x, bound))
    base = int(m.max(initial=0)) + 1
    return _p_of_rows(against, n * base + m, lambda packed: _rank_sum_p(*divmod(packed, base)))


def _p_of_rows(statistic: Counts, sample: Counts, p_of_statistic: Callable[[int], Numbers]) -> Numbers:
    """The p-value of each row's statistic: ``p_of_statistic`` gives a table of them for a row's number in ``sample``.

    ``sample`` is the number of pairs or, of two samples, one number that stands for both sizes.
    """
    p = np.ones(statistic.shape)
    for number in np.unique(sample):
        rows = sample == number
        p[rows] = p_of_statistic(int(number))[statistic[rows]]
    return p


@functools.cache
def _signed_rank_p(n: int) -> Numbers:
    """P(W ≤ w) for w = 0, 1, …: W is the sum of a random subset of the ranks 1 to n."""
    probability = np.zeros(n * (n + 1) // 2 + 1)
    probability[0] = 1.0
    for rank in range(1, n + 1):
        moved = np.concatenate((np.zeros(rank), probability[:-rank]))
        probability = (probability + moved) / 2
    return np.minimum(1, np.cumsum(probability))


@functools.cache
def _rank_sum_p(n: int, m: int) -> Numbers:
    """P(U ≤ u) for u = 0, 1, …: U counts the pairs of n and m equal runs in which the first is not larger."""
    distributions: dict[int, Numbers] = {}
    for first in range(n + 1):
        one_fewer = dict(distributions)  # of one run fewer in the first sample
        for second in range(m + 1):
            probability = np.zeros(first * second + 1)
            if not first or not second:
                probability[0] = 1.0
            else:
                # The largest of all runs is one of the first sample, or of the second.
                share = first / (first + second)
                if_first, if_second = one_fewer[second], distributions[second - 1]
                probability[: if_first.size] += share * if_first
                probability[first : first + if_second.size] += (1 - share) * if_second
            distributions[second] = probability
    return np.minimum(1, np.cumsum(distributions[m]))

# SPDX-License-Identifier: MIT
"""Tests of an effect against the smallest effect of interest: shown to be beyond it, or shown to be within it.

The bound on the difference of two means is the larger of ``share`` of the reference's distance from ``origin`` and
``absolute``. The origin is 0, or 1 for an index of at most 1. The reference's mean is an estimate too. So
x − y ≥ share · y is tested as the contrast x − (1 + share) · y. Its variance follows from the variances of the
difference and of the reference, and their covariance (Fieller).

Fieller: Some Problems in Interval Estimation. Journal of the Royal Statistical Society B 16(2), 1954.
Schuirmann: A Comparison of the Two One-Sided Tests Procedure and the Power Approach for Assessing the Equivalence of
Average Bioavailability. Journal of Pharmacokinetics and Biopharmaceutics 15(6), 1987.
Murphy and Myors: Testing the Hypothesis That Treatments Have Negligible Effects: Minimum-Effect Tests in the General
Linear Model. Journal of Applied Psychology 84(2), 1999.

Two rules keep few runs from a verdict. An effect beyond the bound must also pass an exact test of `exact_tests`. An
effect within the bound needs `LEAST_ALIKE` runs of each side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from tcpsweep.core.statistics import exact_tests, significance
from tcpsweep.core.statistics.exact_tests import Runs
from tcpsweep.core.statistics.means import CONFIDENCE
from tcpsweep.core.words.thresholds import LEAST_ALIKE, least_pairs

Numbers: TypeAlias = npt.NDArray[np.float64]

HIGHER, LOWER, SAME, UNDECIDED, TOO_FEW = 1, -1, 2, 0, 3
POWER = 0.9  # of the runs that `runs_needed` says
MOST_NEEDED = 1_000_000  # runs, beyond which their number is unknown


@dataclass(frozen=True)
class Estimates:
    """Differences of two means and their reference's mean, arrays of one shape; the last axis is a family.

    Attributes
    ----------
    difference, reference : array
        The means.
    error, reference_error : array
        Their standard errors.
    covariance : array
        The covariance of the two means.
    degrees : array
        The degrees of freedom of the errors.
    """

    difference: Numbers
    reference: Numbers
    error: Numbers
    reference_error: Numbers
    covariance: Numbers
    degrees: Numbers


class Bound(NamedTuple):
    """The smallest effect of interest, arrays of the shape of `Estimates`, or numbers.

    Attributes
    ----------
    share, absolute : array or float
        The two bounds, at least 0, of which the larger one counts.
    origin : array or float
        The share is of the reference's distance from it: 0, or the largest value that the metric can have.
    """

    share: Numbers | float
    absolute: Numbers | float
    origin: Numbers | float = 0.0

    def at(self, reference: Numbers) -> Numbers:
        """The bound at the reference's mean."""
        bound: Numbers = np.maximum(self.share * np.abs(reference - self.origin), self.absolute)
        return bound


@dataclass(frozen=True)
class Decisions:
    """The results of a family of comparisons; arrays of the shape of its `Estimates`.

    Attributes
    ----------
    beyond_p, within_p : array
        The p-values of the tests that the effect is beyond the bound, on either side, and that it is within it.
    beyond_holm, within_holm : array
        The same, corrected for the family.
    finding : array of int
        `HIGHER`, `LOWER`, `SAME`, `UNDECIDED` or `TOO_FEW`: so few runs do not allow the claim that the estimate
        suggests.
    level : array
        The two-sided level of the interval that the finding follows from. The interval is beyond the bound if the
        finding is `HIGHER` or `LOWER`, and within the bound if it is `SAME`.
    """

    beyond_p: Numbers
    within_p: Numbers
    beyond_holm: Numbers
    within_holm: Numbers
    finding: npt.NDArray[np.int8]
    level: Numbers


def _t_value(estimates: Estimates, share: Numbers | float, absolute: Numbers | float) -> Numbers:
    """Student's t of the contrast difference − share · reference − absolute; 0 where the contrast is 0."""
    margin = estimates.difference - share * estimates.reference - absolute
    variance = estimates.error**2 - 2 * share * estimates.covariance + (share * estimates.reference_error) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        t: Numbers = np.where(margin == 0, 0.0, margin / np.sqrt(np.maximum(variance, 0)))
    return t


def _which_may_be_larger(
    estimates: Estimates, share: Numbers, absolute: Numbers, origin: Numbers
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Whether the share of the reference's distance may be the larger bound, and whether the value may be.

    Both may be, if the 95 % interval of the reference's mean holds the mean at which the two are equal.
    """
    from scipy.special import stdtrit

    share_bound = share * np.abs(estimates.reference - origin)
    half_width = stdtrit(estimates.degrees, (1 + CONFIDENCE) / 2) * share * estimates.reference_error
    either_may_be = (np.abs(share_bound - absolute) <= half_width) & (np.minimum(share, absolute) > 0)
    is_share = share_bound >= absolute
    return is_share | either_may_be, ~is_share | either_may_be


def _bounds_in_question(estimates: Estimates, bound: Bound) -> Iterator[tuple[npt.NDArray[np.bool_], Numbers, Numbers]]:
    """The two bounds that may count, each a share of the reference plus a value, and where each may."""
    share, absolute, origin = (np.broadcast_to(np.asarray(field, float), estimates.difference.shape) for field in bound)
    share_may_be, value_may_be = _which_may_be_larger(estimates, share, absolute, origin)
    yield share_may_be, np.where(origin > 0, -share, share), share * origin
    yield value_may_be, np.zeros_like(share), absolute


def p_values(estimates: Estimates, runs: Runs, bound: Bound) -> tuple[Numbers, Numbers]:
    """The p-values of an effect beyond the bound, and of one within it.

    Beyond: twice the smaller of the one-sided p-values for an effect above the upper bound and below the lower bound.
    Each of these is the larger of the t-test's and the exact test's.
    Within: the larger of the one-sided p-values for an effect below the upper bound and above the lower bound, the two
    one-sided tests of Schuirmann. It is 1 for fewer than `LEAST_ALIKE` runs of a side.

    If either of the bound's share and value may be the larger one, each p-value is the larger of the two.
    """
    from scipy.special import stdtr

    beyond, within = np.zeros(estimates.difference.shape), np.zeros(estimates.difference.shape)
    for may_be, share, absolute in _bounds_in_question(estimates, bound):
        upper, lower = _t_value(estimates, share, absolute), _t_value(estimates, -share, -absolute)
        above = np.maximum(stdtr(estimates.degrees, -upper), exact_tests.larger_p(runs, share, absolute)[0])
        below = np.maximum(stdtr(estimates.degrees, lower), exact_tests.larger_p(runs, -share, -absolute)[1])
        beyond_p = np.minimum(1, 2 * np.minimum(above, below))
        within_p = np.maximum(stdtr(estimates.degrees, upper), stdtr(estimates.degrees, -lower))
        beyond = np.where(may_be, np.maximum(beyond, beyond_p), beyond)
        within = np.where(may_be, np.maximum(within, within_p), within)
    # A difference that is 0 in every run is within any bound, even a bound of 0.
    identical = (estimates.difference == 0) & (estimates.error == 0)
    within = np.where(_are_enough_alike(runs), np.where(identical, 0, within), 1)
    return np.where(identical, 1, beyond), within


def _are_enough_alike(runs: Runs) -> npt.NDArray[np.bool_]:
    are_enough: npt.NDArray[np.bool_] = np.minimum(*runs.counts) >= LEAST_ALIKE
    return are_enough


def decided(
    estimates: Estimates,
    runs: Runs,
    bound: Bound,
    level: float = 1 - CONFIDENCE,
    size: int | None = None,
) -> Decisions:
    """The results of each comparison of a family; Holm's method corrects each of the two kinds of claims.

    An effect is called higher or lower only if it is shown to be beyond the bound. It is called the same only if it is
    shown to be within the bound, by at least `LEAST_ALIKE` runs of each side. At most ``level`` of families contain a
    false `HIGHER` or `LOWER`, and at most ``level`` a false `SAME`.

    Parameters
    ----------
    runs : Runs
        The runs from which the estimates are.
    bound : Bound
        The smallest effect of interest.
    size : int, optional
        The number of comparisons in the family, if some of them could not be tested.
    """
    beyond, within = p_values(estimates, runs, bound)
    beyond_holm, beyond_level = significance.holm(beyond, level, size)
    within_holm, within_level = significance.holm(within, level, size)
    is_same = within_holm <= level
    family_size = estimates.difference.shape[-1] if size is None else size
    may_differ = exact_tests.least_p(runs) * family_size <= level
    is_beyond = np.abs(estimates.difference) > bound.at(estimates.reference)
    unshown = np.where(np.where(is_beyond, may_differ, _are_enough_alike(runs)), UNDECIDED, TOO_FEW)
    direction = np.where(estimates.difference > 0, HIGHER, LOWER)
    finding = np.where(beyond_holm <= level, direction, np.where(is_same, SAME, unshown)).astype(np.int8)
    # The two one-sided tests at 5 % are the two ends of an interval of 90 %. The interval of an undecided comparison
    # has the level of the stricter test, so that it shows neither claim.
    same_levels = np.minimum(1, 2 * within_level)
    levels = np.where(finding == unshown, np.minimum(beyond_level, same_levels), beyond_level)
    levels = np.where(finding == SAME, same_levels, levels)
    return Decisions(beyond, within, beyond_holm, within_holm, finding, levels)


def runs_needed(estimates: Estimates, runs: Runs, bound: Bound, comparisons: int) -> Numbers:
    """The pairs with which a comparison would be decided with a probability of `POWER`; NaN where it is unknown.

    An estimate beyond the bound asks for a finding beyond it, any other for one within it. Estimates and spread count
    as the truth. The level is that of the first of ``comparisons``. The power of a t-test is P(T > t) of the noncentral
    t distribution, by the approximation 26.7.10 of Abramowitz and Stegun, Handbook of Mathematical Functions, 1964. The
    signed-rank test's efficiency is that of Lehmann, Nonparametrics, 1975.

    The number is at least what the two rules for few runs need. It is unknown above `MOST_NEEDED`.
    """
    alpha = (1 - CONFIDENCE) / max(1, comparisons)
    needed = np.zeros(estimates.difference.shape)
    for may_be, share, absolute in _bounds_in_question(estimates, bound):
        with np.errstate(divide="ignore", invalid="ignore"):  # t is the signal of one pair, times √n
            above, below = (
                sign * _t_value(estimates, sign * share, sign * absolute) / np.sqrt(runs.counts[0]) for sign in (1, -1)
            )
        signals = above, below, np.maximum(above, below) > 0
        least = np.where(signals[2], least_pairs(comparisons), LEAST_ALIKE).astype(float)
        needed = np.where(may_be, np.maximum(needed, _least_pairs(*signals, alpha, least)), needed)
    return np.where(np.isfinite(needed), needed, np.nan)


def _least_pairs(
    above: Numbers, below: Numbers, is_beyond: npt.NDArray[np.bool_], alpha: float, least: Numbers
) -> Numbers:
    """The least number of pairs with `POWER`, from ``least`` on; infinite above `MOST_NEEDED`, or if unknown.

    ``above`` and ``below`` are the signals of one pair, beyond the upper and beyond the lower bound.
    """
    from scipy.special import ndtr

    def is_short(pairs: Numbers) -> npt.NDArray[np.bool_]:
        signal = np.maximum(above, below)
        # The exact test needs all of the fewest pairs on one side, and has an efficiency of 3 / π for normal data.
        all_agree = np.where(pairs > least, 1, ndtr(signal) ** pairs)
        beyond_power = np.minimum(_t_power((3 / np.pi) ** 0.5 * signal, pairs, alpha / 2), all_agree)
        within_power = _t_power(-above, pairs, alpha) + _t_power(-below, pairs, alpha) - 1
        lacks_power: npt.NDArray[np.bool_] = ~(np.where(is_beyond, beyond_power, within_power) >= POWER)
        return lacks_power

    enough, too_few = least, least - 1
    while (grows := is_short(enough) & (enough < MOST_NEEDED)).any():
        too_few, enough = np.where(grows, enough, too_few), np.where(grows, 2 * enough, enough)
    while (is_open := enough - too_few > 1).any():
        middle = np.floor((too_few + enough) / 2)
        short = is_short(middle)
        too_few, enough = np.where(is_open & short, middle, too_few), np.where(is_open & ~short, middle, enough)
    return np.where(is_short(enough), np.inf, enough)


def _t_power(signal: Numbers, pairs: Numbers, alpha: float) -> Numbers:
    """The power of a one-sided t-test at ``alpha``, if the mean is ``signal`` standard deviations."""
    from scipy.special import ndtr, stdtrit

    degrees = pairs - 1
    t = stdtrit(degrees, 1 - alpha)
    power: Numbers = ndtr((signal * np.sqrt(pairs) - t * (1 - 1 / (4 * degrees))) / np.sqrt(1 + t**2 / (2 * degrees)))
    return power


def relative_interval(estimates: Estimates, level: Numbers | float) -> tuple[Numbers, Numbers]:
    """Fieller's interval of confidence 1 − level of difference / reference.

    It holds the shares s for which the contrast difference − s · reference is not shown to differ from 0.

    Returns
    -------
    low, high : array
        NaN where the reference's mean is not shown to be above 0, so that the ratio has no bounds.
    """
    from scipy.special import stdtrit

    t = stdtrit(estimates.degrees, 1 - np.asarray(level) / 2)
    a = estimates.reference**2 - (t * estimates.reference_error) ** 2
    b = estimates.difference * estimates.reference - t**2 * estimates.covariance
    c = estimates.difference**2 - (t * estimates.error) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(np.maximum(b**2 - a * c, 0))
        is_bounded = (a > 0) & (estimates.reference > 0)
        low, high = np.where(is_bounded, (b - root) / a, np.nan), np.where(is_bounded, (b + root) / a, np.nan)
    return low, high


def interval(estimates: Estimates, level: Numbers | float) -> tuple[Numbers, Numbers]:
    """Student's interval of confidence 1 − level of the difference: its ends."""
    from scipy.special import stdtrit

    half_width = stdtrit(estimates.degrees, 1 - np.asarray(level) / 2) * estimates.error
    return estimates.difference - half_width, estimates.difference + half_width

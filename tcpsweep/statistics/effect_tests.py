# SPDX-License-Identifier: MIT
"""Tests of an effect against the smallest effect of interest: shown to be beyond it, or shown to be within it.

The bound on the difference of two means is the larger of ``share`` of the reference's mean and ``absolute``. The
reference's mean is an estimate too. So x − y ≥ share · y is tested as the contrast x − (1 + share) · y. Its variance
follows from the variances of the difference and of the reference, and their covariance (Fieller).

Fieller: Some Problems in Interval Estimation. Journal of the Royal Statistical Society B 16(2), 1954.
Schuirmann: A Comparison of the Two One-Sided Tests Procedure and the Power Approach for Assessing the Equivalence of
Average Bioavailability. Journal of Pharmacokinetics and Biopharmaceutics 15(6), 1987.
Murphy and Myors: Testing the Hypothesis That Treatments Have Negligible Effects: Minimum-Effect Tests in the General
Linear Model. Journal of Applied Psychology 84(2), 1999.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tcpsweep.statistics import significance
from tcpsweep.statistics.means import CONFIDENCE

Numbers: TypeAlias = npt.NDArray[np.float64]

HIGHER, LOWER, SAME, UNDECIDED = 1, -1, 2, 0


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
        `HIGHER`, `LOWER`, `SAME` or `UNDECIDED`.
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


def _t(of: Estimates, share: Numbers | float, absolute: Numbers | float) -> Numbers:
    """Student's t of difference − share · reference − absolute; 0 where that is 0 in every run."""
    margin = of.difference - share * of.reference - absolute
    variance = of.error**2 - 2 * share * of.covariance + (share * of.reference_error) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Numbers = np.where(margin == 0, 0.0, margin / np.sqrt(np.maximum(variance, 0)))
    return found


def _may_be_larger(
    of: Estimates, share: Numbers | float, absolute: Numbers | float
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Whether the share of the reference's mean may be the larger bound, and whether the value may be.

    Both may be, if the 95 % interval of the reference's mean holds the mean at which the two are equal.
    """
    from scipy.special import stdtrit

    of_share = share * np.abs(of.reference)
    half = stdtrit(of.degrees, (1 + CONFIDENCE) / 2) * share * of.reference_error
    both = (np.abs(of_share - absolute) <= half) & (np.minimum(share, absolute) > 0)
    is_share = of_share >= absolute
    return is_share | both, ~is_share | both


def p_values(of: Estimates, share: Numbers | float, absolute: Numbers | float) -> tuple[Numbers, Numbers]:
    """The p-values of an effect beyond the bound, and of one within it.

    Beyond: twice the smaller of the one-sided p-values for an effect above the upper bound and below the lower bound.
    Within: the larger of the one-sided p-values for an effect below the upper bound and above the lower bound, the two
    one-sided tests of Schuirmann.

    If either of ``share`` and ``absolute`` may be the larger bound, each p-value is the larger of the two bounds'.

    Parameters
    ----------
    share, absolute : array or float
        The bounds, at least 0.
    """
    from scipy.special import stdtr

    beyond, within = np.zeros(of.difference.shape), np.zeros(of.difference.shape)
    of_share, of_value = _may_be_larger(of, share, absolute)
    for may_be, part, value in ((of_share, share, 0.0), (of_value, 0.0, absolute)):
        upper, lower = _t(of, part, value), _t(of, -part, -value)
        outside = np.minimum(1, 2 * np.minimum(stdtr(of.degrees, -upper), stdtr(of.degrees, lower)))
        inside = np.maximum(stdtr(of.degrees, upper), stdtr(of.degrees, -lower))
        beyond = np.where(may_be, np.maximum(beyond, outside), beyond)
        within = np.where(may_be, np.maximum(within, inside), within)
    # A difference that is 0 in every run is within any bound, even a bound of 0.
    identical = (of.difference == 0) & (of.error == 0)
    return np.where(identical, 1, beyond), np.where(identical, 0, within)


def decided(
    of: Estimates,
    share: Numbers | float,
    absolute: Numbers | float,
    level: float = 1 - CONFIDENCE,
    size: int | None = None,
) -> Decisions:
    """The results of each comparison of a family; Holm's method corrects each of the two kinds of claims.

    An effect is called higher or lower only if it is shown to be beyond the bound. It is called the same only if it is
    shown to be within the bound. At most ``level`` of families contain a false
    `HIGHER` or `LOWER`, and at most ``level`` a false `SAME`.

    Parameters
    ----------
    share, absolute : array or float
        The two bounds, of which the larger one counts.
    size : int, optional
        The number of comparisons in the family, if some of them could not be tested.
    """
    beyond, within = p_values(of, share, absolute)
    beyond_holm, beyond_level = significance.holm(beyond, level, size)
    within_holm, within_level = significance.holm(within, level, size)
    same = within_holm <= level
    side = np.where(of.difference > 0, HIGHER, LOWER)
    finding = np.where(beyond_holm <= level, side, np.where(same, SAME, UNDECIDED)).astype(np.int8)
    # The two one-sided tests at 5 % are the two ends of an interval of 90 %. The interval of an undecided comparison
    # has the level of the stricter test, so that it shows neither claim.
    of_same = np.minimum(1, 2 * within_level)
    levels = np.where(finding == UNDECIDED, np.minimum(beyond_level, of_same), beyond_level)
    levels = np.where(finding == SAME, of_same, levels)
    return Decisions(beyond, within, beyond_holm, within_holm, finding, levels)


def relative_interval(of: Estimates, level: Numbers | float) -> tuple[Numbers, Numbers]:
    """Fieller's interval of confidence 1 − level of difference / reference.

    It holds the shares s for which the contrast difference − s · reference is not shown to differ from 0.

    Returns
    -------
    low, high : array
        NaN where the reference's mean is not shown to be above 0, so that the ratio has no bounds.
    """
    from scipy.special import stdtrit

    t = stdtrit(of.degrees, 1 - np.asarray(level) / 2)
    a = of.reference**2 - (t * of.reference_error) ** 2
    b = of.difference * of.reference - t**2 * of.covariance
    c = of.difference**2 - (t * of.error) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(np.maximum(b**2 - a * c, 0))
        known = (a > 0) & (of.reference > 0)
        low, high = np.where(known, (b - root) / a, np.nan), np.where(known, (b + root) / a, np.nan)
    return low, high


def interval(of: Estimates, level: Numbers | float) -> tuple[Numbers, Numbers]:
    """Student's interval of confidence 1 − level of the difference: its ends."""
    from scipy.special import stdtrit

    half = stdtrit(of.degrees, 1 - np.asarray(level) / 2) * of.error
    return of.difference - half, of.difference + half

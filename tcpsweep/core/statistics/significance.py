# SPDX-License-Identifier: MIT
"""Tests of differences between means: Welch's t-test, and Holm's correction for many of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.statistics.means import CONFIDENCE


def t_test_p(
    differences: npt.NDArray[np.float64], errors: npt.NDArray[np.float64], degrees: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """The two-sided p-value of a t-test for arrays of mean differences and their standard errors."""
    from scipy.special import stdtr

    return 2 * stdtr(degrees, -np.abs(differences) / errors)


def welch(sd: pl.Expr, n: pl.Expr, other_sd: pl.Expr, other_n: pl.Expr) -> tuple[pl.Expr, pl.Expr]:
    """The standard error of the difference of two independent samples' means, and its degrees of freedom.

    Welch: The Generalization of `Student's' Problem when Several Different Population Variances Are Involved.
    Biometrika 34(1/2), 1947.

    Parameters
    ----------
    sd, n, other_sd, other_n : Expr
        Each sample's standard deviation and number of values.

    Returns
    -------
    error, degrees : Expr
        If neither sample varies, ``error`` is 0 and ``degrees`` are the smaller sample's degrees of freedom.
    """
    first, second = sd**2 / n, other_sd**2 / other_n
    degrees = (first + second) ** 2 / (first**2 / (n - 1) + second**2 / (other_n - 1))
    spread = first + second > 0
    return (first + second).sqrt(), pl.when(spread).then(degrees).otherwise(pl.min_horizontal(n, other_n) - 1)


def holm(
    p: npt.ArrayLike, level: float = 1 - CONFIDENCE, size: int | None = None
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Holm's correction of a family of p-values, or of each of several, along the last axis.

    The k-th smallest of m p-values is compared with 5 % / (m − k + 1). After the first that fails, no difference is
    shown.

    Holm: A Simple Sequentially Rejective Multiple Test Procedure. Scandinavian Journal of Statistics 6(2), 1979.

    Parameters
    ----------
    size : int, optional
        The number of comparisons in the family, if some of them could not be tested and are not given.

    Returns
    -------
    adjusted : array
        The adjusted p-values: at most 5 % where a difference is shown.
    levels : array
        The level that each p-value was compared with; after the first that fails, the level of that one. An interval
        of confidence 1 − level contains 0 exactly where no difference is shown.
    """
    p = np.asarray(p, dtype=float)
    tested, order = p.shape[-1], np.argsort(p, axis=-1, kind="stable")
    m = tested if size is None else size
    ordered, stages = np.take_along_axis(p, order, axis=-1), m - np.arange(tested)
    adjusted, levels = np.empty_like(p), np.empty_like(p)
    np.put_along_axis(adjusted, order, np.minimum(1, np.maximum.accumulate(stages * ordered, axis=-1)), axis=-1)
    fails = ordered > level / stages
    first_failing = np.where(fails.any(axis=-1), fails.argmax(axis=-1) if tested else 0, tested)
    np.put_along_axis(levels, order, level / (m - np.minimum(np.arange(tested), first_failing[..., None])), axis=-1)
    return adjusted, levels

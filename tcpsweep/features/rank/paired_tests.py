# SPDX-License-Identifier: MIT
"""Scores in networks, and t-tests of their differences, network by network."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tcpsweep.core.words.thresholds import LEAST_RUNS

Numbers: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]


def summary(values: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """The mean along the last axis, its standard error and the error's degrees of freedom; NaN does not count."""
    counts = (~np.isnan(values)).sum(axis=-1).astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = np.nansum(values, axis=-1) / counts
        squares = np.nansum((values - means[..., None]) ** 2, axis=-1)
        return means, np.sqrt(squares / (counts - 1) / counts), counts - 1


def above_zero_p(differences: Numbers) -> Numbers:
    """The one-sided p-value of a t-test that each row's mean is above 0; 1 for fewer than `LEAST_RUNS` values."""
    from scipy.special import stdtr

    means, errors, degrees = summary(differences)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(means == 0, 0.0, means / errors)
    return np.where(degrees + 1 >= LEAST_RUNS, stdtr(degrees, -t), 1.0)

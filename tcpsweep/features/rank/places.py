# SPDX-License-Identifier: MIT
"""The place of each candidate with its interval, its mean score, and the verdict against the baseline.

Each ordered pair of candidates has a one-sided t-test over the networks that both have. Holm's method corrects the
tests that one candidate is in. So with 95 % confidence, all that is shown of it is true. Its first possible place is 1
plus the number of candidates that are shown better, and its last possible place is the number of candidates less those
shown worse. This interval has its true place with the same confidence.

A candidate that left a race stopped when its scores looked worst. So each p-value is multiplied by the number of rounds
after which it may have stopped.

Al Mohamad, Goeman and van Zwet: Simultaneous Confidence Intervals for Ranks With Application to Ranking Institutions.
Biometrics 78(1), 2022. Al Mohamad, van Zwet, Goeman and Solari: Simultaneous Confidence Sets for Ranks Using the
Partitioning Principle. arXiv:1708.02729, 2017. Both count what tests of all pairs show.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from tcpsweep.core.statistics import effect_tests, significance
from tcpsweep.core.statistics.exact_tests import Runs
from tcpsweep.core.statistics.means import CONFIDENCE
from tcpsweep.features.rank import paired_tests
from tcpsweep.features.rank.paired_tests import Flags, Numbers

Counts: TypeAlias = npt.NDArray[np.int64]

VERDICTS = {
    effect_tests.HIGHER: "better",
    effect_tests.LOWER: "worse",
    effect_tests.SAME: "equivalent",
    effect_tests.UNDECIDED: "not told apart",
    effect_tests.TOO_FEW: "too few networks",
}


def table(scores: Numbers, candidates: Sequence[str], decisions: int = 1, smallest: float = 0.0) -> pl.DataFrame:
    """The places of candidates.

    Parameters
    ----------
    scores : array
        A row for each candidate and a column for each network; NaN for no score. The baseline's score is 0.
    decisions : int
        The number of rounds after which a candidate may have stopped.
    smallest : float
        The smallest difference from the baseline that matters.

    Returns
    -------
    DataFrame
        A row for each candidate in the given order: ``candidate``, ``networks`` (their number), ``mean``, ``low``,
        ``high`` (the interval that the verdict follows from), ``verdict`` against the baseline (one of `VERDICTS`),
        ``place`` (1 plus the number of candidates with a higher mean in the networks that both have), and the first and
        last possible place, ``first_place`` and ``last_place``.
    """
    is_better, better, worse = _pairs(scores, decisions)
    return _against_baseline(scores, decisions, smallest).select(
        pl.Series("candidate", candidates, dtype=pl.String),
        pl.all(),
        place=pl.Series(1 + is_better.sum(axis=0)),
        first_place=pl.Series(1 + better),
        last_place=pl.Series(len(candidates) - worse),
    )


def _pairs(scores: Numbers, decisions: int) -> tuple[Flags, Counts, Counts]:
    """Whether a row's candidate has a higher mean than a column's; how many are shown better, and worse, than each."""
    count = len(scores)
    means, p = np.full((count, count), np.nan), np.ones((count, count))
    for number, row in enumerate(scores):  # one at a time: all at once would need much memory
        means[number] = paired_tests.summary(row - scores)[0]
        p[number] = paired_tests.above_zero_p(row - scores)
    others = ~np.eye(count, dtype=bool)
    shape = (count, max(0, count - 1))
    is_better_or_worse = np.hstack([p.T[others].reshape(shape), p[others].reshape(shape)])  # of each candidate
    adjusted, _ = significance.holm(np.minimum(1, decisions * is_better_or_worse))
    better, worse = np.hsplit(adjusted <= 1 - CONFIDENCE, 2)
    return means > 0, better.sum(axis=1), worse.sum(axis=1)


def _against_baseline(scores: Numbers, decisions: int, smallest: float) -> pl.DataFrame:
    """``networks``, ``mean``, ``low``, ``high`` and ``verdict`` of each candidate."""
    means, errors, degrees = paired_tests.summary(scores)
    zeros = np.zeros(means.shape)
    estimates = effect_tests.Estimates(means, zeros, errors, zeros, zeros, degrees)
    runs = Runs(scores, np.where(np.isnan(scores), np.nan, 0.0))
    decided = effect_tests.decided(estimates, runs, effect_tests.Bound(0.0, smallest), (1 - CONFIDENCE) / decisions)
    low, high = effect_tests.interval(estimates, decided.level)
    columns = {"networks": degrees.astype(int) + 1, "mean": means, "low": low, "high": high}
    return pl.DataFrame(columns).with_columns(
        pl.Series("verdict", [VERDICTS[finding] for finding in decided.finding], dtype=pl.String)
    )

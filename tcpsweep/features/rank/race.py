# SPDX-License-Identifier: MIT
"""A race: after each round of networks, candidates that are shown worse than the leaders run no more.

In each network from the second on, a candidate is compared with the leader: the candidate that had the highest mean in
the networks before. A candidate leaves if a one-sided t-test of these differences shows that its mean is lower. All
decisions share `FALSE_DROPS` equally (Bonferroni). The number of candidates does not matter: the true first can leave
only by its own test, and the choice of leaders does not depend on the scores that they are compared with.

The networks have to be in random order, so that each round has a sample of them. For the true first, the differences
then have a mean of at most 0, no matter which candidates lead. Their variances may differ: with normal data and fixed
leaders, the t-test still holds at levels of at most 2.5 %.

Maron and Moore: Hoeffding Races. Advances in Neural Information Processing Systems 6, 1994. Candidates leave a race.
Birattari et al.: A Racing Algorithm for Configuring Metaheuristics. GECCO 2002. It pairs candidates by instances.
Luedtke and van der Laan: Statistical Inference for the Mean Outcome Under a Possibly Non-Unique Optimal Treatment
Strategy. The Annals of Statistics 44(2), 2016. What the earlier observations say is best is tested with the next one.
Ibragimov and Müller: t-Statistic Based Correlation and Heterogeneity Robust Inference. Journal of Business & Economic
Statistics 28(4), 2010. The t-test holds for different variances.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tcpsweep.features.rank import paired_tests
from tcpsweep.features.rank.paired_tests import Flags, Numbers

# The probability that the true first leaves, over all rounds, for symmetric differences. Below 5 %, because skewed
# differences of few networks make a t-test err more often.
FALSE_DROPS = 0.04


def outliving(
    scores: Numbers, running: Flags, decisions: int, *, halving: bool = False, errors: float = FALSE_DROPS
) -> Flags:
    """Which candidates stay in the race after a round.

    ``scores`` has a row for each candidate and a column for each network so far, in the order of the rounds; NaN for no
    score. The ``running`` candidates ran in this round, and at least one has a score. The race decides ``decisions``
    times in all. The true first leaves by one of these tests with a probability of at most ``errors``. With
    ``halving``, the lowest means also leave until at most half stay, and no test shows that these are worse.
    """
    differences = scores[_leaders(scores), np.arange(1, scores.shape[1])] - scores[:, 1:]
    means = np.where(running, paired_tests.summary(scores)[0], np.nan)
    stays: Flags = running & (paired_tests.above_zero_p(differences) > errors / decisions)
    stays[np.nanargmax(means)] = True
    if halving:
        by_mean = np.argsort(np.where(stays & ~np.isnan(means), -means, np.inf), kind="stable")
        stays[by_mean[-(-int(running.sum()) // 2) :]] = False
    return stays


def _leaders(scores: Numbers) -> npt.NDArray[np.intp]:
    """The leader in each network but the first: the highest mean in the networks before, among candidates that ran."""
    ran = ~np.isnan(scores)
    sums, counts = (np.cumsum(values, axis=1)[:, :-1] for values in (np.where(ran, scores, 0.0), ran))
    may_lead = ran[:, 1:] & (counts > 0)
    leaders: npt.NDArray[np.intp] = np.where(may_lead, sums / np.maximum(counts, 1), -np.inf).argmax(axis=0)
    return leaders

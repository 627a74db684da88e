# SPDX-License-Identifier: MIT
"""Thresholds for claims, for flows in steady state, for fairness, and for changed values."""

import math

LEVEL_OF_CLAIMS = 0.05  # the largest probability of a false claim in a family
LEAST_RUNS = 5  # different runs; with fewer, a mean has no bootstrap interval
ELSEWHERE = 0.2  # a share of runs far from the others that equivalent runs must exclude
# The smallest number n of runs with (1 − ELSEWHERE)^n ≤ LEVEL_OF_CLAIMS. If a share of all runs is far from the
# others, n runs miss it with probability (1 − share)^n. So n runs that are all alike show that the share is smaller.
LEAST_ALIKE = math.ceil(math.log(LEVEL_OF_CLAIMS) / math.log(1 - ELSEWHERE))
LEAST_EPOCHS = 5  # congestion epochs of a flow in steady state
LEVEL = 0.05  # a level value changes by less over its time, as a share of its mean
STEADY_TREND = 0.2  # the trend of a side in steady state is shown to be less, as a share of its mean
TREND_PARTS = 10  # equal parts of a flow's time, to which its trend is fitted
FAIR = 0.95  # Jain's index of flows that have converged: of two flows, one has at most 1.6 times the other's goodput
FAIR_WINDOWS = 5  # consecutive windows with that index
WINDOW_RTTS, LEAST_WINDOW_S = 20, 1.0  # a window for fairness over time: in base round trips, and the minimum
LITTLE = 0.1  # the largest change that counts as little, relative to the mean
WARMUP_SHARE = 0.5  # a flow's own warm-up, and the largest delay of its start, as a share of the warm-up
LEAST_WINDOWS = 5  # windows of that length for a flow's oscillation
ANSWERED, LEAST_ANSWER_S = 0.2, 0.1  # the senders follow a new rate: how nearly, and the minimum window
FASTEST_S = 1.0  # the interval for the largest throughput


def least_pairs(comparisons: int) -> int:
    """The smallest number n of pairs with 2^(1 − n) · comparisons ≤ `LEVEL_OF_CLAIMS`.

    n pairs have the same sign by chance with probability 2^(1 − n), so fewer pairs show no difference in a family of so
    many comparisons.
    """
    return math.ceil(1 + math.log2(max(1, comparisons) / LEVEL_OF_CLAIMS) - 1e-12)

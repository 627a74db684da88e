# SPDX-License-Identifier: MIT
"""Thresholds for claims, for flows in steady state, for fairness, and for changed values."""

LEAST_RUNS = 5  # different runs; with fewer, nothing is claimed
LEAST_EPOCHS = 5  # congestion epochs of a flow in steady state
LEVEL = 0.05  # a level value changes by less over its time, as a share of its mean
TREND_PARTS = 10  # equal parts of a flow's time, to which its trend is fitted
FAIR = 0.95  # Jain's index of flows that have converged: of two flows, one has at most 1.6 times the other's goodput
FAIR_WINDOWS = 5  # consecutive windows with that index
WINDOW_RTTS, LEAST_WINDOW_S = 20, 1.0  # a window for fairness over time: in base round trips, and the minimum
LITTLE = 0.1  # the largest change that counts as little, relative to the mean
WARMUP_SHARE = 0.5  # a flow's own warm-up, and the largest delay of its start, as a share of the warm-up
LEAST_WINDOWS = 5  # windows of that length for a flow's oscillation
ANSWERED, LEAST_ANSWER_S = 0.2, 0.1  # the senders follow a new rate: how nearly, and the minimum window
FASTEST_S = 1.0  # the interval for the largest throughput

# SPDX-License-Identifier: MIT
"""Thresholds from which a claim is made, a flow counts as steady, flows as fair, a value as changed."""

LEAST_RUNS = 5  # different runs, below which nothing is claimed
LEAST_EPOCHS = 5  # congestion epochs of a steady flow
LEVEL = 0.05  # what is level changes by less over its time, as a share of its mean
TREND_PARTS = 10  # equal parts of a flow's time that its trend is fitted to
FAIR = 0.95  # Jain's index of flows that have converged: of two flows, one has at most 1.6 times the other's goodput
FAIR_WINDOWS = 5  # windows in a row that are as fair
WINDOW_RTTS, LEAST_WINDOW_S = 20, 1.0  # a window of fairness over time: base round trips, and the least
LITTLE = 0.1  # the change that still counts as hardly any, relative to the mean
WARMUP_SHARE = 0.5  # of the warm-up, how long a flow's own is, and how long flows' starts may be put off
FASTEST_S = 1.0  # the interval for the largest throughput

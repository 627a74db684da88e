# SPDX-License-Identifier: MIT
"""Where what is measured begins to count as something."""

LEAST_EPOCHS = 5  # congestion epochs of a steady flow
LEVEL = 0.05  # how far a steady flow without epochs may be from its mean in each of as many parts of its time
FAIR = 0.9  # Jain's index of flows that have converged
WINDOW_RTTS, LEAST_WINDOW_S = 20, 1.0  # over how long fairness is followed: base round trips, and at least
LITTLE = 0.1  # how far something that hardly changes may change, of its mean
FASTEST_S = 1.0  # over how long the largest throughput is one

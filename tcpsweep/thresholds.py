# SPDX-License-Identifier: MIT
"""Where what is measured begins to count as something."""

LEAST_EPOCHS = 5  # congestion epochs of a steady flow
FAIR = 0.9  # Jain's index of flows that have converged
WINDOW_RTTS, LEAST_WINDOW_S = 20, 1.0  # over how long fairness is followed: base round trips, and at least

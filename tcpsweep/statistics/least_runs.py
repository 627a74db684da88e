# SPDX-License-Identifier: MIT
"""How many runs a claim takes; by itself, as planning a sweep asks for it too and loads nothing heavy."""

LEAST_RUNS = 5  # different runs, below which nothing is claimed

# SPDX-License-Identifier: MIT
"""Sweeps of TCP congestion control over grids of simulated networks: a folder for each step."""

# SPDX-License-Identifier: MIT
"""Sweeps of TCP congestion control over grids of simulated networks: one module per step."""

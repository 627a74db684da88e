# SPDX-License-Identifier: MIT
"""Means, intervals and tests: the formulas, and where they are from."""

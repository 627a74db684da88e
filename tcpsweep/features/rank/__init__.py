# SPDX-License-Identifier: MIT
"""Rank congestion controls that nobody has reviewed."""

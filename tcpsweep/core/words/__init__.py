# SPDX-License-Identifier: MIT
"""Definitions of units, metrics, thresholds and table columns. It imports no other room of the core."""

# SPDX-License-Identifier: MIT
"""Simulate and parse the cells of a job within its limits."""

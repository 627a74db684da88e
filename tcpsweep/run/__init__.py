# SPDX-License-Identifier: MIT
"""A job's cells, simulated and parsed within their limits."""

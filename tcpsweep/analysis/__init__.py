# SPDX-License-Identifier: MIT
"""From the metrics of cells to a sweep's tables."""

# SPDX-License-Identifier: MIT
"""Turn the metrics of cells into a sweep's tables."""

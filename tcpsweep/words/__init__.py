# SPDX-License-Identifier: MIT
"""What words mean: units, metrics, thresholds, the columns of tables. It imports nothing of ours."""

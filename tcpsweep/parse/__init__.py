# SPDX-License-Identifier: MIT
"""From a cell's raw files to Parquet."""

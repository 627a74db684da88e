# SPDX-License-Identifier: MIT
"""Parse a cell's raw files and write Parquet files."""

# SPDX-License-Identifier: MIT
"""From a cell's Parquet to its metrics and its audit."""

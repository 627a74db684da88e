# SPDX-License-Identifier: MIT
"""Means and percentiles, as the metrics give them."""

import polars as pl

PERCENTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


def spread(value: pl.Expr, name: str) -> list[pl.Expr]:
    """The mean and percentiles of times in s.

    A percentile is the smallest value that at least its share of all values does not exceed.
    """
    return [value.mean().alias(f"{name}_mean_s")] + [
        value.quantile(share, "equiprobable").alias(f"{name}_{rank}_s") for rank, share in PERCENTILES.items()
    ]

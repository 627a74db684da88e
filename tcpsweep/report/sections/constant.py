# SPDX-License-Identifier: MIT
"""Metrics that have one value all over a sweep, which is said once and takes no column."""

import polars as pl


def names(summary: pl.DataFrame) -> set[str]:
    """The metrics whose means are all the same, and whose runs do not differ either."""
    known = summary.filter(pl.col("mean").is_not_null())
    same = pl.col("mean").n_unique() == 1
    still = (pl.col("low").is_null() | (pl.col("high") - pl.col("low") <= 1e-12 * pl.col("mean").abs())).all()
    several = pl.len() > 1
    return set(known.group_by("metric").agg(constant=same & still & several).filter("constant")["metric"])

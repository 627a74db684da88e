# SPDX-License-Identifier: MIT
"""Whole rotations as replicates: the runs of a rotation are one block, whose value is the mean over its runs.

Law: Simulation Modeling and Analysis, 5th edition, 2015, section 9.5: replicates have to be independent and identically
distributed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import polars as pl

ROTATION = "rotation"


def blocked(
    rows: pl.DataFrame,
    by: Sequence[str],
    values: Sequence[str] = ("value",),
    digests: Sequence[str] = ("digest",),
    flags: Sequence[str] = (),
) -> pl.DataFrame:
    """Rows of runs as rows of whole rotations.

    A rotation's value is the mean of its runs' values, null if a run has no value. Its digest combines the runs'
    digests. Its flag is set if the flags of all runs are set. Its number is the number of its first run. Incomplete
    rotations are omitted. If all rotations are incomplete, the first one is kept, so that there is a mean without an
    interval.

    Parameters
    ----------
    rows : DataFrame
        The columns of ``by``, ``run``, `ROTATION` (the number of runs in a rotation), the columns named by the other
        arguments, and columns that are constant over runs.
    by : list of str
        The columns that identify each series of runs to average.

    Returns
    -------
    DataFrame
        The columns of ``rows`` without `ROTATION`. If all rotations have one run, the rows are unchanged.
    """
    without_rotation = rows.drop(ROTATION)
    if rows.is_empty() or rows[ROTATION].max() == 1:
        return without_rotation
    block_number = ((pl.col("run").cast(pl.Int64) - 1) // pl.col(ROTATION)).alias("_block")
    aggregated = (*by, "run", *values, *digests, *flags)
    blocks = (
        rows.with_row_index("_at")
        .group_by(*by, ROTATION, block_number, maintain_order=True)
        .agg(
            pl.col("_at").min(),
            pl.col("run").n_unique().alias("_runs"),
            pl.col("run").min(),
            *(pl.when(~pl.col(name).is_null().any()).then(pl.col(name).mean()).alias(name) for name in values),
            *(pl.col(name).sort_by("run").str.join(" ") for name in digests),
            *(pl.col(name).all() for name in flags),
            *(pl.col(name).first() for name in without_rotation.columns if name not in aggregated),
        )
    )
    is_whole = pl.col("_runs") == pl.col(ROTATION)
    stands_for_all = ~is_whole.any().over(by) & (pl.col("_block") == pl.col("_block").min().over(by))
    return blocks.filter(is_whole | stands_for_all).sort("_at").select(without_rotation.columns)


def of_combinations(rows: pl.DataFrame, lengths: Sequence[int], by: Sequence[str]) -> pl.DataFrame:
    """`blocked` rows with ``combination``, ``digest`` and ``value``; ``lengths`` has each combination's rotation."""
    if not any(length > 1 for length in lengths):
        return rows
    rotation = pl.Series(lengths, dtype=pl.Int64).gather(rows["combination"])
    return blocked(rows.with_columns(rotation.alias(ROTATION)), by)


def of_pairs(lengths: Sequence[int], *combinations: pl.Series) -> pl.Series:
    """The number of runs after which the rotations of compared combinations end together, row by row."""
    if max(lengths, default=1) == 1:
        return pl.repeat(1, len(combinations[0]), dtype=pl.Int64, eager=True)
    sides = zip(*combinations, strict=True)
    return pl.Series([math.lcm(*(lengths[number] for number in side)) for side in sides], dtype=pl.Int64)

# SPDX-License-Identifier: MIT
"""Whole rotations as replicates: the runs of each are one block, whose value is the mean of theirs.

Law: Simulation Modeling and Analysis, 5th edition, 2015, section 9.5: replicates have to be independent and alike.
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

    A rotation's value is the mean of its runs', null if one of them has none; its digest is all of theirs; a flag is
    set if all of theirs are. It has the number of its first run. An incomplete rotation is left out; only where there
    is no other, the first one stands for all, so that there is a mean, without an interval.

    Parameters
    ----------
    rows : DataFrame
        The columns of ``by``, ``run``, `ROTATION` (how many runs a rotation has), those named here, and others that are
        the same for all runs.
    by : list of str
        The columns that tell apart what is averaged.

    Returns
    -------
    DataFrame
        The columns of ``rows`` without `ROTATION`. Where all rotations are of one run, the very rows.
    """
    plain = rows.drop(ROTATION)
    if rows.is_empty() or rows[ROTATION].max() == 1:
        return plain
    block = ((pl.col("run").cast(pl.Int64) - 1) // pl.col(ROTATION)).alias("_block")
    used = (*by, "run", *values, *digests, *flags)
    found = (
        rows.with_row_index("_at")
        .group_by(*by, ROTATION, block, maintain_order=True)
        .agg(
            pl.col("_at").min(),
            pl.col("run").n_unique().alias("_runs"),
            pl.col("run").min(),
            *(pl.when(~pl.col(name).is_null().any()).then(pl.col(name).mean()).alias(name) for name in values),
            *(pl.col(name).sort_by("run").str.join(" ") for name in digests),
            *(pl.col(name).all() for name in flags),
            *(pl.col(name).first() for name in plain.columns if name not in used),
        )
    )
    is_whole = pl.col("_runs") == pl.col(ROTATION)
    stands_for_all = ~is_whole.any().over(by) & (pl.col("_block") == pl.col("_block").min().over(by))
    return found.filter(is_whole | stands_for_all).sort("_at").select(plain.columns)


def of_combinations(
    rows: pl.DataFrame, lengths: Sequence[int], by: Sequence[str], flags: Sequence[str] = ()
) -> pl.DataFrame:
    """`blocked` rows with ``combination``, ``digest`` and ``value``; ``lengths`` has each combination's rotation."""
    if not any(length > 1 for length in lengths):
        return rows
    rotation = pl.Series(lengths, dtype=pl.Int64).gather(rows["combination"])
    return blocked(rows.with_columns(rotation.alias(ROTATION)), by, flags=flags)


def of_pairs(lengths: Sequence[int], *combinations: pl.Series) -> pl.Series:
    """After how many runs the rotations of combinations that are compared end together, row by row."""
    if max(lengths, default=1) == 1:
        return pl.repeat(1, len(combinations[0]), dtype=pl.Int64, eager=True)
    sides = zip(*combinations, strict=True)
    return pl.Series([math.lcm(*(lengths[number] for number in side)) for side in sides], dtype=pl.Int64)

# SPDX-License-Identifier: MIT
"""The runs that count as replicates."""

from collections.abc import Sequence

import polars as pl


def counted(rows: pl.DataFrame, by: Sequence[str], digests: Sequence[str] = ("digest",)) -> pl.DataFrame:
    """All rows of each key, or the first if the bytes of all of its runs are identical.

    Identical runs among different ones are outcomes that are frequent. Without the repeated ones, the mean would give
    each outcome the same weight.

    Parameters
    ----------
    rows : DataFrame
        The columns of ``by`` and ``digests``; a row per run.
    by : list of str
        The columns that identify each series of runs.
    digests : list of str
        The columns with the digests of a run; one that all runs share is enough.
    """
    are_identical = pl.any_horizontal(pl.col(name).n_unique().over(by) == 1 for name in digests)
    return rows.filter(~are_identical | (pl.int_range(pl.len()).over(by) == 0))

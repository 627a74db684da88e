# SPDX-License-Identifier: MIT
"""The number of runs that a mean needs until its interval is as narrow as requested, decided from the runs so far.

A decision that looks at an interval after every run stops too often when the estimated spread is small by chance. The
interval then covers the mean less often than its confidence. So there are few looks. The first look uses only the runs
of the first stage. It sets the size of the second stage: the least n with t · s / √n ≤ d, with t and s of the first
stage. If the interval is still too wide after the second stage, half as many additional runs follow.

Stein: A two-sample test for a linear hypothesis whose power is independent of the variance. Annals of Mathematical
Statistics 16, 243–258, 1945.
"""

import polars as pl

GROWTH = 1.5


def wanted_runs(runs: pl.Expr, half: pl.Expr, asked: pl.Expr, is_first: pl.Expr) -> pl.Expr:
    """The number of runs at the next look; the present number if the interval is as narrow as requested.

    Parameters
    ----------
    runs : Expr
        The runs so far that count.
    half : Expr
        Half the width of their interval; null or NaN where there is none.
    asked : Expr
        The requested half-width.
    is_first : Expr
        Whether these are the runs of the first stage.
    """
    ratio = half / asked
    second_stage = (runs * ratio * ratio - 1e-9).ceil()
    next_runs = pl.when(is_first).then(second_stage).otherwise((runs * GROWTH).ceil())
    is_open = (half.is_not_null() & half.is_not_nan()) & (half > asked)
    return pl.when(is_open).then(next_runs.clip(lower_bound=runs + 1, upper_bound=1e9)).otherwise(runs).cast(pl.Int64)

# SPDX-License-Identifier: MIT
"""How many runs a mean needs until its interval is as narrow as asked, decided from the runs so far.

A decision that looks at an interval after every run stops too often where the spread was found small by chance: then
the interval covers the mean less often than it says. So there are few looks. The first one, with the runs of the first
stage alone, sets the size of the second stage as Stein (1945, A two-sample test for a linear hypothesis whose power is
independent of the variance, Annals of Mathematical Statistics 16, 243–258) has it: the least n with t · s / √n ≤ d,
with t and s of the first stage. Where the interval is still too wide after that, half as many runs more follow.
"""

import polars as pl

GROWTH = 1.5


def wanted_runs(runs: pl.Expr, half: pl.Expr, asked: pl.Expr, is_first: pl.Expr) -> pl.Expr:
    """The number of runs to look at next; the runs that there are, where the interval is as narrow as asked.

    Parameters
    ----------
    runs : Expr
        The runs so far that count.
    half : Expr
        Half the width of their interval; null or NaN where there is none.
    asked : Expr
        The half-width that is asked for.
    is_first : Expr
        Whether these are the runs of the first stage.
    """
    ratio = half / asked
    stein = (runs * ratio * ratio - 1e-9).ceil()
    more = pl.when(is_first).then(stein).otherwise((runs * GROWTH).ceil())
    is_open = (half.is_not_null() & half.is_not_nan()) & (half > asked)
    return pl.when(is_open).then(more.clip(lower_bound=runs + 1, upper_bound=1e9)).otherwise(runs).cast(pl.Int64)

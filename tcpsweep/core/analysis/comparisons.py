# SPDX-License-Identifier: MIT
"""The pairs of variants to compare, as a table."""

from __future__ import annotations

import polars as pl

from tcpsweep.core.sweep import compared_variants
from tcpsweep.core.sweep.sweep_record import PlannedSweep

PAIR = {
    "combination": pl.Int64,
    "reference_combination": pl.Int64,
    "variant": pl.String,
    "reference": pl.String,
    "mix": pl.String,
    "own": pl.String,
    "reference_own": pl.String,
    "simulator": pl.String,
}


def pairs(sweep: PlannedSweep) -> pl.DataFrame:
    """The combinations and variants to compare.

    Returns
    -------
    DataFrame
        The fields of `compared_variants.Pair`.
    """
    return pl.DataFrame(compared_variants.pairs(sweep), schema=PAIR, orient="row")

# SPDX-License-Identifier: MIT
"""A parsed cell, as parsing hands it to measuring."""

from dataclasses import dataclass
from typing import Any

import polars as pl


@dataclass(frozen=True)
class Parsed:
    """A cell's tables, as `words.table_columns` describes them.

    Attributes
    ----------
    run : dict
        The simulator's record.
    flows : DataFrame
    traces : dict
        Each trace that was asked for, by name: ``flow``, ``time_s``, ``value``.
    queue : DataFrame
    """

    run: dict[str, Any]
    flows: pl.DataFrame
    traces: dict[str, pl.DataFrame]
    queue: pl.DataFrame

# SPDX-License-Identifier: MIT
"""The tables that a feature adds to a sweep, and the next round that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class AddedTables:
    """How a feature makes its tables from a `run_results.RunResults`."""

    key: str = ""  # the key of its question in the sweep file; empty for tables of any sweep
    # Parts of its tables, as data frames, each with the table's name, which its CSV and its Parquet file have. It
    # is called for each sweep, and gives none if the sweep does not ask. The core removes tables that an earlier form
    # of the sweep had
    tables: Callable[[Any], Iterable[tuple[str, Any]]]
    # From the results with these tables: the number of runs that each combination needs, by the id of its first cell,
    # and the points of the next round
    next_round: Callable[[Any], tuple[dict[str, int], list[Any]]] | None = None
    needs_measures: bool = False  # whether it needs the values of single flows, which are large

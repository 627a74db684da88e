# SPDX-License-Identifier: MIT
"""The cost of a cell: time, memory and disk space."""

from __future__ import annotations

from dataclasses import astuple, dataclass

PARSING = 0.2  # share of a cell's seconds that remains if its raw files exist

# Of each core, what simulations in real time take together at most: the rest is for what they wait for, and for others.
REAL_TIME_CORES = 0.6


@dataclass(frozen=True)
class Cost:
    """The cost of a cell.

    Attributes
    ----------
    seconds : float
        CPU time of the simulator and of its tables.
    memory : float
        The most memory that its processes have together, in bytes.
    raw_bytes, parquet_bytes : float
        The sizes of its raw files and of its Parquet.
    """

    seconds: float
    memory: float
    raw_bytes: float
    parquet_bytes: float

    def corrected(self, factors: Cost) -> Cost:
        """Scale each component by its factor."""
        return Cost(*(mine * factor for mine, factor in zip(astuple(self), astuple(factors), strict=True)))

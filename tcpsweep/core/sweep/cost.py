# SPDX-License-Identifier: MIT
"""The cost of a cell: time, memory and disk space."""

from __future__ import annotations

from dataclasses import astuple, dataclass

PARSING = 0.2  # share of a cell's seconds that remains if its raw files exist


@dataclass(frozen=True)
class Cost:
    """The cost of a cell."""

    seconds: float  # CPU time of the simulator and of its tables
    memory: float  # the peak memory of all its processes, in bytes
    # The sizes of its raw files and of its Parquet
    raw_bytes: float
    parquet_bytes: float

    def corrected(self, factors: Cost) -> Cost:
        """The cost with each component multiplied by its factor."""
        return Cost(*(mine * factor for mine, factor in zip(astuple(self), astuple(factors), strict=True)))

# SPDX-License-Identifier: MIT
"""What a cell takes: time, memory, and room on the disk."""

from __future__ import annotations

from dataclasses import astuple, dataclass

PARSING = 0.2  # of a cell's seconds, where its raw files are there already


@dataclass(frozen=True)
class Cost:
    """What a cell takes.

    Attributes
    ----------
    seconds : float
        CPU time of the simulator and of its tables.
    memory : float
        The most that its processes have together, in bytes.
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

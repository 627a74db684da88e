# SPDX-License-Identifier: MIT
"""The cost of a cell: time, memory and disk space."""

from dataclasses import dataclass

PARSING = 0.2  # share of a cell's seconds that remains if its raw files exist
Kind = tuple[str, ...]  # the settings that decide the cost of a packet, the most important first


@dataclass(frozen=True)
class Cost:
    """The cost of a cell."""

    seconds: float  # CPU time of the simulator and of its tables
    memory: float  # the peak memory of all its processes, in bytes
    # The sizes of its raw files and of its Parquet
    raw_bytes: float
    parquet_bytes: float


@dataclass(frozen=True)
class Measured:
    """A finished cell's cost, next to its estimate."""

    kind: Kind
    estimated: Cost
    taken: Cost


@dataclass(frozen=True)
class RunRecord:
    """The part of a cell's ``run.json`` that `run.cell_costs` adds."""

    cost: Measured

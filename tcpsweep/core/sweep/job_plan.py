# SPDX-License-Identifier: MIT
"""A batch's plan file: its cells and their cost. Planning writes it; the batch and its resources read it."""

from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from tcpsweep.core.sweep.cost import Cost, Kind
from tcpsweep.core.sweep.span import Span


@dataclass(frozen=True)
class PlannedCell:
    """A cell of a batch."""

    id: str
    arguments: tuple[str, ...]  # the arguments of the scenario, all but ``--out``
    measures: dict[str, Span]  # each identity of its metrics to the span that they cover
    kind: Kind  # the settings that decide the cost of its packets
    estimated: Cost  # its cost, estimated only from its parameters
    seconds: float  # the expected CPU time
    inputs: dict[str, str] = field(default_factory=dict)  # the files it reads, each to the hash of its content


@dataclass(frozen=True)
class JobPlan:
    """A batch: cells to simulate, to parse or to measure."""

    binary: str  # the scenario's program
    parser: str  # the identity of the code that makes the cells' Parquet
    decoder: str | None  # the library that reads captures; None without captures
    keep_raw: bool  # whether raw files are kept
    seconds: float  # the CPU time of all cells together
    memory: float  # the most memory of any cell, in bytes
    cells: list[PlannedCell]
    longest_s: float = 0.0  # the CPU time of the longest cell
    raw_bytes: float = 0.0  # the most bytes of raw files of any cell
    again: bool = False  # whether its cells had results when it was planned, and are simulated all the same


def stop_file(path: Path | str) -> Path:
    """The file next to a plan file that stops its batch from starting more cells."""
    return Path(path).with_suffix(".stop")


def encoded(job: JobPlan) -> str:
    """The plan file's text, JSON."""
    return msgspec.json.encode(job).decode()


def read(path: Path | str) -> JobPlan:
    """The batch in a plan file."""
    return msgspec.json.decode(Path(path).read_bytes(), type=JobPlan)

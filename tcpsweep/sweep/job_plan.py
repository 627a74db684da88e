# SPDX-License-Identifier: MIT
"""A job's plan file: its cells and their cost. Planning writes it; the job and its resources read it."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from tcpsweep.sweep.cost import Cost
from tcpsweep.sweep.span import Span


@dataclass(frozen=True)
class PlannedCell:
    """A cell of a job."""

    id: str
    arguments: tuple[str, ...]  # the arguments of the scenario, all but ``--out``
    measures: dict[str, Span]  # each identity of its metrics to the span that they cover
    estimated: Cost  # its cost as estimated from its parameters alone
    seconds: float  # the CPU time that it is expected to take; if it is simulated in real time, the time
    share: float = 0.0  # if it is simulated in real time, how much of a core that takes; else 0


@dataclass(frozen=True)
class JobPlan:
    """A job: cells to simulate, to parse or to measure."""

    binary: str  # the scenario's program
    parser: str  # the code id of the steps that make the cells' Parquet
    decoder: str | None  # the library that reads captures; None where nothing is captured
    keep_raw: bool  # whether raw files stay
    seconds: float  # the CPU time that the cells take together
    memory: float  # the most memory that any of them takes, in bytes
    cells: list[PlannedCell]


def stop_file(path: Path | str) -> Path:
    """The file beside a plan file that tells its job to begin no more cells."""
    return Path(path).with_suffix(".stop")


def encoded(job: JobPlan) -> str:
    """The plan file's text, JSON."""
    return msgspec.json.encode(job).decode()


def read(path: Path | str) -> JobPlan:
    """The job of a plan file."""
    return msgspec.json.decode(Path(path).read_bytes(), type=JobPlan)

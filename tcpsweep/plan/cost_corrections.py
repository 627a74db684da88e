# SPDX-License-Identifier: MIT
"""Correct estimates of cells by what earlier cells took, as `run.cell_costs` recorded it."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import TypeVar

from tcpsweep.plan.cost_estimates import estimate
from tcpsweep.store import layout, state_files
from tcpsweep.sweep.cost import Cost
from tcpsweep.sweep.sweep_record import Run, Sweep
from tcpsweep.sweepfile import schema

SAMPLE = 200
LEAST_SAMPLE = 3
T = TypeVar("T")


@dataclass(frozen=True)
class _Costs:
    estimated: Cost
    taken: Cost


@dataclass(frozen=True)
class _Run:
    """The part of a `run.json` that `run.cell_costs` adds."""

    cost: _Costs


def _recorded(folder: Path) -> tuple[Cost, Cost] | None:
    """The estimate and the cost that a finished cell left, or None."""
    said = state_files.read(folder / "run.json", _Run)
    if said is None or min(*astuple(said.cost.estimated), *astuple(said.cost.taken)) <= 0:
        return None
    return said.cost.estimated, said.cost.taken


def expected(sweep: Sweep, finished: Iterable[Run], parser: str) -> list[tuple[Cost, Cost]]:
    """The expected cost of a run, for each combination of a sweep.

    A combination with a finished run is expected to cost what that run cost. For the others, correct the estimate by
    comparing a sample of finished cells with their estimates: the sweep's own cells or, if these are too few, all
    cells of the scenario.

    Parameters
    ----------
    sweep : Sweep
    finished : iterable of Run
        The runs that have their metrics.
    parser : str
        The code id of the steps that make a cell's Parquet.

    Returns
    -------
    list of (Cost, Cost)
        For each combination, the uncorrected estimate and the expected cost.
    """
    estimates = [estimate(row, sweep.scenario, sweep.capture) for row in sweep.combinations]
    first = {combination: cell for cell, combination, _ in sorted(finished, reverse=True)}
    known: dict[int, tuple[Cost, Cost]] = {}
    for combination, cell in _some(sorted(first.items())):
        if found := _recorded(layout.parquet(cell, parser)):
            known[combination] = found
    seen = list(known.values())
    if len(seen) < LEAST_SAMPLE:
        seen = [
            found
            for cell in _some(_cells(schema.slug_name(sweep.scenario)))
            if (found := _recorded(layout.parquet(cell, parser)))
        ]
    factors = _factors(seen)
    return [
        (mere, known[combination][1] if combination in known else mere.corrected(factors))
        for combination, mere in enumerate(estimates)
    ]


def _some(items: list[T]) -> list[T]:
    """At most `SAMPLE` of the items, the same each time."""
    return random.Random(0).sample(items, SAMPLE) if len(items) > SAMPLE else items


def _cells(scenario: str) -> list[str]:
    """The ids of a scenario's cells that have Parquet."""
    try:
        return sorted(path.name for path in layout.CELLS.iterdir() if path.name.startswith(f"{scenario}-"))
    except OSError:
        return []


def _factors(seen: Sequence[tuple[Cost, Cost]]) -> Cost:
    """Correction factors for estimates: the ratio of the sums, and for memory the greatest ratio."""
    if len(seen) < LEAST_SAMPLE:
        return Cost(1, 1, 1, 1)
    ratios = [
        sum(getattr(taken, name) for _, taken in seen) / sum(getattr(estimated, name) for estimated, _ in seen)
        for name in ("seconds", "raw_bytes", "parquet_bytes")
    ]
    memory = max(taken.memory / estimated.memory for estimated, taken in seen)
    return Cost(ratios[0], memory, *ratios[1:])

# SPDX-License-Identifier: MIT
"""Expected costs of cells: the recorded cost of similar cells (`run.cell_costs`), or an estimate."""

import random
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from pathlib import Path

from tcpsweep.core.plan.cost_estimates import estimate
from tcpsweep.core.store import layout, state_files
from tcpsweep.core.sweep.cost import Cost
from tcpsweep.core.sweep.sweep_record import Run, Sweep
from tcpsweep.core.sweepfile.keys import schema

SAMPLE = 200  # the most cells that are read
LEAST_SAMPLE = 3  # the fewest cells that correct estimates


@dataclass(frozen=True)
class Recorded:
    """A finished cell's cost and its estimate, from its `run.json`."""

    estimated: Cost
    taken: Cost


@dataclass(frozen=True)
class _RunRecord:
    """The part of a `run.json` that `run.cell_costs` adds."""

    cost: Recorded


def expected(sweep: Sweep, finished: Iterable[Run], parser: str) -> list[tuple[Cost, Cost]]:
    """The uncorrected estimate and the expected cost of a run, for each combination of a sweep.

    A combination with a finished run is expected to cost as much as that run. For the others, the estimate is corrected
    by comparing a sample of finished cells with their estimates: the sweep's own cells or, if these are too few, all
    cells of the scenario.
    """
    finished_cells = {combination: cell for cell, combination, _ in sorted(finished, reverse=True)}
    recorded_by_cell = _recorded_costs(finished_cells.values(), parser)
    sample = recorded_by_cell
    if len(recorded_by_cell) < LEAST_SAMPLE:
        prefix = f"{schema.slug_name(sweep.scenario)}-"
        sample = _recorded_costs((cell for cell in layout.names_in(layout.CELLS) if cell.startswith(prefix)), parser)
    factors = _factors(list(sample.values()))
    costs = []
    for combination, row in enumerate(sweep.combinations):
        uncorrected = estimate(row, sweep.scenario, sweep.capture, sweep.inputs)
        own_cost = recorded_by_cell.get(finished_cells.get(combination, ""))
        costs.append((uncorrected, own_cost.taken if own_cost else uncorrected.corrected(factors)))
    return costs


def _recorded_costs(cells: Iterable[str], parser: str) -> dict[str, Recorded]:
    """The costs of at most `SAMPLE` cells, always the same ones."""
    ordered = sorted(cells)
    sample = random.Random(0).sample(ordered, SAMPLE) if len(ordered) > SAMPLE else ordered
    costs = {cell: read_cost(layout.parquet(cell, parser)) for cell in sample}
    return {cell: cost for cell, cost in costs.items() if cost}


def read_cost(folder: Path) -> Recorded | None:
    """The estimate and the cost in a finished cell's folder, or None."""
    run = state_files.read(folder / "run.json", _RunRecord)
    if run is None or min(*astuple(run.cost.estimated), *astuple(run.cost.taken)) <= 0:
        return None
    return run.cost


def _factors(cells: list[Recorded]) -> Cost:
    """Correction factors for estimates: the ratio of the sums, and for memory the greatest ratio."""
    if len(cells) < LEAST_SAMPLE:
        return Cost(1, 1, 1, 1)
    seconds, raw, parquet = (
        sum(getattr(cell.taken, name) for cell in cells) / sum(getattr(cell.estimated, name) for cell in cells)
        for name in ("seconds", "raw_bytes", "parquet_bytes")
    )
    return Cost(seconds, max(cell.taken.memory / cell.estimated.memory for cell in cells), raw, parquet)

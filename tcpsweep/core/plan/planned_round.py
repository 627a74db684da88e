# SPDX-License-Identifier: MIT
"""The cells of a sweep's next round, from the runs and points that earlier rounds determined."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from tcpsweep.core.identity import hashing
from tcpsweep.core.plan import checked_sweep, result_ids
from tcpsweep.core.plan.cell_commands import Cell
from tcpsweep.core.store import layout
from tcpsweep.core.sweep import rounds
from tcpsweep.core.sweep.sweep_record import Sweep
from tcpsweep.core.sweepfile.asked import in_rounds
from tcpsweep.core.sweepfile.document.yaml_document import Document


def with_cells(
    document: Document, sweep: Sweep, cells_of: Callable[[Sweep], list[Cell]]
) -> tuple[Sweep, list[Cell], bool]:
    """A sweep in its next round, its cells, and whether this is known to be the last round.

    ``sweep`` is the sweep in its first round; ``cells_of`` makes a sweep's cells.

    Raises
    ------
    yaml_document.Mistakes
        A combination of the round's points has problems.
    """
    cells = cells_of(sweep)
    if not in_rounds.is_asked(document.data):
        return sweep, cells, True
    request_id = _request_id(document, sweep, cells)
    state = rounds.read_rounds(layout.SWEEPS / sweep.name, request_id, sweep.open_axes)
    if state.points:
        sweep = checked_sweep.at_points(document, state.points)
        cells = cells_of(sweep)
    first_cells = _first_cells(sweep, cells)
    sweep = replace(sweep, asked=request_id)
    if sweep.counts:
        sweep = replace(sweep, counts=state.counts(first_cells, first=sweep.counts[0]))
        cells = cells_of(sweep)
    return sweep, cells, state.is_decided(first_cells)


def _request_id(document: Document, sweep: Sweep, cells: Sequence[Cell]) -> str:
    """The identity of the request; with open axes, also of everything that determines the first round's results.

    Results determine the next points, and they depend on the scenario, ns-3 and the span. A number of runs is stored
    under a cell's id, so it needs nothing more.
    """
    request = msgspec.json.encode(in_rounds.request(document.data), order="deterministic")
    if not sweep.open_axes:
        return hashing.short_hash(request)
    metrics_ids = (result_ids.metrics_id(result_ids.span(row, sweep.inputs)) for row in sweep.combinations)
    return hashing.short_hash(request, *_first_cells(sweep, cells), *metrics_ids)


def _first_cells(sweep: Sweep, cells: Sequence[Cell]) -> list[str]:
    return [cell.id for cell in cells if cell.run == sweep.runs[0]]

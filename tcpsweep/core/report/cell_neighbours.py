# SPDX-License-Identifier: MIT
"""The links of a cell's page: the runs before and after it, and the same run of other variants."""

from __future__ import annotations

from typing import NamedTuple

from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run


class Neighbours(NamedTuple):
    """The cells that a page links to."""

    # The nearest finished runs of the same combination: their numbers and cells.
    previous: tuple[int, str] | None
    following: tuple[int, str] | None
    runs: int  # how many runs of the combination are finished
    variants: list[tuple[str, str]]  # that finished this run in this network, in the sweep's order, with their cells


def neighbours_by_cell(sweep: PlannedSweep, finished: list[Run]) -> dict[str, Neighbours]:
    """The neighbours of each finished cell; if several runs share a cell, the first run's neighbours.

    Combinations for harm, or in the setting of a published study, are no neighbours of the sweep's own combinations.
    """
    # All values of a combination but its variant, the values tied to the variant, and its purpose.
    networks = [(_purpose(sweep, number), key) for number, key in enumerate(axes.network_keys(sweep))]
    cells: dict[int, dict[int, str]] = {}
    variants: dict[tuple[tuple[int, str], int], dict[str, str]] = {}
    for cell, combination, run in finished:
        cells.setdefault(combination, {})[run] = cell
        variant = sweep.combinations[combination].variant
        variants.setdefault((networks[combination], run), {}).setdefault(variant, cell)
    by_cell: dict[str, Neighbours] = {}
    for combination, cell_of_run in cells.items():
        numbers = sorted(cell_of_run)
        for place, run in enumerate(numbers):
            before, after = numbers[place - 1 : place] if place else [], numbers[place + 1 : place + 2]
            neighbours = Neighbours(
                (before[0], cell_of_run[before[0]]) if before else None,
                (after[0], cell_of_run[after[0]]) if after else None,
                len(numbers),
                list(variants[networks[combination], run].items()),
            )
            by_cell.setdefault(cell_of_run[run], neighbours)
    return by_cell


def _purpose(sweep: PlannedSweep, number: int) -> int:
    return (number >= sweep.swept) + (number >= sweep.published.first)

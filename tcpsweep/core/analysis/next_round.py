# SPDX-License-Identifier: MIT
"""The next round, derived from the tables of a round: the number of runs of each combination, and more points."""

from collections.abc import Collection

import polars as pl

from tcpsweep.core.sweep.rounds import Point
from tcpsweep.core.sweep.sweep_record import PlannedSweep, Run
from tcpsweep.features.precision import precision_table
from tcpsweep.features.refine import refinement
from tcpsweep.features.search import searched_networks
from tcpsweep.features.search.searched_networks import Seen


def wanted_next(
    sweep: PlannedSweep,
    precision: pl.DataFrame,
    looked_at: pl.DataFrame,
    covered: Collection[Run],
    seen: Seen | None = None,
) -> tuple[dict[str, int], dict[str, int], list[Point]]:
    """The runs and points of the next round, which depend only on the results.

    Points are added after all combinations are as precise as requested, so that no choice uses an interval that still
    gets narrower.

    Parameters
    ----------
    precision : DataFrame
        From `precision_table.table`.
    looked_at : DataFrame
        From `refinement.points`.
    covered : collection of Run
        The finished runs.
    seen : Seen, optional
        From `searched_networks.seen`, if the sweep searches.

    Returns
    -------
    wanted, had : dict
        The id of each combination's first cell to the number of runs that it needs, and to the number that it had.
    points : list of Point
        The points of this round, followed by the points of the next round. A search has all its points at first.
    """
    if seen:
        return (*searched_networks.next_round(sweep, seen), [])
    wanted, had = precision_table.next_round(sweep, precision, covered)
    if wanted != had:
        return wanted, had, sweep.points
    return wanted, had, refinement.next_points(sweep, looked_at)

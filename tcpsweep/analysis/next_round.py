# SPDX-License-Identifier: MIT
"""What the tables of a round say about the next one: how many runs each combination is to have, and more points."""

from collections.abc import Collection

import polars as pl

from tcpsweep.analysis import precision, refinement
from tcpsweep.sweep.points import Point
from tcpsweep.sweep.sweep_record import PlannedSweep, Run


def of(
    sweep: PlannedSweep, known: pl.DataFrame, looked_at: pl.DataFrame, covered: Collection[Run]
) -> tuple[dict[str, int], dict[str, int], list[Point]]:
    """What the next round is to have, all of it a function of the results.

    Points follow once all combinations are as precise as asked: none is chosen by an interval that gets narrower still.

    Parameters
    ----------
    sweep : PlannedSweep
    known : DataFrame
        From `precision.table`.
    looked_at : DataFrame
        From `refinement.points`.
    covered : collection of Run
        The finished runs.

    Returns
    -------
    wanted, had : dict
        The id of each combination's first cell to the number of runs that it is to have, and that it had.
    points : list of Point
        Those of this round, and those of the next.
    """
    wanted, had = precision.next_round(sweep, known, covered)
    if wanted != had:
        return wanted, had, sweep.points
    return wanted, had, refinement.next_points(sweep, looked_at)

# SPDX-License-Identifier: MIT
"""What the tables of a round say about the next one: how many runs each combination is to have, and more points."""

from collections.abc import Collection

import polars as pl

from tcpsweep.analysis import precision, refinement, search
from tcpsweep.analysis.search import Seen
from tcpsweep.sweep.rounds import Point
from tcpsweep.sweep.sweep_record import PlannedSweep, Run


def wanted_next(
    sweep: PlannedSweep,
    known: pl.DataFrame,
    looked_at: pl.DataFrame,
    covered: Collection[Run],
    seen: Seen | None = None,
) -> tuple[dict[str, int], dict[str, int], list[Point], int | None]:
    """What the next round is to have, all of it a function of the results.

    Points follow once all combinations are as precise as asked: none is chosen by an interval that gets narrower still.

    Parameters
    ----------
    known : DataFrame
        From `precision.table`.
    looked_at : DataFrame
        From `refinement.points`.
    covered : collection of Run
        The finished runs.
    seen : Seen, optional
        From `search.seen`, if the sweep searches.

    Returns
    -------
    wanted, had : dict
        The id of each combination's first cell to the number of runs that it is to have, and that it had.
    points : list of Point
        Those of this round, and those of the next.
    first : int or None
        How many runs the combinations of new points are to have; None for as many as those of the first round had.
    """
    if seen:
        return search.next_round(sweep, seen)
    wanted, had = precision.next_round(sweep, known, covered)
    if wanted != had:
        return wanted, had, sweep.points, None
    return wanted, had, refinement.next_points(sweep, looked_at), None

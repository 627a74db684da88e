# SPDX-License-Identifier: MIT
"""The next round, derived from the tables of a round: the number of runs of each combination, and more points."""

from collections.abc import Iterable

from tcpsweep.core.analysis.run_results import RunResults
from tcpsweep.core.contact.tables import AddedTables
from tcpsweep.core.sweep.rounds import Point


def wanted_next(
    results: RunResults, added_tables: Iterable[AddedTables]
) -> tuple[dict[str, int], dict[str, int], list[Point]]:
    """The runs and points of the next round, which depend only on the results.

    A question has its turn after the ones before it need no more runs. So points are added after all combinations are
    as precise as requested, and no choice uses an interval that still gets narrower.

    Returns
    -------
    wanted, had : dict
        The id of each combination's first cell to the number of runs that it needs, and to the number that it had.
    points : list of Point
        The points of this round, followed by the points of the next round. A search has all its points at first.
    """
    sweep = results.full
    had = sweep.by_first_cell(sweep.run_counts())
    wanted, points = had, sweep.points
    for added in added_tables:
        if added.next_round and added.key in sweep.questions and wanted == had:
            wanted, points = added.next_round(results)
    return wanted, had, points

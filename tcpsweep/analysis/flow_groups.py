# SPDX-License-Identifier: MIT
"""The groups of flows of described networks: under which name the sweep file has each flow."""

import polars as pl

from tcpsweep.sweep import network_graph
from tcpsweep.sweep.sweep_record import PlannedSweep

SCHEMA = {"combination": pl.Int64, "flow": pl.Int32, "group": pl.String}


def of(sweep: PlannedSweep) -> pl.DataFrame:
    """The name of each flow's group.

    Flows are numbered as the simulator numbers them: group by group in the file's order.

    Returns
    -------
    DataFrame
        ``combination``, ``flow``, ``group``; no rows for combinations whose network is not described.
    """
    rows = [
        (combination, flow, group)
        for combination, row in enumerate(sweep.combinations)
        for flow, group in enumerate(
            name for name in network_graph.things(row, "flows") for _ in range(network_graph.count(row, "flows", name))
        )
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")

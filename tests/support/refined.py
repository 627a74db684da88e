# SPDX-License-Identifier: MIT
"""A sweep that refines the bandwidth at which BBR begins to beat CUBIC, round by round, without a simulator."""

import numpy as np
import polars as pl

from tcpsweep.analysis import next_round, precision, refinement
from tcpsweep.sweep import sweep_record
from tcpsweep.sweep.sweep_record import Run
from tcpsweep.sweepfile.combinations import grid
from tcpsweep.words import metrics, quantities

DATA = {
    "sweep": "s",
    "scenario": "dumbbell",
    "grid": {"variant": ["TcpCubic", "TcpBbr"], "delay": ["5ms", "50ms"]},
    "repetitions": 6,
    "refine": {
        "axis": "bandwidth",
        "between": "1Mbps and 100Mbps",
        "where": "goodput_bps of TcpBbr - TcpCubic changes sign",
        "to": "10%",
    },
}
TURN = {"5ms": 7e6, "50ms": 2.2e7}


def planned(data, points=()):
    """A sweep as the plan leaves it, with a cell for each run."""
    sweep, problems = grid.expand(data, known=points)
    assert problems == []
    cells = [Run(f"{n}-{run}", n, run) for n in range(len(sweep.combinations)) for run in sweep.runs_of(n)]
    about = {"parser": "p", "measures": [], "spans": [], "ns3_version": "", "ns3_libraries": "", "ns3_prefix": None}
    return sweep_record.planned(
        sweep, **about, scenario_code="", variants={}, warnings=[], metrics_code="", cells=cells
    )


def values(sweep, share, spread=1e-3):
    """What runs have, if BBR has ``share(row)`` of CUBIC's goodput, but for a spread that run numbers give."""
    rows = []
    for cell, number, run in sweep.cells:
        row = sweep.combinations[number]
        noise = np.random.default_rng([run, len(row["variant"])]).normal(1, spread)
        value = 1e6 * noise * (share(row) if row["variant"] == "TcpBbr" else 1)
        rows.append((number, row["variant"], "goodput_bps", run, cell, value, False))
    schema = {"combination": pl.Int64, "flow_variant": pl.String, "metric": pl.Enum(list(metrics.METRICS))}
    schema |= {"run": pl.Int64, "digest": pl.String, "value": pl.Float64, "counts": pl.Boolean}
    return pl.LazyFrame(rows, schema=schema, orient="row")


def share(row, turns=TURN):
    """Below 1 up to the network's turn."""
    return (quantities.si(row["bandwidth"], "rate") / turns[row["delay"]]) ** 0.1


def refined(share, data=DATA, given=None, **spread):
    """A sweep of which no round is left, and the differences that it saw, in ``given(sweep)`` instead of `values`."""
    sweep = planned(data)
    while True:
        looked_at = refinement.points(sweep, given(sweep) if given else values(sweep, share, **spread))
        known = precision.table(sweep, pl.DataFrame()) if sweep.precision is None else None
        _, _, points, _ = next_round.wanted_next(sweep, known, looked_at, sweep.cells)
        if points == sweep.points:
            return sweep, looked_at
        sweep = planned(data, points)

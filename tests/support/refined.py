# SPDX-License-Identifier: MIT
"""A sweep that refines the bandwidth at which BBR begins to beat CUBIC, round by round, without a simulator."""

import numpy as np

from tcpsweep.core.words import units
from tcpsweep.features.refine import refinement
from tests.support import synthetic
from tests.support.synthetic import planned

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


def values(sweep, share, spread=1e-3):
    """What runs have, if BBR has ``share(row)`` of CUBIC's goodput, but for a spread that run numbers give."""
    rows = []
    for cell, number, run in sweep.cells:
        row = sweep.combinations[number]
        noise = np.random.default_rng([run, len(row["variant"])]).normal(1, spread)
        value = 1e6 * noise * (share(row) if row["variant"] == "TcpBbr" else 1)
        rows.append((number, row["variant"], "goodput_bps", run, cell, value, False))
    return synthetic.by_run(rows).lazy()


def share(row, turns=TURN):
    """Below 1 up to the network's turn."""
    return (units.si(row["bandwidth"], "rate") / turns[row["delay"]]) ** 0.1


def refined(share, data=DATA, given=None, **spread):
    """A sweep whose rounds are finished, and the differences that it saw, in ``given(sweep)`` instead of `values`."""
    sweep = planned(data)
    while True:
        looked_at = refinement.points(sweep, given(sweep) if given else values(sweep, share, **spread))
        points = refinement.next_points(sweep, looked_at)
        if points == sweep.points:
            return sweep, looked_at
        sweep = planned(data, points)

# SPDX-License-Identifier: MIT
"""A sweep that searches for BBR's worst network condition in competition with CUBIC, without a simulator."""

import functools
import math

import numpy as np

from tcpsweep.core.words import units
from tcpsweep.features.search import searched_networks
from tests.support import synthetic
from tests.support.synthetic import planned

DATA = {
    "sweep": "s",
    "scenario": "dumbbell",
    "grid": {"variant": ["TcpCubic", "TcpBbr"]},
    "repetitions": 5,
    "search": {
        "worst": "goodput_bps of TcpBbr - TcpCubic",
        "over": {"bandwidth": "1Mbps to 50Mbps", "delay": "5ms to 200ms", "loss": "0 to 0.02"},
        "cells": 120,
    },
}


def values(sweep, share, spread=0.01, common=lambda run: 1, cubic=lambda row: 1):
    """What runs have, if BBR has ``share(row, run)`` of CUBIC's goodput, but for a spread that run numbers give."""
    rows = []
    for cell, number, run in sweep.cells:
        row = sweep.combinations[number]
        noise = np.random.default_rng(list(cell.encode())).normal(1, spread)
        value = 1e6 * noise * (share(row, run) if row["variant"] == "TcpBbr" else cubic(row) * common(run))
        rows.append((number, row["variant"], "goodput_bps", run, cell, value, False))
    return synthetic.by_run(row for row in rows if not math.isnan(row[5])).lazy()


def hole(row, run=1):
    """BBR gets a tenth at 12 Mbit/s and 15 ms without losses, and more the further away, by factors."""
    rate, delay = units.si(row["bandwidth"], "rate"), units.si(row["delay"], "time")
    away = math.log(rate / 12e6) ** 2 + math.log(delay / 0.015) ** 2
    return 1 - 0.9 * math.exp(-away / 0.5) * (1 if row["loss"] < 0.001 else 0.3)


def searched(share, data=DATA, **given):
    """A sweep whose search has ended, and its table."""
    sweep = planned(data, first=1)
    wanted = searched_networks.next_runs(sweep, searched_networks.seen(sweep, values(sweep, share, **given)))
    sweep = planned(data, wanted=wanted, first=1)
    seen = searched_networks.seen(sweep, values(sweep, share, **given))
    assert not seen.wanted
    return sweep, searched_networks.table(sweep, seen)


@functools.cache
def at_hole():
    return searched(hole)

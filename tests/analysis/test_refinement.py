# SPDX-License-Identifier: MIT
"""Where a difference turns in each network: round by round, from tables that are made here."""

import numpy as np
import polars as pl
import pytest

from tcpsweep.analysis import axis_columns, next_round, precision, refinement
from tcpsweep.sweep import sweep_record
from tcpsweep.sweep.sweep_record import Run
from tcpsweep.sweepfile import grid
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


def share(row):
    """Below 1 up to the network's turn."""
    return (quantities.si(row["bandwidth"], "rate") / TURN[row["delay"]]) ** 0.1


def refined(share, data=DATA, **given):
    """A sweep of which no round is left, and the differences that it saw."""
    sweep = planned(data)
    while True:
        looked_at = refinement.points(sweep, values(sweep, share, **given))
        known = precision.table(sweep, pl.DataFrame()) if sweep.precision is None else None
        _, _, points = next_round.of(sweep, known, looked_at, sweep.cells)
        if points == sweep.points:
            return sweep, looked_at
        sweep = planned(data, points)


def test_each_network_gets_the_values_around_its_own_turn():
    sweep, looked_at = refined(share)
    turns = refinement.turns(sweep, looked_at)
    assert turns["turn"].to_list() == [1, 1]
    for row, at in zip(turns.iter_rows(named=True), TURN.values(), strict=True):
        assert row["low_edge"] < at < row["high_edge"]
        assert row["estimate"] == pytest.approx(at, rel=0.05)
        assert (row["before"], row["after"], row["reached"]) == (-1, 1, True)
        assert row["cells"] == row["values"] * 2 * 6
    assert max(turns["values"]) < 5 + 2 * 5
    of_one = {delay: {row["bandwidth"] for row in sweep.combinations if row["delay"] == delay} for delay in TURN}
    assert of_one["5ms"] - of_one["50ms"]
    assert of_one["50ms"] - of_one["5ms"]
    known = axis_columns.combinations(sweep)
    assert refinement.with_axes(sweep, known, turns).columns[:3] == ["combination", "delay_s", "network"]
    assert "bandwidth_bps" in refinement.with_axes(sweep, known, looked_at).columns


def test_the_same_results_lead_to_the_same_points():
    assert refined(share)[0].points == refined(share)[0].points


def test_where_the_runs_do_not_tell_a_band_is_left():
    sweep, looked_at = refined(share, spread=0.05)
    row = refinement.turns(sweep, looked_at).row(0, named=True)
    undecided = looked_at.filter(pl.col("sign") == 0, pl.col("network") == 0)["at"]
    assert undecided.len() > 1
    assert row["low_edge"] < undecided.min() <= row["low_edge"] * 1.1
    assert undecided.max() < row["high_edge"] <= undecided.max() * 1.1
    assert row["reached"]


def test_a_network_without_a_change_of_sign_is_left_at_the_first_values():
    sweep, looked_at = refined(lambda row: 0.5 if row["delay"] == "5ms" else share(row))
    rows = refinement.turns(sweep, looked_at).to_dicts()
    assert [(row["turn"], row["values"] > 5) for row in rows] == [(None, False), (1, True)]
    assert (rows[0]["before"], rows[0]["after"], rows[0]["low_edge"]) == (-1, -1, None)


def test_runs_that_are_alike_have_a_sign_and_those_without_their_pair_have_none():
    sweep = planned(DATA)
    alike = values(sweep, share).with_columns(value=pl.col("value").first().over("combination"), digest=pl.lit("same"))
    assert refinement.points(sweep, alike)["sign"].to_list() == [-1, -1, 1, 1, 1, -1, -1, -1, 1, 1]
    lost = values(sweep, share).filter(~((pl.col("run") == 3) & (pl.col("combination") == 0)))
    signs = refinement.points(sweep, lost)["sign"].to_list()
    assert sum(sign == 0 for sign in signs) == 1


def test_points_wait_until_the_means_are_as_precise_as_asked():
    sweep = planned({key: value for key, value in DATA.items() if key != "repetitions"} | {"precision": {"jain": 0.1}})
    looked_at = refinement.points(sweep, values(sweep, share))
    schema = precision.COLUMNS
    for next_runs in (30, 10):
        rows = [(number, None, "jain", 10, 10, 0.5, 0.1, 0.1, False, next_runs) for number in range(20)]
        known = pl.DataFrame(rows, schema=schema, orient="row")
        wanted, had, points = next_round.of(sweep, known, looked_at, sweep.cells)
        assert (wanted == had) == (next_runs == 10)
        assert (points == sweep.points) == (next_runs == 30)

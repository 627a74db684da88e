# SPDX-License-Identifier: MIT
"""Which combinations need more runs: by their intervals, network by network."""

import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

from tcpsweep.core.sweep import rounds, sweep_record, sweep_tables
from tcpsweep.features.precision import precision_table
from tests.support import synthetic

TEXT = Path(__file__).parent.joinpath("sweeps", "precise.yaml").read_text()
DRAWS = np.random.default_rng(5).normal(1, 0.1, 100)


def goodput(row, run):
    """The same in all runs; only BBR's with loss differs."""
    return [1e6 * (DRAWS[run] if row["loss"] and row["variant"] == "TcpBbr" else 1)]


pytestmark = pytest.mark.usefixtures("here")


def test_the_widest_interval_of_a_network_decides_for_all_its_variants():
    folder = synthetic.sweep(TEXT, goodput)
    table = sweep_tables.read(folder, "precision")
    sweep = sweep_record.read(folder)
    of_draws = DRAWS[1:11] * 1e6
    half = stats.t.ppf(0.975, 9) * of_draws.std(ddof=1) / math.sqrt(10)
    (row,) = table.filter(~table["reached"]).to_dicts()
    assert (row["loss"], row["flow_variant"]) == (0.01, "TcpBbr")
    assert row["half_width"] == pytest.approx(half, rel=0.01)
    assert row["asked"] == pytest.approx(0.05 * of_draws.mean(), rel=0.01)
    assert row["next_runs"] == math.ceil(10 * (row["half_width"] / row["asked"]) ** 2)
    known = rounds.read_rounds(folder, sweep.asked)
    first_cells = [run.cell for run in sweep.cells if run.run == 1]
    with_loss = [combination["loss"] == 0.01 for combination in sweep.combinations]
    assert known.counts(first_cells, rounds.FIRST_RUNS) == [row["next_runs"] if lossy else 10 for lossy in with_loss]
    assert known.undecided == [cell for cell, lossy in zip(first_cells, with_loss, strict=True) if lossy]
    assert not known.is_decided(first_cells)
    assert known.is_decided([cell for cell, lossy in zip(first_cells, with_loss, strict=True) if not lossy])


def test_variants_with_settings_of_their_own_get_the_same_runs():
    combinations = [{"variant": "TcpCubic", "queue": "10p"}, {"variant": "TcpBbr", "queue": "20p"}]
    cells = [sweep_record.Run(f"{number}-{run}", number, run) for number in (0, 1) for run in range(1, 11)]
    known = pl.DataFrame({"combination": [0, 1], "next_runs": [10, 30]})
    given = {"combinations": combinations, "runs": tuple(range(1, 51)), "counts": [10, 10], "cells": cells}
    for own, runs in (([], {"0-1": 10, "1-1": 30}), (["queue"], {"0-1": 30, "1-1": 30})):
        sweep = synthetic.record(**given, with_variant=own)
        assert precision_table.next_runs(sweep, known, cells) == runs


def test_a_network_of_which_runs_failed_gets_no_more_and_nobody_waits_for_it():
    folder = synthetic.sweep(TEXT, goodput, fails=lambda row, run: row["variant"] == "TcpCubic" and run == 3)
    sweep = sweep_record.read(folder)
    known = rounds.read_rounds(folder, sweep.asked)
    assert set(known.runs.values()) == {10}
    assert known.undecided == []


def test_nobody_asks_for_more_than_is_allowed_and_another_wish_or_a_damaged_file_begins_again():
    folder = synthetic.sweep(TEXT.replace("5%", "0.1%"), goodput)
    asked = sweep_record.read(folder).asked
    assert max(rounds.read_rounds(folder, asked).runs.values()) == 50
    file = folder / rounds.FILE
    for written in (json.dumps(json.loads(file.read_text()) | {"asked": "another wish"}), "{"):
        file.write_text(written)
        assert rounds.read_rounds(folder, asked).runs == {}


@pytest.mark.parametrize(
    ("flows", "at_most", "rotations", "next_runs"), [(2, 50, 5, 20), (11, 60, 1, 55), (11, 10, 1, 10)]
)
def test_a_mix_that_changes_places_has_ten_rotations_or_as_many_as_are_allowed(flows, at_most, rotations, next_runs):
    text = TEXT.replace("[TcpCubic, TcpBbr]", "[TcpCubic+TcpBbr]").replace("at_most: 50", f"at_most: {at_most}")
    text = text.replace("flows: 1", f"flows: {flows}, start_stagger: 1s")
    table = sweep_tables.read(synthetic.sweep(text, lambda row, run: [1e6] * flows), "precision")
    assert (set(table["runs"]), set(table["next_runs"])) == ({rotations}, {next_runs})
    assert not table["reached"].any()

# SPDX-License-Identifier: MIT
"""The crossover of a difference in each network condition: round by round, from made-up tables."""

import contextlib
from pathlib import Path

import polars as pl
import pytest

from tcpsweep.core.analysis import next_round
from tcpsweep.core.analysis.run_results import RunResults
from tcpsweep.core.analysis.table_parts import Parts
from tcpsweep.core.sweep import rounds, sweep_record
from tcpsweep.features.precision import precision_table
from tcpsweep.features.refine import refinement
from tcpsweep.registry.tables import TABLES
from tests.support import synthetic
from tests.support.refined import DATA, TURN, refined, share, values
from tests.support.synthetic import planned


def test_each_network_gets_the_values_around_its_own_turn(tmp_path):
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
    assert of_one["5ms"] - of_one["50ms"] and of_one["50ms"] - of_one["5ms"]
    results = RunResults(tmp_path, sweep, Parts(tmp_path))
    results.parts.add("runs", values(sweep, share).collect())
    tables = dict(refinement.tables(results))
    assert tables["refined"].columns[:3] == ["combination", "delay_s", "network"]
    assert "bandwidth_bps" in tables["refined_points"].columns


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


def test_points_wait_until_the_means_are_as_precise_as_asked(tmp_path):
    sweep = planned({key: value for key, value in DATA.items() if key != "repetitions"} | {"precision": {"jain": 0.1}})
    looked_at = refinement.points(sweep, values(sweep, share))
    schema = precision_table.COLUMNS
    for next_runs in (30, 10):
        rows = [(number, None, "jain", 10, 10, 0.5, 0.1, 0.1, False, next_runs) for number in range(20)]
        known = pl.DataFrame(rows, schema=schema, orient="row")
        results = RunResults(tmp_path, sweep, Parts(tmp_path), sweep.cells)
        results.parts.add("precision", known)
        results.parts.add("refined_points", looked_at)
        wanted, had, points = next_round.wanted_next(results, TABLES)
        assert (wanted == had) == (next_runs == 10)
        assert (points == sweep.points) == (next_runs == 30)


def test_a_variant_whose_runs_are_all_alike_leaves_the_chance_of_the_other_s_runs():
    sweep = planned(DATA)
    of_cubic = pl.col("flow_variant") == "TcpCubic"
    one_alike = values(sweep, lambda row: 1.0, spread=0.1).with_columns(
        value=pl.when(of_cubic).then(1e6).otherwise("value"),
        digest=pl.when(of_cubic).then(pl.lit("same")).otherwise("digest"),
    )
    found = refinement.points(sweep, one_alike)
    assert found["distinct_runs"].to_list() == [6] * 10
    assert found["sign"].to_list() == [0] * 10
    assert (found["high"] - found["low"]).min() > 1e4


def test_a_value_of_which_all_runs_failed_is_gone_round():
    failed = {"bandwidth": "5.623Mbps", "variant": "TcpBbr", "delay": "5ms"}

    def without(sweep):
        numbers = [number for number, row in enumerate(sweep.combinations) if row.with_values(failed) == row]
        return values(sweep, share).filter(~pl.col("combination").is_in(numbers))

    sweep, looked_at = refined(share, given=without)
    row = refinement.turns(sweep, looked_at).row(0, named=True)
    # One more value between the edges, nearer to the crossover than these runs can resolve.
    assert row["low_edge"] < TURN["5ms"] < row["high_edge"] <= 1.1**2 * row["low_edge"]
    assert (row["reached"], row["undecided"], row["incomplete"]) == (True, 2, 1)


def test_where_runs_are_missing_everywhere_nothing_is_reached():
    sweep = planned(DATA)
    for kept in (pl.col("run") != 2, pl.col("flow_variant") != "TcpBbr"):
        looked_at = refinement.points(sweep, values(sweep, share).filter(kept))
        rows = refinement.turns(sweep, looked_at).to_dicts()
        assert [(row["turn"], row["before"], row["reached"]) for row in rows] == [(None, None, None)] * 2
        assert [(row["values"], row["undecided"], row["incomplete"]) for row in rows] == [(5, 5, 5)] * 2
        assert refinement.next_points(sweep, looked_at) == sweep.points


def test_networks_that_lack_an_attribute_have_points_of_their_own():
    attribute = "ns3::TcpSocket::InitialCwnd"  # which a preset would set
    variants = {"variant": ["TcpCubic", "TcpBbr"], "delay": ["5ms"]}
    data = DATA | {"tcp": "ns-3", "grid": [variants, variants | {attribute: [4]}]}
    sweep, _ = refined(lambda row: 0.5 if attribute in row else share(row), data)
    of_each = [{row["bandwidth"] for row in sweep.combinations if (attribute in row) == has} for has in (False, True)]
    assert [len(found) > 5 for found in of_each] == [True, False]


TEXT = Path(__file__).parent.joinpath("sweeps", "refined.yaml").read_text()


def made(folder, failing):
    """What a sweep comes to, round by round, of which one run fails in the first round."""

    def goodput(row, run):
        return [1e6 * (1 + 0.01 * run) * (share(row | {"delay": "5ms"}) if row["variant"] == "TcpBbr" else 1)]

    folder.mkdir()
    with contextlib.chdir(folder):
        for failed in (failing, None, None):
            folder = synthetic.sweep(TEXT, goodput, fails=lambda row, run, failed=failed: run == failed)
        known = rounds.read_rounds(folder, sweep_record.read(folder).asked)
        return known, pl.read_parquet(folder / "refined.parquet")


@pytest.mark.long
def test_a_sweep_that_is_interrupted_comes_to_the_same_cells(tmp_path):
    known, table = made(tmp_path / "whole", None)
    again, other = made(tmp_path / "broken", 3)
    assert known == again
    assert table.equals(other)
    assert table.select("values", "reached").rows() == [(6, True)]

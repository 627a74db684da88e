# SPDX-License-Identifier: MIT
"""A search for the worst network condition: round by round, from made-up tables."""

import math

import numpy as np
import polars as pl
import pytest

from tcpsweep.core.sweep import bounds
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.words import units
from tcpsweep.features.search import network_sweep_file, search_record, searched_networks
from tests.support.searched import DATA, at_hole, hole, searched
from tests.support.synthetic import planned


def asked(**of_search):
    """The sweep with other keys of its search."""
    return DATA | {"search": DATA["search"] | of_search}


def only(table, role):
    """The table's only row of a role."""
    return table.filter(pl.col("role") == role).row(0, named=True)


SMALL = asked(cells=80)


def test_it_finds_the_hole_and_checks_it():
    sweep, table = at_hole()
    assert table["looked"].count() == 30
    assert len(sweep.cells) == 120
    found = only(table, "found")
    assert found["looked"] == table["looked"].min()
    assert found["low"] < found["mean"] < found["high"] < -0.5
    assert (found["high"], found["runs"], found["bound"]) == (table["high"].min(), 5, -0.02)
    assert found["mean"] == pytest.approx(found["own_mean"] / found["against_mean"] - 1)
    row = sweep.combinations[found["combination"]]
    assert 5e6 < units.si(row["bandwidth"], "rate") < 2e7
    assert searched(hole)[0].points == sweep.points, "the same results make the same networks"


def test_a_lucky_look_is_not_taken_for_a_find():
    # Three networks in ten have a bad first run, for no reason.
    def luck(row, run):
        is_bad = run == 1 and np.random.default_rng(list(str(sorted(row.items())).encode())).random() < 0.3
        return 0.2 if is_bad else 1.0

    _, table = searched(luck)
    tried = table.filter(pl.col("runs").is_not_null())
    assert set(table["role"]) == {"looked", "tried"}
    assert tried.height >= 3
    assert tried["looked"].min() < -0.7 < -0.1 < tried["mean"].min()
    assert not tried["shows"].any()


def test_networks_whose_cells_failed_are_passed_over_and_no_check_is_made_beyond_the_budget():
    def fails(row, run):
        return math.nan if units.si(row["bandwidth"], "rate") > 20e6 else hole(row, run)

    _, table = searched(fails)
    assert table.filter(pl.col("looked").is_null(), pl.col("role") == "looked").height > 0
    small, other = searched(hole, asked(cells=40))
    assert len(small.cells) <= 40
    assert "found" in set(table["role"]) & set(other["role"])


def test_a_bound_beyond_which_half_of_the_networks_are_is_told():
    for bound, is_ordinary in (("-85%", False), ("-1%", True)):
        sweep, table = searched(lambda row, run: 0.9 * hole(row, run), asked(cells=80, bound=bound))
        assert searched_networks.is_ordinary(search_record.of(sweep), table) == is_ordinary


def test_the_worst_is_that_of_the_worst_variant_if_one_is_worse_anywhere():
    _, table = searched(hole, asked(worst="goodput_bps"))
    found = only(table, "found")
    assert found["variant_of_flows"] == "TcpBbr"
    assert found["own_mean"] == found["mean"] == pytest.approx(3.4e5, rel=0.05)
    # Where a variant is nowhere worse, nothing is found.
    _, table = searched(lambda row, run: 1.05 + 0.8 * hole(row), SMALL)
    assert set(table["role"]) == {"looked", "tried"}
    assert table["bound"].max() == -0.02  # the smallest effect of interest, on the side that is worse


def test_what_the_found_file_expects_holds_by_the_runs_that_found_it(tmp_path):
    # Runs of one number share how much there is to have, so that the difference is known well, and neither mean is.
    def common(row, run):
        return hole(row) * np.random.default_rng([run, 1]).normal(1, 0.3)

    sweep, table = searched(common, SMALL, common=lambda run: np.random.default_rng([run, 1]).normal(1, 0.3))
    row = only(table, "found")
    texts = network_sweep_file.expected(sweep, search_record.of(sweep), row)
    for text in texts:
        _, _, variant, sign, bound = text.split()[:5]
        side = "own" if variant == "TcpBbr" else "against"
        ends = (row[f"{side}_{end}"] for end in ("mean", "low", "high"))
        assert bounds.met(sign, float(bound), *ends) == "holds"
    network_sweep_file.write(tmp_path, sweep, table, is_ended=True)
    assert len(yaml_document.read(tmp_path / network_sweep_file.FILE).data.get("expect", [])) == len(texts)


def test_what_some_fresh_runs_have_no_value_of_is_not_found():
    def now_and_then(row, run):
        return math.nan if run == 3 and hole(row) < 0.8 else hole(row)

    _, table = searched(now_and_then, SMALL)
    tried = table.filter(pl.col("role") == "tried")
    assert tried.height > 0
    assert tried.filter(pl.col("looked") < -0.3)["mean"].null_count() > 0


def test_the_found_network_is_a_sweep_file_that_expects_what_was_found(tmp_path):
    sweep, table = at_hole()
    network_sweep_file.write(tmp_path, sweep, table, is_ended=True)
    data = yaml_document.read(tmp_path / network_sweep_file.FILE).data
    values = sweep.combinations[only(table, "found")["combination"]]
    assert data["fixed"] == {name: values[name] for name in ("bandwidth", "delay", "loss")}
    assert data["runs"] == [2, 3, 4, 5, 6]
    (below, own), (above, against) = (text.split()[3:5] for text in data["expect"])
    assert (below, above) == ("<=", ">=")
    assert 0.2e6 < float(own) == float(against) < 0.9e6
    network_sweep_file.write(tmp_path, sweep, table, is_ended=False)
    assert not (tmp_path / network_sweep_file.FILE).exists()


@pytest.mark.long
def test_the_best_confirmed_difference_is_told_whatever_the_bound():
    # BBR has an eighth less where the rate is low; runs vary by as much, so that one look promises far more.
    def noisy(row, run):
        low = units.si(row["bandwidth"], "rate") < 7e6
        return (0.8 if low else 1.0) * np.random.default_rng([run, len(str(sorted(row.items())))]).normal(1, 0.05)

    sweep, table = searched(noisy, asked(cells=160))
    found = only(table, "found")
    assert found["mean"] == pytest.approx(-0.2, abs=0.08)
    assert found["high"] < -0.02
    assert found["mean"] < found["bound"], "which follows from fresh runs"
    assert len(sweep.cells) > 160 - 10 * len(sweep.open_axes)
    sweep, table = searched(noisy, asked(cells=160, bound="-60%"))
    found = only(table, "found")
    assert (found["shows"], found["bound"]) == (False, -0.6)
    assert len(sweep.cells) > 150, "all of the budget went to checks"


def test_mixes_are_looked_at_in_whole_rotations():
    sweep = planned(DATA | {"grid": {"variant": ["TcpCubic+TcpBbr"]}, "repetitions": 10})
    assert search_record.of(sweep).look == 2
    assert sweep.run_counts() == [2] * len(sweep.points)

# SPDX-License-Identifier: MIT
"""Harm, compared with numbers computed by hand, and in a small sweep of real cells."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tcpsweep.core.report import sweep_page
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.features.pairs import harm, harm_combinations
from tcpsweep.registry import report
from tests.support import synthetic

ROW = {"variant": "A+B", "flows": 3, "delay": "10ms"}
SWEEP = synthetic.record(combinations=[ROW | {"variant": name} for name in ("A+B", "A+none", "A", "none+B", "B")])


def values(by_place, metric="goodput_bps", counts=True):
    """Values by run as `summaries.by_run` gives them: (combination, variant) to the values of runs 1, 2, …"""
    return synthetic.by_run(
        (number, variant, metric, run, f"{number}-{value}", value, counts)
        for (number, variant), runs in by_place.items()
        for run, value in enumerate(runs, 1)
    )


def found(by_place, **how):
    return harm.harms(SWEEP, values(by_place, **how)).rows(named=True)


def expression(x, y, better):
    return pl.select(harm.harm_done(pl.lit(float(x)), pl.lit(float(y)), better)).item()


def test_harm_as_its_paper_defines_it():
    # Ware et al. 2019, section 3: 10 Mbit/s alone and 4 in competition is a harm of 0.6; 20 ms and 80 ms of 0.75.
    assert expression(10, 4, "higher") == 0.6
    assert expression(20, 80, "lower") == 0.75
    assert expression(4, 5, "higher") == -0.25  # the other's company helps
    assert expression(10, 0, "higher") == 1
    assert expression(0, 0, "lower") == 0
    assert expression(0.01, 0, "lower") is None


def test_a_mixs_harm_beside_what_its_variant_does_to_itself():
    # Runs pair by number: 1 - 2/10, 1 - 3/10, … on the mean 1 - 4/10; to itself 1 - 5/10 in each.
    alone, mixed = [10.0 + n / 1000 for n in range(6)], [2.0, 3.0, 4.0, 5.0, 6.0, 4.0]
    by_place = {(1, "A"): alone, (0, "A"): mixed, (2, "A"): [a / 2 for a in alone]}
    (row,) = found(by_place)
    assert (row["mix"], row["victim"], row["beside"], row["distinct_runs"]) == ("A+B", "A", "B", 6)
    assert row["harm"] == pytest.approx(sum(1 - y / x for x, y in zip(alone, mixed, strict=True)) / 6)
    assert row["own_harm"] == pytest.approx(0.5)
    assert row["excess"] == pytest.approx(row["harm"] - 0.5)
    assert 0.4 < row["harm_low"] < row["harm"] < row["harm_high"] < 0.8
    assert row["finding"] == "none"  # between 0.4 and 0.8 and 0.5 the runs do not decide


def test_more_harm_than_to_itself_is_said_where_no_run_doubts_it():
    by_place = {(3, "B"): [n / 1000 for n in range(20, 26)], (4, "B"): [n / 1000 for n in range(30, 36)]}
    (row,) = found(by_place | {(0, "B"): [n / 100 for n in range(10, 16)]}, metric="owd_mean_s")
    assert row["harm"] == pytest.approx(sum(1 - (20 + n) / (100 + 10 * n) for n in range(6)) / 6)
    assert row["finding"] == "more"


@pytest.mark.parametrize("runs", [5, 6, 10])
def test_harm_that_chance_chooses_is_seldom_called_more_or_less(runs):
    # In a mix, a coin chooses the winner, 8 to 2 of 10 Mbit/s; among itself a variant has half.
    rng, networks = np.random.default_rng(1), 30
    delays = [f"{n}ms" for n in range(networks)]
    combinations = [ROW | {"variant": name, "delay": delay} for delay in delays for name in ("A+B", "A+none", "A")]
    sweep = synthetic.record(combinations=combinations)

    def value(number, run):
        return [8.0 if rng.random() < 0.5 else 2.0, 10.0, 5.0][number % 3] + 0.01 * run

    places = [(number, run) for number in range(3 * networks) for run in range(runs)]
    rows = [(number, "A", "goodput_bps", run, f"{number}-{run}", value(number, run), True) for number, run in places]
    found = harm.harms(sweep, synthetic.by_run(rows))
    assert found.height == networks
    assert not found["finding"].is_in(["more", "less"]).any()


def test_fewer_than_five_runs_or_more_that_were_lost_on_one_side_claim_nothing():
    by_place = {(1, "A"): [10.0, 11.0, 12.0, 13.0], (0, "A"): [1.0, 2.0, 3.0, 4.0], (2, "A"): [5.0, 6.0, 7.0, 8.0]}
    (row,) = found(by_place)
    assert (row["runs"], row["finding"], row["harm_low"], row["excess_high"]) == (4, "too few runs", None, None)
    (row,) = found({place: [*runs, 9.0] for place, runs in by_place.items()}, counts=False)
    assert (row["finding"], row["harm"]) == ("not steady", None)
    # One side lost more runs.
    by_place = {(1, "A"): [10.0, 11.0, 12.0, 13.0, 14.0, 15.0], (2, "A"): [5.0, 6.0, 7.0, 8.0, 9.0, 10.0]}
    by_place |= {(7, "A"): [1.0]}  # a study's combination, which the sweep's record does not have
    (row,) = found(by_place | {(0, "A"): [1.0, 2.0, 3.0, 4.0, 5.0]})
    assert (row["runs"], row["finding"], row["harm_low"]) == (5, "uneven loss", None)


def expanded(**more):
    variants = {"variant": ["TcpCubic", "TcpCubic+TcpBbr"]}
    return grid.expand(SweepFile({"sweep": "s", "scenario": "dumbbell", "grid": variants, "harm": True} | more))


def test_solo_combinations_are_added_once_and_behind_the_files():
    sweep, problems = expanded(fixed={"flows": 3})
    assert not problems
    assert sweep.swept == 2
    rows = [(row["variant"], row["flows"]) for row in sweep.combinations]
    # Alone, flows keep their numbers; with all three flows CUBIC is in the grid.
    alone = [("TcpCubic+none", 3), ("none+TcpBbr", 3), ("TcpBbr", 3)]
    assert rows == [("TcpCubic", 3), ("TcpCubic+TcpBbr", 3), *alone]
    assert harm_combinations.missing(sweep.combinations) == []
    assert expanded(harm=False)[0].swept == len(expanded(harm=False)[0].combinations) == 2


REFUSED = {
    "reverse_flows": {"fixed": {"reverse_flows": 1}},
    "access_delay makes flows differ": {"fixed": {"access_delay": ["1ms", "9ms"], "assignment": "fixed"}},
    "start_stagger makes flows differ": {"fixed": {"start_stagger": "1s", "assignment": "fixed"}},
    "harm needs a mix": {"grid": {"variant": ["TcpCubic"]}},
}


@pytest.mark.parametrize("words", REFUSED)
def test_networks_that_would_not_be_the_same_are_refused(words):
    _, problems = expanded(**REFUSED[words])
    assert [problem.path for problem in problems] == [("harm",)]
    assert words in problems[0].message


def test_flows_may_differ_where_variants_change_places():
    for more in ({"access_delay": ["1ms", "9ms"]}, {"start_stagger": "1s"}):
        sweep, problems = expanded(fixed={"flows": 2, **more})
        assert not problems
        assert [row["variant"] for row in sweep.combinations[2:]] == ["TcpCubic+none", "none+TcpBbr", "TcpBbr"]


TEXT = Path(__file__).parent.joinpath("sweeps", "harm.yaml").read_text()


def test_the_other_tables_do_not_know_of_solo_cells(here):
    def goodput(row, run):
        alone = row["flows"] == 1 or "none" in row["variant"]
        return [(2e6 if alone else 1e6) + run * 1e3 + flow * 3e5 for flow in range(row["flows"])]

    folder = synthetic.sweep(TEXT, goodput)
    frames = {name: pl.read_parquet(folder / f"{name}.parquet") for name in ("summary", "flows", "effects")}
    assert set(frames["summary"]["combination"]) == set(frames["flows"]["combination"]) == {0, 1}
    table = pl.read_parquet(folder / "harm.parquet").filter(pl.col("metric") == "goodput_bps")
    assert table.columns[:3] == ["combination", "bandwidth_bps", "mix"]
    assert table["victim"].to_list() == ["TcpNewReno", "TcpCubic"] * 2
    first = table.row(0, named=True)
    assert first["harm"] == pytest.approx(sum(1 - (1e6 + r * 1e3) / (2e6 + r * 1e3) for r in range(1, 9)) / 8, rel=1e-3)

    (folder / "figures.json").write_text("[]")
    sweep_page.write(folder, "small.html", report)
    page = (here / "small.html").read_text()
    assert 'id="harm"' in page and "and 8 to measure harm" in page
    synthetic.sweep(TEXT.replace("harm: true\n", ""), goodput)
    for name, frame in frames.items():
        assert pl.read_parquet(folder / f"{name}.parquet").equals(frame)
    sweep_page.write(folder, "small.html", report)
    assert 'id="harm"' not in (here / "small.html").read_text()

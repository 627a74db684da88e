# SPDX-License-Identifier: MIT
"""Whole rotations as replicates: made-up runs in which the flow position matters more than the variant."""

import numpy as np
import polars as pl
import pytest

from tcpsweep.core.analysis import effects, paired_runs, summaries
from tcpsweep.core.statistics import rotation_blocks
from tcpsweep.core.sweep import rotations
from tcpsweep.core.sweep.sweep_parts import ShareOrValue
from tests.support import synthetic

NETWORKS, RUNS = 4000, 10
REFERENCE, BOUND = 20.0, 0.4  # Mbit/s: the smallest effect is 2 %
ENOUGH = 28  # runs of 14 rotations, as many as "equivalent" needs
PLACE, NOISE = 3.3, 0.33  # how much more the near flow gets, and the standard deviation of a variant in a run
MIX = {"variant": "TcpA+TcpB", "flows": 2, "reverse_flows": 0, "access_delay": ["1ms", "11ms"]}


def compared(difference, noise=NOISE, runs=RUNS, **more):
    """The effects of B compared with A in a mix, with this difference of mean goodputs, in many equal networks."""
    networks = NETWORKS * RUNS // runs
    rows = [MIX | {"assignment": "auto", "delay": f"{number}ms"} | more for number in range(networks)]
    bounds = {"goodput_bps": ShareOrValue(share=BOUND / REFERENCE)}
    given = {"baseline": "TcpA", "runs": tuple(range(1, runs + 1)), "smallest_effects": bounds}
    sweep = synthetic.record(**given, combinations=rows)
    place = np.where(np.arange(runs) % 2 == 0, 1, -1) * PLACE / 2
    drawn = np.random.default_rng(1).normal(0, noise, (2, networks, runs))
    a, b = REFERENCE + place + drawn[0], REFERENCE + difference - place + drawn[1]
    values = synthetic.by_run(
        (number, variant, "goodput_bps", run + 1, f"{number}-{run}", of[number, run], True)
        for number in range(networks)
        for variant, of in (("TcpA", a), ("TcpB", b))
        for run in range(runs)
    )
    return pl.concat(effects.by_metric(sweep, values))


def half_width(found):
    return ((found["high"] - found["low"]) / 2).median()


def test_intervals_over_whole_rotations_cover_as_often_as_they_say_and_are_narrow():
    found = compared(BOUND)
    covered = ((found["low"] <= BOUND) & (found["high"] >= BOUND)).mean()
    assert 0.94 <= covered <= 0.96
    assert found["distinct_runs"].unique().to_list() == [RUNS / 2]
    assert half_width(found) == pytest.approx(0.4, abs=0.05)
    # Run by run, the places are part of the spread.
    assert half_width(compared(BOUND, assignment="fixed")) == pytest.approx(2.4, abs=0.2)


def test_verdicts_over_whole_rotations_are_wrong_as_seldom_as_they_say():
    # At the bound itself, "higher" and "the same" are both wrong, at most one time in twenty.
    found = compared(BOUND, runs=ENOUGH)
    assert (found["beyond_p"] <= 0.05).mean() <= 0.05
    assert (found["within_p"] <= 0.05).mean() <= 0.062  # 5 %, and two standard deviations of 1428 draws
    # And where there is no difference, equivalence is found: run by run it never is.
    same, by_runs = (compared(0.0, 0.1, ENOUGH, assignment=kind) for kind in ("auto", "fixed"))
    assert (same["within_p"] <= 0.05).mean() > 0.8
    assert (by_runs["within_p"] <= 0.05).mean() == 0
    # Differences vary by 6.6 Mbit/s run by run, and by 0.1 from rotation to rotation.
    assert same["runs_needed"].median() < 2 * ENOUGH < 50 * ENOUGH < by_runs["runs_needed"].median()


def rows(*runs, value=float):
    schema = {"combination": pl.Int64, "run": pl.Int64, "digest": pl.String, "value": pl.Float64, "counts": pl.Boolean}
    return pl.DataFrame([(0, run, f"d{run}", value(run), run != 7) for run in runs], schema=schema, orient="row")


def test_an_incomplete_rotation_is_left_out_unless_there_is_no_other():
    def values(runs, length):
        found = rotation_blocks.of_combinations(rows(*runs), [length], ["combination"])
        return dict(found.select("run", "value").iter_rows())

    assert values(range(1, 6), 2) == {1: 1.5, 3: 3.5}
    assert values((2, 3, 4), 2) == {3: 3.5}  # run 1 failed
    assert values(range(0, 4), 2) == {1: 1.5}
    assert values((1, 2), 3) == {1: 1.5}
    whole = rotation_blocks.blocked(rows(5, 6, 7, 8).with_columns(rotation=2), ["combination"], flags=["counts"])
    assert whole["counts"].to_list() == [True, False]
    assert whole["digest"].to_list() == ["d5 d6", "d7 d8"]
    lacking = rows(1, 2, 3, 4, value={1: 1, 2: 2, 3: 3}.get)
    assert rotation_blocks.of_combinations(lacking, [2], ["combination"])["value"].to_list() == [1.5, None]
    # Rotations of one run change nothing.
    plain = rows(1, 2, 3)
    assert rotation_blocks.of_combinations(plain, [1], ["combination"]) is plain
    both = pl.concat([plain, plain.with_columns(combination=pl.lit(1, pl.Int64))])
    mixed = rotation_blocks.of_combinations(both, [1, 3], ["combination"])
    assert mixed.filter(combination=0).equals(plain)
    assert mixed.filter(combination=1)["value"].to_list() == [2]


def test_whole_rotations_are_counted_and_that_of_a_pair_ends_where_both_sides_do():
    pairs = pl.DataFrame({"combination": [0, 1, 2], "reference_combination": [1, 2, 0]})
    assert paired_runs.rotation_of(pairs, [1, 2, 3]).to_list() == [2, 6, 3]
    assert [rotations.whole(range(1, runs + 1), 3) for runs in (2, 3, 8, 9)] == [0, 1, 2, 3]
    assert [rotations.whole([2, 4, 6], length) for length in (2, 1)] == [0, 3]
    assert [rotations.rounded_up(runs, 3) for runs in (9, 10)] == [9, 12]


def test_a_summary_is_over_whole_rotations():
    values = synthetic.by_run((0, "TcpA", "goodput_bps", run, f"{run}", 1 + run % 2, True) for run in range(1, 6))
    (row,) = summaries.summarise(values, lengths=[2]).iter_rows(named=True)
    assert (row["runs"], row["mean"], row["low"], row["high"]) == (2, 1.5, 1.5, 1.5)

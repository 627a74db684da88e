# SPDX-License-Identifier: MIT
"""The assignment of variants to flows: rotated from run to run, so that no variant keeps a flow position."""

from collections import Counter
from pathlib import Path

import pytest

from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.plan import cell_commands, plan_record
from tcpsweep.core.sweep import assignment
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.features.pairs import harm_combinations

NS3 = Engine(Path("ns3"), "3.44", "abc123")
LISTED = {"access_delay": ["1ms", "11ms"]}


def combination(**given):
    """One combination of a dumbbell."""
    document = {"sweep": "s", "scenario": "dumbbell", "fixed": {"variant": "TcpA+TcpB", "flows": 2} | given}
    sweep, problems = grid.expand(SweepFile(document))
    assert not problems
    return sweep.combinations[0]


@pytest.mark.parametrize(
    ("given", "rotated"),
    [
        ({}, False),
        (LISTED, True),
        ({"receiver_access_delay": ["same", "9ms"]}, True),
        ({"bytes": [0, 100]}, True),
        ({"start_stagger": "1s"}, True),
        ({"access_delay": ["2ms", "2ms"]}, False),
        ({"assignment": "rotated"}, True),
        (LISTED | {"assignment": "fixed"}, False),
    ],
)
def test_variants_change_places_where_flows_differ(given, rotated):
    row = combination(**given)
    assert assignment.is_rotated(row) == rotated
    turned = [assignment.flow_variants(row, run) for run in (1, 2, 3)]
    there, back = ["TcpA", "TcpB"], ["TcpB", "TcpA"]
    assert turned == ([there, back, there] if rotated else [there] * 3)


@pytest.mark.parametrize(
    ("given", "period"),
    [
        ({"flows": 4}, 2),
        ({"flows": 3}, 3),
        ({"flows": 3, "variant": "TcpA+TcpB+TcpC"}, 3),
        ({"flows": 4, "variant": "TcpA+TcpA+TcpB"}, 4),
        ({"flows": 2, "reverse_flows": 3}, 6),
        ({"flows": 5, "variant": "TcpA"}, 1),
    ],
)
def test_each_flow_has_each_variant_equally_often_within_a_period(given, period):
    row = combination(**LISTED, **given)
    assert assignment.period(row) == period
    runs = [assignment.flow_variants(row, run) for run in range(1, period + 1)]
    forward = row["flows"]
    for flows in (range(forward), range(forward, len(runs[0]))):
        shares = [Counter(run[flow] for run in runs) for flow in flows]
        assert all(share == shares[0] for share in shares)
        # The mix has as many flows of each variant in every run.
        assert len({tuple(sorted(run[flow] for flow in flows)) for run in runs}) == 1
    assert assignment.flow_variants(row, 1) == assignment.flow_variants(row, period + 1)
    assert assignment.flow_variants(row, 0) == assignment.flow_variants(row, period)


def warnings(words="swap positions", **more):
    document = {"sweep": "s", "scenario": "dumbbell", "fixed": {"variant": "TcpA+TcpB", **LISTED}} | more
    sweep, problems = grid.expand(SweepFile(document))
    assert not problems
    plan = plan_record.Plan(sweep, cell_commands.cells(sweep, "code", NS3, dict), "p", None, Path("dumbbell"), {})
    return [text for text in plan.warnings if words in text]


def test_planning_says_where_the_number_of_runs_leaves_the_places_unbalanced():
    (text,) = warnings(repetitions=5)
    assert "TcpA+TcpB" in text
    assert "a rotation takes 2 runs" in text and "only 4 of these 5 count" in text and "`repetitions: 10`" in text
    assert not warnings(repetitions=28)
    (few,) = warnings("for a verdict", repetitions=6)
    assert "whole rotations of 2 repetitions" in few and few.endswith("write `repetitions: 28`")
    assert warnings(runs=[2, 4, 6, 8])
    assert not warnings(runs=[0, 3])
    assert not warnings(repetitions=5, fixed={"variant": "TcpA+TcpB"})


def cells(row_assignment):
    fixed = LISTED | ({"assignment": row_assignment} if row_assignment else {})
    document = {"sweep": "s", "scenario": "dumbbell", "grid": {"variant": ["TcpA", "TcpA+TcpB"]}, "fixed": fixed}
    sweep, _ = grid.expand(SweepFile(document | {"runs": [2]}))
    return [cell.id for cell in cell_commands.cells(sweep, "code", NS3, dict)]


def test_only_cells_that_it_changes_have_another_identity():
    alone, mixed = cells(None)
    assert cells("auto") == cells("rotated") == [alone, mixed]
    assert cells("fixed")[0] == alone
    assert cells("fixed")[1] != mixed


def test_with_omitted_others_a_variant_keeps_its_flows_of_the_mix():
    plain, listed = combination(flows=3), combination(flows=3, **LISTED)
    assert harm_combinations.alone(plain, "TcpB") == plain.with_values({"variant": "none+TcpB"})
    assert harm_combinations.alone(listed, "TcpA") == listed.with_values({"variant": "TcpA+none"})
    for variant in ("TcpA", "TcpB"):
        for row in (plain, listed):
            for run in range(1, 4):
                mixed, alone = (
                    assignment.flow_variants(each, run) for each in (row, harm_combinations.alone(row, variant))
                )
                assert alone == [each if each == variant else "none" for each in mixed]
    # The first flows of a mix are a network with fewer flows, which may be in the grid.
    first = combination(flows=2)
    assert harm_combinations.alone(first, "TcpA") == first.with_values({"variant": "TcpA", "flows": 1})

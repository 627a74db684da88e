# SPDX-License-Identifier: MIT
"""A sweep file's `refine`."""

import pytest

from tcpsweep.core.plan import too_little
from tcpsweep.core.sweep.axis_range import AxisRange
from tcpsweep.core.sweepfile.asked import figures_and_tables, in_rounds
from tcpsweep.core.sweepfile.combinations import grid, limits
from tcpsweep.core.sweepfile.keys import schema_check
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.features.refine import refine_key, refine_record
from tcpsweep.features.refine.refine_record import Refinement

REFINE = {"axis": "bandwidth", "between": "1Mbps and 100Mbps", "where": "goodput_bps of bbr - TcpCubic changes sign"}
DATA = {
    "sweep": "s",
    "scenario": "dumbbell",
    "grid": {"variant": ["TcpCubic", "TcpBbr"], "delay": ["5ms", "50ms"]},
    "refine": REFINE | {"to": "5%"},
}


def test_it_begins_with_five_values_of_the_axis_in_each_network():
    assert schema_check.problems(DATA) == limits.problems(SweepFile(DATA)) == []
    sweep, problems = grid.expand(SweepFile(DATA))
    assert problems == []
    bandwidth = AxisRange("bandwidth", 1e6, 1e8, "bit/s")
    assert refine_record.of(sweep) == Refinement(bandwidth, "goodput_bps", "TcpBbr", "TcpCubic", 0.05)
    assert sweep.axes["bandwidth"] == ["1Mbps", "3.162Mbps", "10Mbps", "31.62Mbps", "100Mbps"]
    assert len(sweep.combinations) == 2 * 2 * 5
    assert list(sweep.open_axes) == ["bandwidth"]


@pytest.mark.parametrize(
    ("axis", "between", "values"),
    [
        ("loss", "0 and 2%", [0, 0.0002, 0.0009283, 0.004309, 0.02]),
        ("queue", "0.5bdp and 8bdp", ["0.5bdp", "1bdp", "2bdp", "4bdp", "8bdp"]),
        ("flows", "1 and 16", [1, 2, 4, 8, 16]),
        ("ns3::TcpCubic::Beta", "0.5 and 0.9", ["0.5", "0.5791", "0.6708", "0.777", "0.9"]),
        ("ns3::TcpSocket::DelAckTimeout", "1ms and 16ms", ["1ms", "2ms", "4ms", "8ms", "16ms"]),
    ],
)
def test_any_axis_of_numbers_can_be_open(axis, between, values):
    sweep, problems = grid.expand(SweepFile(DATA | {"refine": REFINE | {"axis": axis, "between": between}}))
    assert problems == []
    assert sweep.axes[axis] == values


def test_a_link_of_a_described_network_can_be_open():
    network = {"links": {"first": {"between": ["a", "b"]}}, "flows": {"long": {"from": "a", "to": "b"}}}
    refine = REFINE | {"axis": "network.links.first.bandwidth"}
    data = DATA | {"scenario": "network", "network": network, "grid": {"variant": ["TcpCubic", "TcpBbr"]}}
    assert schema_check.problems(data | {"refine": refine}) == []
    assert len(grid.expand(SweepFile(data | {"refine": refine}))[0].combinations) == 2 * 5
    (problem,) = schema_check.problems(data | {"refine": refine | {"axis": "network.links.fist.bandwidth"}})
    assert (problem.path, problem.nearest) == (("refine", "axis"), "; did you mean 'first'?")


def test_more_runs_choose_the_values_anew():
    assert in_rounds.request(DATA | {"repetitions": 6}) != in_rounds.request(DATA | {"repetitions": 12})
    precise = {"sweep": "s", "precision": {"jain": 0.1}}
    assert in_rounds.request(precise) == in_rounds.request(precise | {"seed": 2})


def test_figures_of_values_that_nobody_knows_yet_are_refused():
    sweep, problems = grid.expand(SweepFile(DATA))
    assert problems == []
    traces = {"title": "x", "show": ["cwnd"], "each": ["delay"]}
    panels = {"metric": "goodput_bps", "axis": "delay", "panels": "bandwidth"}
    lines = {"metric": "goodput_bps", "axis": "bandwidth", "panels": "delay"}
    at_one = {"where": {"bandwidth": "10Mbps"}}
    found = figures_and_tables.problems(SweepFile(DATA | {"figures": [traces, panels, lines, traces | at_one]}), sweep)
    assert [problem.path for problem in found] == [("figures", 0), ("figures", 1)]
    assert "where: {bandwidth: 1Mbps}" in found[0].message


def test_some_network_has_both_variants():
    alone = [{"variant": "TcpCubic", "delay": "5ms"}, {"variant": "TcpBbr", "delay": "50ms"}]
    sweep, problems = grid.expand(SweepFile(DATA | {"only": [*alone, {"variant": "TcpBbr", "delay": "5ms"}]}))
    assert problems == []
    assert refine_key.variants_by_network(refine_record.of(sweep), sweep.combinations, ["delay"]) == [2, 1]
    assert any("1 of 2 network conditions lack TcpBbr and TcpCubic" in said for said in too_little.warnings(sweep))


def test_no_value_lies_outside_the_range():
    assert AxisRange("bandwidth", 1.00004e6, 1.00008e6, "bit/s").steps(5) == [1.00004e6, 1.00008e6]

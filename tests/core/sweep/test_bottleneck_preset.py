# SPDX-License-Identifier: MIT
"""The networks of scenarios with one bottleneck have the nodes and links of their programs in `ns3-scenarios/`."""

import pytest

from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.sweepfile.network import network_views


def combination(scenario, **fixed):
    sweep, problems = grid.expand(SweepFile({"sweep": "s", "scenario": scenario, "fixed": fixed}))
    assert not problems
    return sweep.combinations[0]


def paths(network):
    """Each flow's links in their order, with a sign for their direction."""
    return [
        [f"{'+' if step.forth else '-'}{network.links[step.link].name}" for step in flow.way] for flow in network.flows
    ]


@pytest.mark.parametrize(
    ("scenario", "given", "expected"),
    [
        ("single-link", {}, [["+bottleneck"]]),
        ("chain", {}, [["-sender0", "+bottleneck"]]),
        (
            "dumbbell",
            {"flows": 2, "reverse_flows": 1},
            [
                ["-sender0", "+bottleneck", "+receiver0"],
                ["-sender1", "+bottleneck", "+receiver1"],
                ["-sender2", "-bottleneck", "+receiver2"],
            ],
        ),
        ("wifi-dumbbell", {"flows": 1, "stations": 4}, [["-sender0", "+bottleneck", "+receiver0"]]),
    ],
)
def test_flows_cross_the_links_of_their_scenario(scenario, given, expected):
    network = network_views.network_of(combination(scenario, **given))
    assert not network.faults
    assert paths(network) == expected


@pytest.mark.parametrize(
    ("sender", "receiver", "trips_ms"),
    [
        ("1ms", "same", [24, 24, 24]),
        ("1ms", "5ms", [32, 32, 32]),
        (["1ms", "2ms"], "same", [24, 28, 24]),
        (["1ms", "2ms"], ["same", "5ms", "same"], [24, 34, 24]),
    ],
)
def test_a_round_trip_crosses_each_of_a_flows_links_twice(sender, receiver, trips_ms):
    delays = {"delay": "10ms", "access_delay": sender, "receiver_access_delay": receiver}
    row = combination("dumbbell", flows=2, reverse_flows=1, **delays)
    assert network_views.round_trips_s(row) == pytest.approx([trip / 1000 for trip in trips_ms])


def test_each_direction_is_a_group_and_only_forward_flows_are_compared():
    row = combination("dumbbell", variant="TcpCubic+TcpBbr", flows=3, reverse_flows=2)
    variants = {group.name: (group.variants(), group.is_compared) for group in network_graph.groups(row)}
    assert variants == {
        "forward": (["TcpCubic", "TcpBbr", "TcpCubic"], True),
        "reverse": (["TcpBbr", "TcpCubic"], False),
    }

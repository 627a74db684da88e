# SPDX-License-Identifier: MIT
"""Which stations hear each other, and why a flow never starts, in networks analysed by hand."""

import pytest

from tcpsweep.features.wireless import wireless_map
from tests.support import synthetic


def node(number, name, side, x, hears, role="station", associated=None):
    about = {"node": number, "name": name, "side": side, "role": role, "x_m": x, "y_m": 0.0}
    return about | {"hears": hears, "associated_s": associated}


def flow(number, source, destination, received=0, established=None):
    ends = {"flow": number, "source_node": source, "destination_node": destination}
    return ends | {"received_bytes": received, "established_s": established}


# On a line, heard at 1 m: senders 0 and 1 and their gateway, each 1 m apart; the other gateway and receiver 0, too.
# Receiver 1 is 5 m away.
def network(role):
    return [
        node(0, "sender 0", "left", 0.0, [1]),
        node(1, "sender 1", "left", 1.0, [0, 2], associated=0.3),
        node(2, f"left {role}", "left", 2.0, [1], role),
        node(3, f"right {role}", "right", 3.0, [4], role),
        node(4, "receiver 0", "right", 4.0, [3], associated=0.4),
        node(5, "receiver 1", "right", 9.0, []),
    ]


def record(role, radius=10):
    mesh = {"mesh_radius_left": str(radius), "mesh_radius_right": "1"} if role == "router" else {}
    return {"nodes": network(role), "parameters": mesh}


def test_an_access_point_serves_whom_it_hears_and_a_mesh_goes_on_as_far_as_its_radius():
    assert wireless_map.reachable(record("access point")) == {1, 2, 3, 4}
    assert wireless_map.reachable(record("router")) == {0, 1, 2, 3, 4}
    assert wireless_map.reachable(record("router", radius=1)) == {0, 1, 2, 3, 4}
    assert wireless_map.reachable(record("router", radius=0)) == {1, 2, 3, 4}
    # A signal that is heard in only one direction is no connection.
    deaf = record("access point")
    deaf["nodes"][4]["hears"] = []
    assert wireless_map.reachable(deaf) == {1, 2, 3}


@pytest.mark.parametrize(
    ("role", "found", "why"),
    [
        ("access point", flow(0, 0, 4), "the sender is out of its access point's reach"),
        ("router", flow(0, 0, 5), "the receiver is out of its router's reach"),
        ("router", flow(0, 0, 4), "both ends are in reach, but the connection was not established"),
        ("access point", flow(0, 1, 4, established=1.0), "the connection was established, but no data arrived"),
    ],
)
def test_a_flow_without_data_has_a_reason(role, found, why):
    run = record(role) | {"flows": [found, flow(1, 1, 4, received=1000, established=1.0)]}
    assert wireless_map.silent_flows(run) == {0: why}
    # A station that never associated is told apart.
    run = record("access point") | {"flows": [flow(0, 1, 4)]}
    run["nodes"][1]["associated_s"] = None
    assert wireless_map.silent_flows(run) == {0: "the sender is in reach of its access point, but has not associated"}


def test_a_map_has_each_pair_once_and_the_range_as_a_circle():
    run = {"nodes": network("access point"), "flows": [flow(0, 0, 4), flow(1, 1, 4, received=1)]} | {
        "parameters": {"coverage": "1", "propagation": "RangePropagationLossModel"}
    }
    data = wireless_map.map_chart(run)["datasets"]
    lines = [*data["lines 0"], *data["lines 1"]]
    assert [(row["x"], row["x2"]) for row in lines] == [(0, 1), (1, 2), (3, 4)]
    assert [row["series"] for name in ("points 0", "points 1") for row in data[name]].count("out of reach") == 2
    circle = [(row["x"] - 2) ** 2 + row["y"] ** 2 for row in data["circles 0"]]
    assert circle == pytest.approx([1] * 73, rel=1e-5)
    words = wireless_map.described(synthetic.record(combinations=[{}]), [0, 3], run)[1]
    assert "The same at 1 more combination of the sweep's." in words
    assert "2 of 4 stations are out of their gateway's reach." in words
    assert "1 of 2 flows carried no data: 0 (the sender is out of its access point's reach)." in words

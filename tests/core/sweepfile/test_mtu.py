# SPDX-License-Identifier: MIT
"""MTU and IP version in sweep files: the segments that follow, identities, and the arguments of the simulator."""

import pytest

from tests.support.networks import commands, network, read

DUMBBELL = "sweep: s\nscenario: dumbbell\nfixed: {{{}}}\n"


def planned(text):
    """The segment size of a sweep's one combination, and its first cell."""
    sweep = read(text)
    (row,) = sweep.combinations
    return row["segment_size"], commands(sweep)[0]


@pytest.mark.parametrize("written", ["mtu: 1500", "mtu: 1.5kB", "ip: 4", "mtu: 1500, ip: 4, segment_size: 1448"])
def test_defaults_change_no_identity(written):
    segment, cell = planned(DUMBBELL.format(written))
    assert segment == 1448
    assert cell.id == planned(DUMBBELL.format("flows: 2"))[1].id
    assert not any(argument.startswith(("--mtu", "--ip", "--segment_size")) for argument in cell.arguments)


@pytest.mark.parametrize(
    ("written", "segment"),
    # IPv4 20 B or IPv6 40 B, TCP 20 B, timestamps 12 B.
    [
        ("mtu: 9000", 8948),
        ("ip: 6", 1428),
        ("mtu: 9kB, ip: 6", 8928),
        ("mtu: 576", 524),
        ("mtu: 9000, preset: datacentre", 8948),
    ],
)
def test_segments_fill_the_mtu_unless_the_file_says_otherwise(written, segment):
    found, cell = planned(DUMBBELL.format(written))
    assert found == segment
    assert f"--segment_size={segment}" in cell.arguments
    assert planned(DUMBBELL.format(f"{written}, segment_size: 500"))[0] == 500
    (row,) = read(f"sweep: s\nscenario: dumbbell\nfixed: {{{written}}}\ngrid: {{segment_size: [400]}}\n").combinations
    assert row["segment_size"] == 400


def test_each_value_of_an_axis_has_its_segments():
    rows = read("sweep: s\nscenario: chain\ngrid: {ip: [4, 6], mtu: [1500, 9000]}\n").combinations
    assert [row["segment_size"] for row in rows] == [1448, 8948, 1428, 8928]


@pytest.mark.parametrize(("scenario", "segment"), [("wifi-dumbbell", 1448), ("lrwpan-dumbbell", 100)])
def test_wireless_scenarios_keep_their_own(scenario, segment):
    assert planned(f"sweep: s\nscenario: {scenario}\n")[0] == segment


def test_the_smallest_mtu_of_a_path_decides_and_of_several_paths_the_largest():
    links = "{lan: {between: [a, b], mtu: 9000}, wan: {between: [b, c], mtu: 1500}, side: {between: [b, d], mtu: 4000}}"
    text = network("far: 1", "far: {from: a, to: c}").replace("\n    far: 1", f" {links}")
    assert planned(text)[0] == 1448
    assert planned(text.replace("to: c}", "to: c}\n    near: {from: a, to: d}"))[0] == 3948
    traffic = "  traffic: {calls: {kind: realtime, from: a, to: b}}\n"
    assert planned(text + traffic)[0] == 8948
    assert planned(text.replace("mtu: 9000", "count: 1") + "fixed: {ip: 6}\n")[0] == 1428


def test_members_of_a_group_may_have_their_own():
    text = network('hop: {between: ["n{i}", "n{i+1}"], count: 2, mtu: [9000, 3000]}', "long: {from: n0, to: n2}")
    assert planned(text)[0] == 2948
    assert planned(text.replace("n0, to: n2", "n0, to: n1"))[0] == 8948


def test_a_preset_takes_ipv6_and_its_links_mtus():
    text = "sweep: s\nscenario: leaf-spine\nfixed: {{ip: 6{}}}\n"
    assert planned(text.format(""))[0] == 1428
    assert planned(text.format(", network.links.up.mtu: 9000, network.links.down.mtu: 9000"))[0] == 8928

# SPDX-License-Identifier: MIT
"""Networks as data: the links, flows and traffic in a sweep file."""

import pytest

from tcpsweep.core.analysis import comparisons
from tcpsweep.core.sweep import axes, combination_parts, network_graph
from tcpsweep.core.sweepfile.network import network_views
from tests.support.networks import LINE, network, read


def test_what_is_said_is_in_the_combination_in_normal_form_and_in_the_files_order():
    (row,) = read(LINE.replace("10Mbps", "10000kbps")).own
    assert row["network.links"] == "first,second" and row["network.flows"] == "long,cross"
    assert row["network.links.first.bandwidth"] == "10Mbps"
    assert row["network.links.second.between"] == "b,c"
    assert row["network.flows.cross.variant"] == "TcpCubic"
    assert "network.links.first.loss" not in row, "only what is said"


def test_dotted_names_are_axes_and_win_over_the_section():
    grid = "grid: {network.links.second.bandwidth: [4Mbps, 8000kbps], network.links.first.back.loss: [0, 1%]}\n"
    sweep = read(LINE + grid)
    assert sweep.axes == {
        "network.links.second.bandwidth": ["4Mbps", "8Mbps"],
        "network.links.first.back.loss": [0, 0.01],
    }
    assert [row["network.links.second.bandwidth"] for row in sweep.own] == ["4Mbps", "4Mbps", "8Mbps", "8Mbps"]
    shown = axes.swept_axes(sweep)
    assert [axis.head for axis in shown.values()] == ["second bandwidth [Mbit/s]", "first back loss"]


@pytest.mark.parametrize(
    ("more", "count"),
    [
        ("only: {network.links.second.bandwidth: 4000kbps}", 1),
        ("exclude: {network.links.second.bandwidth: [4Mbps, 8Mbps]}", 1),
        ("expect: jain > 0 where network.links.second.bandwidth < 5Mbps", 3),
        ("figures: [{metric: jain, axis: network.links.second.bandwidth}]", 3),
        (
            "zip: {network.flows.long.variant: [newreno, bbr]}\n"
            "figures: [{metric: jain, axis: variant, where: {network.links.second.bandwidth: 4Mbps}}]",
            6,
        ),
        ("tables: [{title: t, columns: [network.links.second.bandwidth, network.flows.long.from, jain]}]", 3),
        ("zip: {network.links.first.delay: [1ms, 2ms], network.flows.long.bytes: [1MB, 2MB]}", 6),
        ("fixed: {network.links.first.queue: 20p}", 3),
    ],
)
def test_dotted_names_stand_wherever_parameters_do(more, count):
    text = LINE + "grid: {network.links.second.bandwidth: [4Mbps, 8Mbps, 9Mbps]}\n"
    assert len(read(text + more).own) == count


def test_an_axis_has_a_short_title_where_that_is_clear():
    names = ["network.links.a.loss", "network.flows.a.start", "network.links.b.loss", "network.flows.b.loss"]
    titles = [axes.title(name, names) for name in names]
    assert titles == ["a loss", "a start", "links b loss", "flows b loss"]


def test_the_variant_is_that_of_all_flows_or_each_groups():
    text = LINE.replace(", variant: cubic", "") + "fixed: {variant: bbr}"
    assert [row["variant"] for row in read(text).own] == ["TcpBbr"]
    sweep = read(LINE + "grid: {network.flows.long.variant: [cubic, bbr, vegas+bbr]}\nbaseline: cubic")
    said = ["TcpCubic", "TcpBbr+TcpCubic", "TcpVegas+TcpBbr+TcpCubic"]
    assert sweep.axes == {"variant": said}, "one axis of variants, so that they are compared in the same network"
    assert [row["variant"] for row in sweep.own] == said


def test_traffic_beside_flows_is_part_of_the_variant_only_where_it_is_swept():
    pages = "  traffic: {pages: {kind: web, from: c, to: a, variant: newreno}}\n"
    beside = LINE.replace("variant: cubic, ", "") + pages
    sweep = read(beside + "grid: {variant: [cubic, bbr]}")
    assert sweep.axes["variant"] == ["TcpCubic", "TcpBbr"]
    assert sweep.baseline == "TcpCubic"
    sweep = read(beside + "grid: {network.traffic.pages.variant: [cubic, bbr]}\nfixed: {variant: cubic}")
    assert sweep.axes["variant"] == ["TcpCubic", "TcpCubic+TcpCubic+TcpBbr"]


def test_the_baseline_may_be_several_groups_variants():
    swept = "grid: {network.flows.long.variant: [bbr, vegas]}\n"
    assert read(LINE + swept).baseline == "TcpBbr+TcpCubic"
    assert read(LINE + swept + "baseline: vegas+cubic").baseline == "TcpVegas+TcpCubic"


def test_flows_are_compared_whatever_the_traffic_beside_them_has():
    long = LINE.replace("    cross: {from: b, to: c, variant: cubic, start: 20s}\n", "")
    assert long != LINE
    beside = long + "  traffic: {pages: {kind: web, from: c, to: a, variant: newreno}}\n"
    compared = comparisons.pairs(read(beside + "grid: {variant: [cubic, bbr]}"))
    assert compared.select("variant", "own", "reference_own").rows() == [
        ("TcpBbr", None, None),
        ("TcpBbr", "TcpBbr", "TcpCubic"),
    ]
    swept = beside.replace(", variant: newreno", "") + "grid: {network.traffic.pages.variant: [cubic, bbr]}\n"
    sweep = read(swept + "fixed: {variant: cubic}")
    assert [combination_parts.variants_of_flows(row) for row in sweep.own] == [["TcpCubic"], ["TcpCubic"]]


def test_flows_without_a_variant_of_their_own_take_the_mixs_in_turn():
    text = LINE.replace(", variant: cubic", "").replace("count: 2", "count: 3")
    (row,) = read(text + "fixed: {variant: cubic+bbr}").own
    variants = {group.name: group.variants() for group in network_graph.groups(row)}
    assert variants == {"long": ["TcpCubic", "TcpBbr", "TcpCubic"], "cross": ["TcpBbr"]}


def test_members_have_the_values_whose_turn_it_is():
    text = network('hop: {between: ["r{i}", "r{i + 1}"], count: 3, delay: [1ms, 2ms]}', "long: {from: r0, to: r3}")
    (row,) = read(text).own
    built = network_graph.network_of(row, "20ms")
    assert [link.name for link in built.links] == ["hop-0", "hop-1", "hop-2"]
    assert [link.ends for link in built.links] == [("r0", "r1"), ("r1", "r2"), ("r2", "r3")]
    assert network_graph.round_trips_s(row, "20ms") == pytest.approx((2 * 0.004,))


def test_the_product_of_a_link_counts_the_round_trips_of_traffic_too():
    flow = "cross: {from: b, to: c}\n  traffic: {pages: {kind: web, from: a, to: c}}"
    links = "first: {between: [a, b], delay: 10ms}\n    second: {between: [b, c], back: {delay: 30ms}}"
    (row,) = read(network(links, flow)).own
    built, trips = network_views.network_of(row), network_views.round_trips_s(row)
    assert trips == pytest.approx((0.05,))
    for link in (0, 1):
        assert network_views.topology_of(row, link, built).longest_s == pytest.approx(0.07)

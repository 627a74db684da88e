# SPDX-License-Identifier: MIT
"""Cells of custom topologies: the simulator's arguments, and the parts of their identity."""

import time

import pytest

from tcpsweep.core.plan import expected_costs, packet_counts
from tcpsweep.core.plan.plan_record import Plan
from tests.support.networks import LINE, commands, network, read


def cells(text, folder="."):
    return commands(read(text, folder))


def arguments(text, folder="."):
    """What of the first cell's arguments describes its network."""
    groups = ("--links.", "--flows.", "--traffic.")
    return [each for each in cells(text, folder)[0].arguments if each.startswith(groups)]


def ids(text, folder="."):
    return [cell.id for cell in cells(text + "\nruns: [1]", folder)]


def test_arguments_say_what_differs_from_its_default_in_the_files_order():
    assert arguments(LINE.replace("bandwidth: 8Mbps", "back: {loss: 1%}, queue: 1bdp, bandwidth: 8Mbps")) == [
        "--links.first.between=a,b",
        "--links.first.delay=10ms",
        "--links.second.between=b,c",
        "--links.second.bandwidth=8Mbps",
        "--links.second.back.loss=0.01",
        "--flows.long.from=a",
        "--flows.long.to=c",
        "--flows.long.count=2",
        "--flows.long.variant=TcpCubic",
        "--flows.cross.from=b",
        "--flows.cross.to=c",
        "--flows.cross.variant=TcpCubic",
        "--flows.cross.start=20s",
    ]
    said = arguments(LINE.replace("start: 20s", "count: 0, start: 20s"))
    assert not [each for each in said if "cross" in each], "what there is none of is not said"


def test_members_values_are_joined_templates_stay_and_traffics_nodes_are_named_one_by_one():
    text = network('hop: {between: ["r{i}", "r{i + 1}"], count: 2 * 2, delay: [1ms, 2ms]}', "long: {from: r0, to: r4}")
    links = ["--links.hop.between=r{i},r{i+1}", "--links.hop.count=4", "--links.hop.delay=1ms,2ms"]
    assert arguments(text)[:3] == links
    text = network('host: {between: ["h{i}", s], count: 3}', "long: {from: h0, to: h1}")
    text += '  traffic:\n    t: {kind: arrivals, from: "h{i}", to: ["h{i}", s], hosts: 3, rate: 10}\n'
    assert [each for each in arguments(text) if "traffic" in each] == [
        "--traffic.t.kind=arrivals",
        "--traffic.t.from=h0,h1,h2",
        "--traffic.t.to=h0,h1,h2,s",
        "--traffic.t.variant=TcpCubic",
        "--traffic.t.rate=10",
    ]


def test_the_order_of_links_counts_but_not_that_of_fields_nor_how_a_value_is_written():
    plain = ids(LINE)
    assert ids(LINE.replace("bandwidth: 10Mbps, delay: 10ms", "delay: 10000us, bandwidth: 10000kbps")) == plain
    assert ids(LINE.replace("bandwidth: 10Mbps, ", "")) == plain, "its default"
    lines = LINE.splitlines()
    assert ids("\n".join([*lines[:4], lines[5], lines[4], *lines[6:]])) != plain
    assert ids(LINE + "grid: {network.links.second.bandwidth: [8Mbps]}") == plain, "an axis or not"


def test_a_cells_program_is_network_and_its_name_the_presets():
    (cell,) = cells("sweep: s\nscenario: parking-lot\nfixed: {hops: 2}\nruns: [3]")
    assert cell.id.startswith("parking-lot-TcpCubic-hops2-10Mbps-10ms-r3-")
    assert not [each for each in cell.arguments if each.startswith("--hops")]


def test_a_preset_and_the_same_network_written_out_are_one_simulation():
    preset = cells("sweep: s\nscenario: parking-lot\nfixed: {hops: 2, queue: 20p}\nruns: [1]")[0]
    access = "bandwidth: 1Gbps, delay: 1ms, queue: none"
    text = f"""\
sweep: s
scenario: network
network:
  links:
    hop: {{between: ["r{{i}}", "r{{i+1}}"], count: 2, delay: 10ms, queue: 20p}}
    begin: {{between: ["sender{{i}}", r0], {access}}}
    end: {{between: [r2, "receiver{{i}}"], {access}}}
    enter: {{between: ["in{{i}}", "r{{i%2}}"], count: 2, {access}}}
    leave: {{between: ["r{{i%2+1}}", "out{{i}}"], count: 2, {access}}}
  flows:
    long: {{from: "sender{{i}}", to: "receiver{{i}}"}}
    cross: {{from: "in{{i}}", to: "out{{i}}", count: 2}}
runs: [1]
"""
    written = cells(text)[0]
    assert written.arguments == preset.arguments
    assert written.id.rpartition("-")[2] == preset.id.rpartition("-")[2]


def test_a_files_content_is_part_of_the_identity_and_its_path_is_not(tmp_path):
    text = LINE.replace("delay: 20ms", "trace: t")
    for name, held in (("a", "1\n2\n"), ("b", "1\n2\n"), ("c", "1\n3\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t").write_text(held)
    first, same, other = (ids(text, tmp_path / name) for name in "abc")
    assert first == same != other
    assert f"--links.second.trace={tmp_path}/a/t" in arguments(text, tmp_path / "a")
    assert first == ids(text.replace("trace: t", "trace: ../b/t"), tmp_path / "a")


def test_a_file_that_changed_is_read_again(tmp_path):
    text = LINE.replace("delay: 20ms", "trace: t")
    (tmp_path / "t").write_text("1\n2\n")
    first = ids(text, tmp_path)
    assert read(text, tmp_path).inputs["t"].path == str(tmp_path / "t")
    (tmp_path / "t").write_text("1\n2\n3\n")
    assert ids(text, tmp_path) != first


def test_costs_follow_what_flows_share_and_how_many_links_they_cross():
    (row,) = read(LINE.replace("bandwidth: 10Mbps", "bandwidth: 100Mbps")).own
    per_s = 8e6 / 8 / 1502
    one, two = (packet_counts.load(each) for each in (read(LINE + "fixed: {duration: 30s}").own[0], row))
    assert two.packets == pytest.approx(60 * per_s)
    assert two.crossings == pytest.approx(2 * one.crossings, rel=0.1)


@pytest.mark.long
def test_ten_thousand_cells_of_a_network_are_planned_in_seconds():
    rates = ", ".join(f"{rate}kbps" for rate in range(1000, 1050))
    delays = ", ".join(f"{delay}ms" for delay in range(1, 21))
    grid = f"grid: {{network.links.first.bandwidth: [{rates}], network.links.second.delay: [{delays}]}}"
    begin = time.process_time()
    sweep = read(LINE + grid)
    found = commands(sweep)
    plan = Plan(sweep, found, "parser", None, None, {})
    assert plan.warnings and plan.spans and len(found) == 10_000
    costs = [expected_costs.estimate(row, sweep.capture, sweep.inputs) for row in sweep.own]
    assert len(costs) == 1000
    assert time.process_time() - begin < 20  # of a few; minutes, if it grows faster than the cells

# SPDX-License-Identifier: MIT
"""Network presets: the included presets, and users' own files."""

import shutil
from pathlib import Path

import pytest

from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.sweep import network_graph
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys import network_preset_check, network_presets, schema
from tcpsweep.core.sweepfile.network import network_views
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.archive import contents
from tests.support.networks import PRESET, read


def own(tmp_path, preset=PRESET, more=""):
    (tmp_path / "my-net.yaml").write_text(preset)
    (tmp_path / "my.yaml").write_text(f"sweep: s\nscenario: ./my-net.yaml\n{more}")
    return tmp_path / "my.yaml"


@pytest.mark.parametrize("name", network_presets.preset_names())
def test_the_presets_that_come_along_are_right(name):
    network_preset_check.checked(network_presets.document(name))
    (row,) = read(f"sweep: s\nscenario: {name}\n").own
    assert set(schema.slug_parameters(name)) <= set(row)


def test_a_parking_lot_has_long_flows_over_all_hops_and_cross_flows_on_each():
    (row,) = read("sweep: s\nscenario: parking-lot\nfixed: {hops: 4, flows: 2, cross_flows: 3}").own
    network = network_views.network_of(row)
    hops = {number: link.name for number, link in enumerate(network.links) if link.group == "hop"}
    crossed = [[hops[step.link] for step in flow.way if step.link in hops] for flow in network.flows]
    assert crossed[:2] == [["hop-0", "hop-1", "hop-2", "hop-3"]] * 2
    assert sorted(map(str, crossed[2:])) == sorted(str([f"hop-{hop}"]) for hop in range(4) for _ in range(3))
    # 2 × 4 × 10 ms, and 1 ms at each end, there and back.
    assert network_views.round_trips_s(row)[0] == pytest.approx(0.084)


@pytest.mark.parametrize(("hops", "cross"), [(1, 0), (1, 1), (5, 0)])
def test_a_parking_lot_may_have_one_hop_or_no_cross_flows(hops, cross):
    (row,) = read(f"sweep: s\nscenario: parking-lot\nfixed: {{hops: {hops}, cross_flows: {cross}}}").own
    assert len(network_views.network_of(row).flows) == 1 + hops * cross


def test_a_leaf_spines_spines_have_the_hosts_rate_divided_by_the_oversubscription():
    sweep = read("sweep: s\nscenario: leaf-spine\ngrid: {oversubscription: [1, 2.5], hosts: [4, 8], spines: [2]}")
    assert [row["network.links.up.bandwidth"] for row in sweep.own] == ["200Mbps", "400Mbps", "80Mbps", "160Mbps"]
    network = network_views.network_of(sweep.own[0])
    assert len(network.nodes) == 4 + 2 + 4 * 4
    assert {len(flow.way) for flow in network.flows} == {4}, "host, leaf, spine, leaf, host"
    assert sweep.own[0]["ecmp"] is True


def test_a_presets_values_may_be_others_by_their_dotted_names_and_have_more_flows():
    more = "network: {flows: {late: {from: sender0, to: receiver0, start: 9s}}}\n"
    sweep = read(f"sweep: s\nscenario: parking-lot\n{more}grid: {{network.links.hop.delay: [3ms, 30ms]}}")
    assert [row["network.links.hop.delay"] for row in sweep.own] == ["3ms", "30ms"]
    assert sweep.own[0]["network.flows"] == "long,cross,late"


def test_a_preset_of_ones_own_is_found_from_the_sweep_file(tmp_path):
    sweep = checked_sweep.without_ns3(own(tmp_path, more="grid: {rate: [3Mbps, 6Mbps], many: [2, 3]}"))
    rates = [row["network.links.begin.bandwidth"] for row in sweep.own]
    assert rates == ["2Mbps", "3Mbps", "4Mbps", "6Mbps"]
    assert sweep.program == "network"
    assert schema.slug_name(sweep.scenario) == "my-net"
    assert [len(network_graph.network_of(row, "1ms").flows) for row in sweep.own] == [2, 3, 2, 3]


def test_a_file_that_a_preset_names_is_found_from_the_preset(tmp_path):
    (tmp_path / "nets").mkdir()
    (tmp_path / "nets" / "t").write_text("1\n2\n")
    (tmp_path / "nets" / "n.yaml").write_text(PRESET.replace("bandwidth: $rate}", "trace: t}"))
    (tmp_path / "my.yaml").write_text("sweep: s\nscenario: nets/n.yaml\n")
    sweep = checked_sweep.without_ns3(tmp_path / "my.yaml")
    assert {name: each.path for name, each in sweep.inputs.items()} == {"nets/t": str(tmp_path / "nets" / "t")}


@pytest.mark.parametrize("folder", [".", "deep"])
def test_an_archive_has_the_files_that_a_preset_names(tmp_path, monkeypatch, folder):
    monkeypatch.chdir(tmp_path)
    (tmp_path / folder / "nets").mkdir(parents=True)
    (tmp_path / folder / "t").write_text("1\n2\n")
    (tmp_path / folder / "nets" / "n.yaml").write_text(PRESET.replace("bandwidth: $rate}", "trace: ../t}"))
    file = Path(folder, "my.yaml")
    file.write_text("sweep: s\nscenario: ./nets/n.yaml\n")
    place, named = contents._study(checked_sweep.without_ns3(file), file, has_home=True)
    assert {name: path.resolve() for name, path in named.items()} == {
        "study/my.yaml": file.resolve(),
        "study/nets/n.yaml": tmp_path / folder / "nets" / "n.yaml",
        "study/t": tmp_path / folder / "t",
    }
    unpacked = tmp_path / "unpacked"
    for name, path in named.items():
        (unpacked / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, unpacked / name)
    again = checked_sweep.without_ns3(unpacked / place / "my.yaml")
    former = checked_sweep.without_ns3(file).combinations
    assert [dict(row) for row in again.combinations] == [dict(row) for row in former]


def test_an_archive_refuses_a_preset_that_names_a_file_by_an_absolute_path(tmp_path):
    (tmp_path / "t").write_text("1\n2\n")
    file = own(tmp_path, PRESET.replace("bandwidth: $rate}", f"trace: {tmp_path}/t}}"))
    with pytest.raises(UserError, match=f"names {tmp_path}/t, which an unpacked archive lacks: write a path relative"):
        contents._study(checked_sweep.without_ns3(file), file, has_home=True)


def test_its_parameters_are_checked_like_others(tmp_path):
    with pytest.raises(yaml_document.Mistakes, match=r"my\.yaml:3:15: fixed\.many: expected at most 9, got 10"):
        checked_sweep.without_ns3(own(tmp_path, more="fixed: {many: 10}"))
    with pytest.raises(yaml_document.Mistakes, match=r"my\.yaml:3:8: grid\.rat: unknown key; did you mean 'rate'\?"):
        checked_sweep.without_ns3(own(tmp_path, more="grid: {rat: [1Mbps]}"))


def test_a_file_that_is_not_there_is_told_with_the_nearest(tmp_path):
    path = own(tmp_path)
    path.write_text("sweep: s\nscenario: my-nat.yaml\n")
    with pytest.raises(
        yaml_document.Mistakes, match=r"2:11: scenario: there is no file my-nat.yaml; did you mean 'my-n"
    ):
        checked_sweep.without_ns3(path)


def test_names_in_a_preset_may_be_the_fields_or_of_variants_of_our_own(tmp_path):
    preset = PRESET.replace("bandwidth: $rate}", "queue_disc: fq_codel}").replace(
        "to: r1", "to: r1, variant: TcpWestwood"
    )
    assert checked_sweep.read(own(tmp_path, preset), ask_ns3=True)

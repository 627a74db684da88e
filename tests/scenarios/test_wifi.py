# SPDX-License-Identifier: MIT
"""The Wi-Fi dumbbell in real ns-3, compared with distances and airtimes by hand, FlowMonitor, and the audit."""

import math
import subprocess
from pathlib import Path

import polars as pl
import pytest
import yaml

from tcpsweep.core.identity import cpp_code
from tcpsweep.core.ns3 import catalogue, engine
from tcpsweep.core.run import cell_costs
from tcpsweep.core.sweepfile.checks import ns3_check
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tests.support.cell import audited, estimated

QUICK = ("--bandwidth=1Mbps", "--delay=2ms", "--segment_size=1024", "--queue=100p", "--duration=6s", "--start=1s")
ALL = (*QUICK, "--stations=10", "--flows=10")
EXPECTED = yaml.safe_load((Path(__file__).parent / "wifi.yaml").read_text())


@pytest.fixture
def run(program, simulated):
    """Run a cell by hand."""
    return lambda *arguments, name=None: simulated(program("wifi-dumbbell"), *arguments, name=name)


def nodes(cell, **wanted):
    """The nodes of a cell's record that have these values, by name."""
    return {
        node["name"]: node for node in cell.record["nodes"] if all(node[key] == value for key, value in wanted.items())
    }


def carrying(cell):
    """The flows whose receiver got something."""
    return [flow["flow"] for flow in cell.record["flows"] if flow["received_bytes"]]


# --- Who hears whom ---


def test_nodes_stand_row_by_row_and_hear_who_is_near(run):
    cell = run(*QUICK, "--stations=4", "--coverage=1.5", "--spacing=1.2", "--columns=3")
    # Neighbours in a row or a column are 1.2 m apart, the next nearest 1.7 m.
    names = {node["node"]: node["name"] for node in cell.record["nodes"]}
    for node, (name, (x, y, hears)) in zip(cell.record["nodes"], EXPECTED["grid"].items(), strict=True):
        assert (node["name"], node["x_m"], node["y_m"]) == (name, x, pytest.approx(y))
        assert [names[other] for other in node["hears"]] == hears
    joined = {name for name, node in nodes(cell).items() if node["associated_s"] is not None}
    assert joined == {"sender 1", "sender 3", "receiver 1"}
    assert carrying(cell) == [1]
    assert {node["role"] for node in cell.record["nodes"]} == {"station", "access point"}


def test_fading_by_friis_law_reaches_as_far_as_the_preamble_is_detected(run):
    """16.0206 dBm are -82 dBm at λ / 4π · 10^(98.0206 / 20) = 366.6 m, λ = c / 5.18 GHz, channel 36."""
    wave_m = 299792458 / 5.18e9
    reach_m = wave_m / (4 * math.pi) * 10 ** ((16.0206 + 82) / 20)
    for spacing, heard in ((0.99 * reach_m, True), (1.01 * reach_m, False)):
        friis = ("--propagation=FriisPropagationLossModel", "--ns3::FriisPropagationLossModel::Frequency=5.18e9")
        cell = run(*QUICK, *friis, "--stations=1", "--flows=1", "--columns=1", f"--spacing={spacing}")
        assert [bool(node["hears"]) for node in cell.record["nodes"]] == [heard] * 4
        assert (nodes(cell)["sender 0"]["associated_s"] is not None) == heard


# The report's table for coverage 1 to 5 counts flows with their ACK flows, so less the ten data flows these.
REACHED = {1: [7], 2: [4, 7, 8], 3: [1, 4, 5, 6, 7, 8, 9], 4: list(range(1, 10)), 5: list(range(10))}


@pytest.mark.parametrize(("coverage", "flows"), REACHED.items())
def test_flows_run_whose_ends_both_reach_their_access_points(run, coverage, flows):
    """Distances on the grid: the left access point is at (1, 3), the right one at (0, 7), in metres."""
    # Ten flows share 1 Mbit/s: one whose first packets are lost waits for two timeouts.
    cell = run(*ALL, f"--coverage={coverage}", "--duration=8s")
    assert [flow["flow"] for flow in cell.record["flows"] if flow["established_s"] is not None] == flows
    assert carrying(cell) == flows
    near = [i for i in range(10) if math.dist((i % 3, i // 3), (1, 3)) <= coverage]
    joined = nodes(cell, side="left", role="station")
    assert [i for i in range(10) if joined[f"sender {i}"]["associated_s"] is not None] == near


def test_flows_out_of_reach_send_into_the_void_and_are_counted_as_such(run, tmp_path):
    parsed, _, found = audited(run(*ALL, "--coverage=1"), tmp_path / "parsed")
    others = parsed.flows.filter(pl.col("flow") != 7)
    assert others["tx_packets"].min() > 0
    assert others["rx_packets"].max() == 0
    assert found["agrees"].all()


# --- What the radio carries ---


@pytest.mark.parametrize("more", [(), ("--flows=13", "--loss=0.01", "--cbr_flows=2", "--cbr_rate=100kbps")])
def test_what_arrives_agrees_with_flow_monitor_and_the_audit(run, tmp_path, more):
    cell = run(*QUICK, "--stations=4", "--flows=4", "--bandwidth=10Mbps", *more)
    parsed, _, found = audited(cell, tmp_path / "parsed")
    assert found.filter(~pl.col("agrees")).to_dicts() == []
    assert parsed.flows["rx_bytes"].min() > 0


def test_a_station_alone_gets_what_the_airtime_of_its_frames_allows(run):
    """802.11a at 54 Mbit/s (IEEE 802.11-2020, 17.4): DIFS 34 µs, on average 7.5 backoff slots of 9 µs, preamble and
    SIGNAL 20 µs, symbols of 4 µs with 216 bits; SIFS 16 µs, the ACK of 14 bytes at 24 Mbit/s, 96 bits a symbol.

    Beacons take some 0.2 % of the time, and the mean of 5000 backoffs has a standard error of 0.15 % of a cycle.
    """
    payload = 1472
    frame = 24 + 8 + 20 + 8 + payload + 4  # MAC, LLC, IP, UDP, FCS
    data_us = 20 + 4 * math.ceil((16 + 8 * frame + 6) / 216)
    ack_us = 20 + 4 * math.ceil((16 + 8 * 14 + 6) / 96)
    cycle_us = 34 + 7.5 * 9 + data_us + 16 + ack_us
    constant = ("--rate_control=ConstantRateWifiManager", "--ns3::ConstantRateWifiManager::DataMode=OfdmRate54Mbps")
    cbr = ("--cbr_flows=1", "--cbr_rate=60Mbps", f"--cbr_packet_size={payload}", "--cbr_start=1s")
    alone = ("--bandwidth=1Gbps", "--stations=1", "--flows=1", "--start=100s", "--traces=none", "--queue_trace=false")
    first, last = (
        run(*constant, *cbr, *alone, f"--duration={end}s").record["cbr_flows"][0]["received_packets"] for end in (2, 4)
    )
    assert (last - first) / 2 == pytest.approx(1e6 / cycle_us, rel=0.005)


def test_runs_differ_and_variants_meet_the_same_network(run):
    one, same, other, variant = (
        run(*QUICK, "--stations=3", *more)
        for more in (["--RngRun=1"], ["--RngRun=1"], ["--RngRun=2"], ["--RngRun=1", "--variant=TcpNewReno"])
    )
    joined = [[node["associated_s"] for node in cell.record["nodes"]] for cell in (one, same, other, variant)]
    assert joined[0] == joined[1] == joined[3] != joined[2]
    assert one.trace("owd_s") == same.trace("owd_s") != other.trace("owd_s")


@pytest.mark.parametrize("standard", ["802.11b", "802.11g", "802.11n", "802.11n --band=5GHz", "802.11ac", "802.11ax"])
def test_every_standard_and_band_runs(run, standard):
    radio = f"--standard={standard} --rate_control=IdealWifiManager"
    cell = run(*QUICK, "--stations=2", *radio.split(), "--duration=3s")
    assert carrying(cell) == [0, 1]


def test_rate_controls_are_refused_that_end_ns3_at_newer_standards(program, build_folder, tmp_path, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(build_folder))
    types = catalogue.types(engine.find(), cpp_code.own_modules("wifi-dumbbell"))
    refused = set()
    for name in catalogue.descendants(types, "ns3::WifiRemoteStationManager"):
        control = name.removeprefix("ns3::")
        options = [*QUICK, "--duration=1s", "--standard=802.11n", f"--rate_control={control}", f"--out={tmp_path}"]
        command = [program("wifi-dumbbell"), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 2:
            refused.add(control)
            assert done.stderr.startswith(
                f"wifi-dumbbell: --rate_control: {control} does not know the rates of 802.11n"
            )
        else:
            assert done.returncode == 0, done.stderr
        named = [text for text in told(f"standard: 802.11n, rate_control: {control}") if "rate_control" in text]
        # A constant rate that the standard lacks ends ns-3 when data are first sent, which is not within this second.
        assert bool(named) == (control in refused or control == "ConstantRateWifiManager")
    assert {"AarfWifiManager", "MinstrelWifiManager"} <= refused
    assert not {"IdealWifiManager", "MinstrelHtWifiManager"} & refused


@pytest.mark.parametrize("scenario", ["dumbbell", "wifi-dumbbell"])
def test_attributes_of_a_module_are_known_where_the_scenario_has_it(build_folder, monkeypatch, scenario):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(build_folder))
    name = "ns3::WifiMacQueue::MaxDelay"
    good, bad = {name: "100ms", "ns3::TcpSocket::InitialCwnd": 4}, {name: "soon"}
    problems = ns3_check.problems({"scenario": scenario, "attributes": good}, engine.find())
    assert [problem.path[-1] for problem in problems] == [name][: scenario == "dumbbell"]
    assert len(ns3_check.problems({"scenario": scenario, "attributes": bad}, engine.find())) == 1


@pytest.mark.parametrize(
    "given",
    [{"stations": 10, "flows": 10}, pytest.param({"stations": 4, "bandwidth": "40Mbps"}, marks=pytest.mark.long)],
)
def test_the_estimate_is_near_what_a_cell_takes(run, given):
    fixed = {"bandwidth": "1Mbps", "queue": "100p", "duration": "8s"} | given
    cell = run(*(f"--{name}={value}" for name, value in fixed.items()))
    expected = estimated("wifi-dumbbell", fixed)
    assert 0.5 < expected.raw_bytes / cell_costs.folder_bytes(cell.folder) < 2
    assert expected.memory > cell.record["peak_rss_bytes"]
    # A busy machine takes longer, by a factor that events do not know: 3 µs each on an idle one.
    assert 0.4 < expected.seconds / (3e-6 * cell.record["events"]) < 2.5


# --- Bad input ---


def told(fixed, more=""):
    """What is said of a sweep file with some fixed parameters."""
    document = yaml_document.parse(f"sweep: s\nscenario: wifi-dumbbell\nfixed: {{{fixed}}}\n{more}", "my.yaml")
    return str(document.mistakes(grid.expand(SweepFile(document.data))[1])).splitlines()


@pytest.mark.parametrize("case", EXPECTED["both"].items())
def test_incompatible_values_are_one_message_with_its_place(program, refused_by, case):
    fixed, message = case
    (line,) = told(fixed)
    assert message in line
    options = [f"--{pair.replace(': ', '=')}" for pair in fixed.split(", ")]
    if "coverage: 5" in fixed:
        options[-1] = "--coverage=6"  # by hand, the default is as good as none
    assert refused_by(program("wifi-dumbbell"), *options).startswith("wifi-dumbbell: --")


@pytest.mark.parametrize("case", EXPECTED["sweep file"])
def test_values_that_ns3_would_abort_on_are_reported_before(case):
    fixed, attributes, message = case
    (line,) = told(fixed, f"attributes: {attributes}")
    assert message in line
    mode = 'attributes: {"ns3::ConstantRateWifiManager::DataMode": DsssRate11Mbps}'
    assert told("standard: 802.11b, rate_control: ConstantRateWifiManager", mode) == []


def test_coverage_may_leave_some_out_and_stay_where_another_block_has_another_model():
    assert told("coverage: 1, flows: 10") == []
    blocks = "grid: [{coverage: [1, 2]}, {propagation: [FriisPropagationLossModel]}]"
    assert told("flows: 10", blocks) == []

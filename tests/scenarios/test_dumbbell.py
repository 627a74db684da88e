# SPDX-License-Identifier: MIT
"""The dumbbell in real ns-3, against closed formulas, FlowMonitor, and itself."""

import itertools
import math
import re
import xml.etree.ElementTree as ElementTree

import pytest

from tcpsweep.core.ns3 import catalogue, engine
from tcpsweep.core.run import run_cell
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.words import units
from tests.support.cell import Cell
from tests.support.printed import printed, refusal

HEADERS = 52  # IPv4 20 B, TCP 20 B, timestamps 12 B
PPP = 2
QUICK = ("--bandwidth=2Mbps", "--delay=10ms", "--duration=10s", "--start_jitter=100ms")


@pytest.mark.parametrize("scenario", schema.programs())
def test_help_says_what_the_schema_says(program, scenario):
    text = printed(program(scenario), "--help")
    options = text.partition("Program Options:")[2].partition("General Arguments")[0]
    lines = re.findall(r"^ +--(\w+): .*?(?:\(([^()]*)\))? *\[([^\]]*)\] *$", options, re.MULTILINE)
    found = {name: (unit, default) for name, unit, default in lines}
    expected = {
        name: (parameter.get("unit", ""), units.value_text(parameter["default"]))
        for name, parameter in schema.parameters(scenario).items()
        if "stage" not in parameter
    }
    assert {name: found.get(name) for name in expected} == expected
    names = set(re.findall(r"^ +--(\w+):", options, re.MULTILINE))
    output = {"out", "load", "traces", "queue_trace", "flow_monitor", "pcap", "snaplen", "ascii", "anim", "text"}
    # In a custom topology, the first two are fields of flows.
    programs = {"sender_program", "receiver_program", "program_folder"}
    others = output | {"kernel", "corrections", "sysctls", "quic"}
    assert names - set(expected) - programs == others - set(expected)
    assert not set(expected) & set(schema.constants(scenario))


def test_the_link_carries_what_its_rate_allows_and_no_more(run):
    cell = run(*QUICK, "--duration=30s", "--variant=TcpNewReno")
    carried = [row for row in cell.queue("t") if row["time"] > 5]
    utilisation = sum(row["bytes"] for row in carried) * 8 / (2e6 * 25)
    assert 0.9 < utilisation <= 1.001
    full = 1448 + HEADERS + PPP
    assert {row["bytes"] for row in carried} <= {full} | set(range(40, full))
    gaps = [b["time"] - a["time"] for a, b in itertools.pairwise(carried)]
    assert min(gaps) >= 54 * 8 / 2e6 - 2e-9


def test_the_delay_of_an_empty_network_is_propagation_and_transmission(run):
    network = ("--flows=1", "--bytes=1000", "--delay=10ms", "--access_delay=3ms", "--bandwidth=2Mbps", "--duration=5s")
    size = 1000 + HEADERS + PPP
    # The handshake's last ACK leaves at the same time and goes first: over the access link, then the bottleneck.
    first = HEADERS + PPP
    exact = 0.016 + first * 8 / 1e9 + (first + size) * 8 / 2e6 + size * 8 / 1e9
    still = max(delay for _, delay in run(*network, "--packet_jitter=0", name="still").trace("owd_s"))
    assert still == pytest.approx(exact, abs=2e-9)
    jittered = max(delay for _, delay in run(*network, name="jittered").trace("owd_s"))
    assert exact - first * 8 / 2e6 < jittered <= exact + (1448 + HEADERS + PPP) * 8 / 2e6


BDP_BYTES = 2e6 * 0.024 / 8


@pytest.mark.parametrize(
    ("queue", "packets"), [("20p", 20), ("1bdp", round(BDP_BYTES / 1502)), ("3bdp", round(3 * BDP_BYTES / 1502))]
)
def test_the_buffer_has_the_size_that_was_asked_for(run, queue, packets):
    network = ("--bandwidth=2Mbps", "--delay=10ms", "--duration=10s", "--flows=4", "--queue_disc=none")
    cell = run(*network, f"--queue={queue}")
    assert cell.record["links"][0]["bdp_bytes"] == pytest.approx(BDP_BYTES)
    assert cell.queue("d")
    assert {row["packets"] for row in cell.queue("d")} == {packets}
    assert max(row["delay"] for row in cell.queue("t")) <= (packets + 1) * 1502 * 8 / 2e6 + 1e-9


@pytest.mark.parametrize(
    "disc", ["FifoQueueDisc", "FqCoDelQueueDisc", "CoDelQueueDisc", "PieQueueDisc", "RedQueueDisc"]
)
def test_queue_discs_are_the_one_buffer(run, disc):
    cell = run(*QUICK, f"--queue_disc={disc}", "--queue=100p", "--flows=4", "--duration=20s")
    drops = cell.queue("d", "e")
    assert drops or disc == "FifoQueueDisc"
    bound = 102 * 1502 * 8 / 2e6
    delays = [row["delay"] for row in cell.queue("t")]
    assert max(delays) <= bound
    late = [row["delay"] for row in cell.queue("t") if row["time"] > 10]
    monitors = cell.flow_monitor()
    sent, received = (sum(int(m.get(key)) for m in monitors) for key in ("txPackets", "rxPackets"))
    # Each drop is reported once: packets that are neither received nor dropped are in flight.
    assert 0 <= sent - received - len(drops) <= 110
    if disc in ("FqCoDelQueueDisc", "CoDelQueueDisc", "PieQueueDisc"):
        # Their targets are 5 and 20 ms; at 2 Mbps a packet takes 6 ms.
        assert sum(late) / len(late) < 0.05
    if disc == "FifoQueueDisc":
        assert sum(late) / len(late) > 0.2


@pytest.mark.parametrize(
    ("unit", "loss", "per_packet"), [("packet", 0.02, 0.02), ("byte", 1e-5, 1 - (1 - 1e-5) ** 1502)]
)
def test_random_loss_has_its_probability(run, unit, loss, per_packet):
    cell = run(*QUICK, "--duration=60s", f"--loss={loss}", f"--loss_unit={unit}", "--flows=4", "--queue=100p")
    carried, lost = len(cell.queue("t")), len(cell.queue("l"))
    spread = 4 * math.sqrt(carried * per_packet * (1 - per_packet))
    assert abs(lost - carried * per_packet) < spread
    assert cell.way()["loss_packets"] == lost


def test_losses_stay_in_their_direction(run):
    acks = run(*QUICK, "--loss=0.05", "--loss_on=acks", name="acks")
    assert not acks.queue("l")
    flows = ElementTree.parse(acks.folder / "flow.xml").getroot().find("FlowStats")
    sent, received = (sum(int(flow.get(key)) for flow in flows) for key in ("txPackets", "rxPackets"))
    assert sent - received > 20
    assert run(*QUICK, "--loss=0.05", "--loss_on=both", name="both").queue("l")


def test_ns3s_environment_variables_do_not_reach_a_cell(dumbbell, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NS_ATTRIBUTE_DEFAULT", "ns3::TcpSocket::InitialCwnd=1")
    with run_cell.simulated(run_cell.CellTask("cell", [str(dumbbell), *QUICK], "parser", None, {})):
        pass
    assert Cell(tmp_path / "results" / "raw" / "cell").trace("cwnd_bytes", 0)[0][1] == 10 * 1448


def written(cell):
    """The content of a cell's tables."""
    return {path.name: path.read_bytes() for path in cell.folder.iterdir() if path.suffix in (".columns", ".xml")}


def test_runs_differ_and_the_same_run_does_not(run):
    def content(name, *arguments):
        return written(run(*QUICK, *arguments, name=name))

    first = content("a", "--RngRun=1")
    assert first == content("b", "--RngRun=1") != content("c", "--RngRun=2")
    still = ("--start_jitter=0s", "--packet_jitter=0")
    assert content("e", "--RngRun=2", *still) == content("f", "--RngRun=1", *still)


def test_variants_meet_the_same_draws(run):
    starts = [
        [flow["start_s"] for flow in run(*QUICK, f"--variant={variant}", "--flows=5", name=variant).record["flows"]]
        for variant in ("TcpCubic", "TcpBbr", "TcpVegas")
    ]
    assert starts[0] == starts[1] == starts[2]
    assert all(0 <= start <= 0.1 for start in starts[0])
    assert len(set(starts[0])) == 5


def test_starts_are_staggered_and_jitter_grows_with_the_round_trip(run):
    cell = run(*QUICK, "--start_stagger=1s", "--start_jitter=0s", "--flows=3")
    assert [flow["start_s"] for flow in cell.record["flows"]] == [0, 1, 2]
    for name, (flow, start) in enumerate(zip(cell.record["flows"], (0, 1, 2), strict=True)):
        assert cell.trace("cwnd_bytes", name)[0][0] == pytest.approx(start, abs=1e-6)
        assert flow["flow"] == name
    far = run("--delay=100ms", "--duration=1s", name="far")
    assert far.record["derived"]["start_jitter_s"] == pytest.approx(20 * 0.204)
    assert run("--delay=5ms", "--duration=1s", name="near").record["derived"]["start_jitter_s"] == 1


def test_every_congestion_control_of_ns3_runs(run, build_folder, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(build_folder))
    known = catalogue.descendants(catalogue.types(engine.find()), "ns3::TcpCongestionOps")
    assert len(known) >= 15
    for name in known:
        variant = name.removeprefix("ns3::")
        if variant == "TcpDctcp":
            continue
        cell = run(*QUICK, "--duration=4s", f"--variant={variant}", name=variant)
        assert all(flow["received_bytes"] > 50_000 for flow in cell.record["flows"]), variant


def test_settings_in_force_are_recorded(run):
    cell = run(*QUICK, "--ns3::TcpSocket::InitialCwnd=3", "--segment_size=1000", "--ns3::TcpCubic::Beta=0.5")
    settings = cell.record["settings"]
    assert settings["ns3::TcpSocket::InitialCwnd"] == "3"
    assert settings["ns3::TcpSocket::SegmentSize"] == "1000"
    assert float(settings["ns3::TcpCubic::Beta"]) == 0.5
    assert settings["ns3::TcpSocketBase::MinRto"].startswith("+1")
    assert cell.trace("cwnd_bytes", 0)[0][1] == 3000
    assert cell.record["ns3_version"] == "3.44"


@pytest.mark.long
def test_pacing_is_limited_by_nothing_that_nobody_set(run):
    # Without losses, which would cost seconds here.
    fast = ("--bandwidth=5Gbps", "--access_bandwidth=40Gbps", "--access_delay=100us", "--delay=1ms", "--queue=10000p")
    quiet = ("--traces=none", "--queue_trace=false", "--flow_monitor=false")
    bbr = (*fast, *quiet, "--variant=TcpBbr", "--flows=1", "--start_jitter=0s", "--packet_jitter=0", "--duration=150ms")
    name = "ns3::TcpSocketState::MaxPacingRate"
    free, limited = run(*bbr, name="free"), run(*bbr, f"--{name}=4Gbps", name="limited")
    assert free.record["settings"][name] == "20000000000bps"
    assert limited.record["settings"][name] == "4000000000bps"
    rates = [cell.record["flows"][0]["received_bytes"] * 8 / 0.15 for cell in (free, limited)]
    assert rates[1] < 4e9 < rates[0]
    slow = run(*bbr, "--bandwidth=1Gbps", "--duration=1ms", "--step_time=500us", "--step_bandwidth=1Gbps", name="slow")
    assert slow.record["settings"][name] == "4000000000bps"
    step = run(*bbr, "--bandwidth=1Gbps", "--duration=1ms", "--step_time=500us", "--step_bandwidth=2Gbps", name="step")
    assert step.record["settings"][name] == "8000000000bps"


def test_files_that_are_not_requested_are_not_written(run):
    cell = run(*QUICK)
    quiet = run(*QUICK, "--traces=none", "--queue_trace=false", name="quiet")
    assert sorted(p.name for p in quiet.folder.iterdir()) == ["checksums.txt", "flow.xml", "run.json"]
    silent = run(*QUICK, "--traces=none", "--queue_trace=false", "--flow_monitor=false", name="silent")
    assert sorted(p.name for p in silent.folder.iterdir()) == ["checksums.txt", "run.json"]
    # Without FlowMonitor, the program's own counters are recorded.
    uncounted = [{key: flow[key] for key in flow if key != "counted"} for flow in silent.record["flows"]]
    assert uncounted == quiet.record["flows"] == cell.record["flows"]


def test_attributes_that_a_parameter_sets_are_those_that_the_schema_names(refused):
    named = {name for about in schema.parameters("dumbbell").values() for name in about.get("sets", ())}
    for name in named:
        concrete = name.replace("ns3::QueueDisc::Link", "ns3::RedQueueDisc::Link")
        concrete = concrete.replace("ns3::QueueDisc::MaxSize", "ns3::PieQueueDisc::MaxSize")
        assert concrete in refused(f"--{concrete}=1")


def test_a_folder_that_is_missing_is_named(dumbbell, tmp_path):
    for arguments in ([], [f"--out={tmp_path}/none"]):
        assert "--out" in refusal(dumbbell, *arguments)


def test_the_order_of_events_is_that_of_ns3s_own_scheduler(run):
    options = ("--variant=TcpCubic+TcpBbr", "--flows=4", "--loss=1e-3", "--duration=10s")
    ours, theirs = run(*options, name="ours"), run(*options, "--SchedulerType=ns3::MapScheduler", name="theirs")
    assert written(ours) == written(theirs)
    assert all(written(ours).values())

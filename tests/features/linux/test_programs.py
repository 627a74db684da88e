# SPDX-License-Identifier: MIT
"""Programs as flows: their own counts against those of the simulator, and equal bytes in each run."""

import json
import shutil
import tempfile
import zlib
from pathlib import Path

import polars as pl
import pytest

from tcpsweep.core.measure import audit_checks
from tests.support.cell import Cell, audited
from tests.support.tools import lacking

pytestmark = pytest.mark.kernel
FOLDER = Path(__file__).parent
PYTHON = (
    f"--program_folder={FOLDER}",
    "--sender_program=python3 sockets.py send {receiver} {port} {seconds}",
    "--receiver_program=python3 sockets.py receive {port}",
)
SHORT = ("--flows=1", "--duration=3s", "--start_jitter=0s")
HEADERS = 2 + 20 + 32  # PPP's, IP's, and TCP's with timestamps


def written(cell, end, stream="stdout"):
    """What the program at an end of the first flow wrote."""
    (program,) = (each for each in cell.record["flows"][0]["programs"] if each["end"] == end)
    return (cell.folder / program[stream]).read_text()


def disagreeing(cell):
    """The checks of a cell's audit that do not agree."""
    with tempfile.TemporaryDirectory() as out:
        _, _, audit = audited(cell, Path(out))
    return audit.filter(agrees=False).rows()


@pytest.fixture
def iperf3():
    if not shutil.which("iperf3"):
        lacking("iperf3")
    return "--receiver_program=iperf3 -s -1 -p {port}"


def test_a_program_of_sockets_counts_what_the_simulator_counts_the_same_in_each_run(
    simulated, digests, request, tmp_path
):
    first = simulated(*SHORT, *PYTHON)
    cell = Cell(first)
    (flow,) = cell.record["flows"]
    counts = {int(written(cell, end)) for end in ("sender", "receiver")}
    assert counts == {flow["received_bytes"], cell.trace("received_bytes", 0)[-1][1]}
    # It sent for 2 of the 3 s, and what was in flight or queued then followed.
    assert 0.8 * 4e6 * 2 / 8 < flow["received_bytes"] < 4e6 * 3 / 8
    assert disagreeing(cell) == []
    request.getfixturevalue("busy")
    again = simulated(*SHORT, *PYTHON)
    assert digests(again) == digests(first)
    # In a folder with a longer path, it takes the same time.
    elsewhere = tmp_path / "a" / "longer" / "path"
    elsewhere.mkdir(parents=True)
    shutil.copy(FOLDER / "sockets.py", elsewhere)
    moved = simulated(*SHORT, f"--program_folder={elsewhere}", *PYTHON[1:])
    here, there = digests(first), digests(moved)
    assert here.keys() == there.keys()
    # The record names the folder, and checksums have the record's.
    assert {name for name in here if here[name] != there[name]} <= {"run.json", "checksums.txt"}


@pytest.mark.parametrize("programs", [PYTHON, ("--sender_program=iperf3 -c {receiver} -p {port} -t {seconds}",)])
def test_captures_hold_the_packets_of_programs(simulated, iperf3, programs):
    """One connection of a script, or iperf3's connections for control and for data."""
    cell = Cell(simulated(*SHORT, iperf3, *programs, "--pcap=all"))
    with tempfile.TemporaryDirectory() as out:
        _, packets, audit = audited(cell, Path(out))
        assert packets.filter(flow=0).select(pl.len()).collect().item() > 1000
    assert audit.filter(agrees=False).rows() == []
    captured = set(audit.filter(pl.col("check").str.starts_with("captured_"))["check"])
    assert captured == {check for check in audit_checks.CHECKS if check.startswith("captured_")}


def test_files_of_programs_are_named_and_have_checksums(simulated):
    folder = simulated(
        *SHORT, "--sender_program=echo said; echo wrong >&2; cat /dev/fd/0; ls $TMPDIR; cat /proc/uptime; env"
    )
    cell = Cell(folder)
    (program,) = cell.record["flows"][0]["programs"]
    assert (program["stdout"], program["stderr"]) == ("program-0-sender.out", "program-0-sender.err")
    assert written(cell, "sender", "stderr") == "wrong\n"
    said, uptime, *environment = written(cell, "sender").splitlines()
    assert said == "said"
    assert float(uptime.split()[0]) >= 100
    assert {line.split("=")[0] for line in environment} == {"PATH", "HOME", "TMPDIR", "LC_ALL", "PWD"}
    lines = (folder / "checksums.txt").read_text().splitlines()
    content = (folder / "program-0-sender.out").read_bytes()
    assert f"{zlib.crc32(content):08x} {len(content)} program-0-sender.out" in lines
    assert cell.record["flows"][0]["received_bytes"] == 0
    assert {"cwnd_bytes", "srtt_s", "acked_bytes"} <= {*cell.record["unavailable"]}


def test_icmp_takes_the_networks_time_and_is_no_packet_of_a_flow(simulated):
    probe = (PYTHON[0], "--sender_program=python3 sockets.py probe {receiver} {port}")
    cell = Cell(simulated(*SHORT, "--packet_jitter=0", *probe))
    # The error quotes the datagram: 20 bytes of IP, 8 of ICMP, and 20 + 8 + 5 of the datagram. Access links take 2 µs.
    on_links = [size + 2 for size in (20 + 8 + 5, 20 + 8 + 20 + 8 + 5)]
    assert float(written(cell, "sender")) == pytest.approx(2 * 0.022 + sum(on_links) * 8 / 4e6, abs=50e-6)
    (flow,) = cell.record["flows"]
    assert flow["received_bytes"] == 5
    assert len([row for row in cell.queue("t") if row["flow"] == 0]) == 1


CLIENTS = ["links.one.between=a,r", "links.two.between=b,r", "links.shared.between=r,server", "links.aside.between=r,c"]
CLIENTS += ["links.shared.bandwidth=4Mbps", "flows.own.from=a,b", "flows.own.to=server", "flows.own.count=2"]
CLIENTS += ["flows.beside.from=r", "flows.beside.to=c", "flows.beside.packet_rate=50"]


def test_programs_share_a_server_in_a_custom_topology_next_to_other_flows(simulated, program):
    network = [f"--{each}" for each in CLIENTS]
    own = [PYTHON[0], *(argument.replace("--", "--flows.own.", 1) for argument in PYTHON[1:])]
    common = ("--stack=linux", "--duration=3s", "--start_jitter=100ms")
    cell = Cell(simulated(*network, *own, program=program("network"), common=common))
    told = []
    for flow in cell.record["flows"][:2]:
        counts = {int((cell.folder / each["stdout"]).read_text()) for each in flow["programs"]}
        assert counts == {flow["received_bytes"]}
        told.append(flow["received_bytes"])
    # Both sent for 1 s over a link that both fill, with what waited in its queue.
    assert 0.8 * 4e6 / 8 < sum(told) < 1.5 * 4e6 / 8
    # The third flow has traces of its socket. Those that count up would be zero for programs, so there are none.
    assert {flow for flow, _ in cell.rows("cwnd_bytes")} == {2}
    assert {"acked_bytes", "timeouts"} <= {*cell.record["unavailable"]}
    assert "cwnd_bytes" not in cell.record["unavailable"]
    assert disagreeing(cell) == []


def test_iperf3_prints_the_goodput_of_the_packets_on_the_link(simulated, iperf3):
    sender = "--sender_program=iperf3 -c {receiver} -p {port} -t {seconds} -J"
    cell = Cell(simulated(*SHORT, "--duration=5s", sender, f"{iperf3} -J", "--variant=TcpBbr"))
    of_sender, of_receiver = (json.loads(written(cell, end)) for end in ("sender", "receiver"))
    assert of_sender["end"]["sender_tcp_congestion"] == "bbr"
    # Its intervals of a second begin when it has connected, three round trips after its start.
    told = [each["sum"]["bits_per_second"] for each in of_receiver["intervals"][1:-1]]
    on_link = sum(row["bytes"] - HEADERS for row in cell.queue("t") if row["flow"] == 0 and 1.2 < row["time"] < 3.2)
    assert sum(told) / len(told) == pytest.approx(on_link * 8 / 2, rel=0.01)
    # The link is full: of 1502 bytes of a packet on the link, 1448 are payload.
    assert sum(told) / len(told) == pytest.approx(4e6 * 1448 / 1502, rel=0.01)
    (flow,) = cell.record["flows"]
    sent, received = (of_sender["end"][f"sum_{each}"]["bytes"] for each in ("sent", "received"))
    # The messages of the control connection also count. The receiver ends before it has read the last data.
    assert received <= flow["received_bytes"] <= sent + 5000


def test_iperf3_loses_the_datagrams_that_the_link_drops(simulated, iperf3):
    sender = "--sender_program=iperf3 -u -b 6M -l 1000 -c {receiver} -p {port} -t {seconds} -J"
    cell = Cell(simulated(*SHORT, sender, iperf3))
    told = json.loads(written(cell, "sender"))["end"]["sum"]
    dropped = len([row for row in cell.queue("d", "D") if row["flow"] == 0 and row["bytes"] > 1000])
    assert dropped > 100
    # The last datagrams have no successors, by which a receiver could know of them.
    assert 0 <= dropped - told["lost_packets"] < 50
    assert disagreeing(cell) == []


MISSING = "the program `iperf33 -c 10.2.0.2` ended with status 127: /bin/sh: 1: iperf33: not found"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("iperf33 -c {receiver}", MISSING),
        ("echo no server >&2; exit 3", "ended with status 3: no server"),
        ("kill -9 $$", "ended with signal 9: it wrote no error"),
    ],
)
def test_a_program_that_fails_fails_the_simulation(simulated, command, said):
    folder = simulated(*SHORT, "--duration=1s", f"--sender_program={command}", fails=True)
    assert said in (folder / "log.txt").read_text()
    assert not (folder / "checksums.txt").exists()


def test_a_program_is_ended_with_the_simulation(simulated):
    own = "trap 'echo asked; exit 1' TERM; echo begun; while :; do sleep 0.1; done"
    cell = Cell(simulated(*SHORT, "--duration=1s", f"--sender_program={own}", "--receiver_program=sleep 1000"))
    assert written(cell, "sender") == "begun\nasked\n"
    assert [each["ended_by_simulation"] for each in cell.record["flows"][0]["programs"]] == [True, True]

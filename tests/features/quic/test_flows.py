# SPDX-License-Identifier: MIT
"""Flows of QUIC stacks in simulated time, against formulas, FlowMonitor and tshark; noq is left out without Rust."""

import filecmp
import itertools
import re
import subprocess

import pytest

from tcpsweep.core.words import field_names
from tcpsweep.features.quic import quic_names, recipes, stack_build
from tests.support.cell import Cell, audited
from tests.support.tools import lacking, tool

pytestmark = [pytest.mark.native, pytest.mark.quic]

RATE_BPS = 8_000_000
LINK = (f"--bandwidth={RATE_BPS}bps", "--delay=20ms", "--flows=1", "--start_jitter=0s", "--duration=10s")
UDP_BYTES, WIRE_BYTES = 1472, 1502  # of a packet as large as TCP's with 1448 B of payload
# Of a packet of data: the short header with a connection id of 8 B and 1 to 4 B of packet number (RFC 9000, 17.3), the
# tag of 16 B, and the frame's type, stream, offset of 4 B and length (RFC 9000, 19.8).
LEAST_HEADERS_BYTES, MOST_HEADERS_BYTES = 1 + 8 + 1 + 16 + 1 + 1 + 4, 1 + 8 + 4 + 16 + 1 + 1 + 4 + 2


@pytest.fixture(scope="module")
def compiled():
    """The simulator's argument for a stack, compiled unless it was before."""

    def compiled(stack):
        try:
            recipes.recipe(stack)
        except recipes.NoStack as error:
            # Debian's cargo is too old for noq, so that CI leaves noq out.
            lacking("libngtcp2-dev") if stack == "ngtcp2" else pytest.skip(str(error))
        stack_build.make(stack)
        return stack_build.argument([stack])

    return compiled


@pytest.fixture(scope="module")
def quic_cell(compiled, dumbbell, tmp_path_factory):
    """A cell of the dumbbell, by its variant and further arguments."""

    def quic_cell(variant, *arguments):
        folder = tmp_path_factory.mktemp("cell")
        argument = compiled(field_names.stack_and_control(variant.partition("+")[2] or variant)[0])
        subprocess.run([dumbbell, *argument, f"--variant={variant}", *LINK, *arguments, f"--out={folder}"], check=True)
        return Cell(folder)

    return quic_cell


@pytest.fixture(scope="module", params=["noq", "ngtcp2"])
def cubic(request, quic_cell):
    """A stack's CUBIC at a queue that it overflows, with all packets captured."""
    return quic_cell(f"quic:{request.param}/cubic", "--queue=40p", "--pcap=all")


def test_goodput_on_an_idle_link_is_its_rate_without_headers(cubic):
    """Once slow start is over, the queue is never empty, so that the link sends whole packets back to back."""
    received = [(time_s, total) for time_s, total in cubic.trace("received_bytes") if time_s >= 5]
    (begin_s, begin), (end_s, end) = received[0], received[-1]
    goodput_bps = 8 * (end - begin) / (end_s - begin_s)
    most, least = (
        RATE_BPS * (UDP_BYTES - headers) / WIRE_BYTES for headers in (LEAST_HEADERS_BYTES, MOST_HEADERS_BYTES)
    )
    assert 0.99 * least < goodput_bps < 1.001 * most


@pytest.mark.parametrize("control", ["noq/bbr3", "ngtcp2/bbr"])
def test_the_same_seed_gives_the_same_bytes_and_another_run_gives_others(quic_cell, control):
    first, again, other = (
        quic_cell(f"quic:{control}", "--duration=4s", "--pcap=all", "--snaplen=full", f"--RngRun={run}").folder
        for run in (1, 1, 2)
    )
    names = [path.name for path in first.iterdir() if path.suffix in (".columns", ".pcap", ".xml")]
    assert len(names) > 4
    assert filecmp.cmpfiles(first, again, names, shallow=False)[0] == names
    assert "sender0.pcap" in filecmp.cmpfiles(first, other, names, shallow=False)[1]


@pytest.mark.parametrize(
    ("control", "beta"), [("noq/cubic", 0.7), ("noq/newreno", 0.5), ("ngtcp2/cubic", 0.7), ("ngtcp2/reno", 0.5)]
)
def test_a_loss_reduces_the_window_by_the_controls_factor(quic_cell, control, beta):
    """RFC 9438, 4.6, and RFC 9002, 7.3.2."""
    cell = quic_cell(f"quic:{control}", "--queue=40p", "--duration=6s")
    windows = [value for _, value in cell.trace("cwnd_bytes")]
    reductions = [after / before for before, after in itertools.pairwise(windows) if after < before]
    assert reductions
    # The acknowledgment that reveals a loss first opens the window by what it acknowledges.
    assert reductions == pytest.approx([beta] * len(reductions), abs=0.015)
    states = [value for _, value in cell.trace("congestion_state")]
    assert states.count(3) == len(reductions) == cell.record["flows"][0]["quic"]["congestion_events"]


def test_counts_are_those_of_flow_monitor_and_of_the_capture(cubic, tmp_path):
    (flow,), (monitored,) = cubic.record["flows"], cubic.flow_monitor()
    assert cubic.trace("sent_packets")[-1][1] == int(monitored.get("txPackets"))
    assert cubic.trace("ip_received_bytes")[-1][1] == int(monitored.get("rxBytes"))
    assert flow["quic"]["is_lost"] == 0
    _, packets, checks = audited(cubic, tmp_path)
    assert packets is not None
    assert checks.filter(~checks["agrees"]).rows() == []


@pytest.mark.tshark
def test_tshark_sees_as_many_datagrams(cubic):
    command = [tool("tshark"), "-r", cubic.folder / "sender0.pcap", "-Y", "udp.srcport == 49153", "-T", "fields"]
    lines = subprocess.run([*command, "-e", "udp.length"], check=True, capture_output=True, text=True).stdout.split()
    assert len(lines) == cubic.trace("sent_packets")[-1][1]
    assert sum(map(int, lines)) - 8 * len(lines) == cubic.trace("sent_bytes")[-1][1]
    assert max(map(int, lines)) == UDP_BYTES + 8


@pytest.mark.parametrize("control", ["noq/newreno", "ngtcp2/reno"])
def test_a_transfer_ends_when_its_last_byte_arrives(quic_cell, control):
    (flow,) = quic_cell(f"quic:{control}", "--bytes=1000000", "--duration=4s").record["flows"]
    assert flow["received_bytes"] == 1_000_000
    # Two round trips for the handshake and the first data, and the link's time for all packets.
    least_s = 1.5 * 0.04 + 1_000_000 * 8 / RATE_BPS * WIRE_BYTES / (UDP_BYTES - LEAST_HEADERS_BYTES)
    assert least_s < flow["finish_s"] < 2 * least_s
    assert flow["established_s"] == pytest.approx(0.04, abs=0.01)


@pytest.mark.parametrize("stack", ["noq", "ngtcp2"])
def test_a_small_socket_buffer_limits_a_flow_to_one_buffer_each_round_trip(quic_cell, stack):
    limited = ("--bandwidth=100Mbps", "--socket_buffer=100kB", "--duration=3s")
    cell = quic_cell(f"quic:{stack}/cubic", *limited)
    received = [(time_s, total) for time_s, total in cell.trace("received_bytes") if time_s >= 1]
    (begin_s, begin), (end_s, end) = received[0], received[-1]
    round_trip_s = min(value for _, value in cell.trace("rtt_s"))
    assert 0.8 < (end - begin) / (end_s - begin_s) / (100_000 / round_trip_s) < 1.02


@pytest.mark.parametrize("stack", ["noq", "ngtcp2"])
def test_tcp_and_quic_share_a_queue(quic_cell, stack):
    tcp, quic = quic_cell(f"TcpCubic+quic:{stack}/cubic", "--flows=2").record["flows"]
    assert (tcp["stack"], quic["stack"]) == ("ns-3", "quic")
    both = tcp["received_bytes"] + quic["received_bytes"]
    assert 0.2 < quic["received_bytes"] / both < 0.8


@pytest.mark.parametrize("stack", ["noq", "ngtcp2"])
def test_a_scenario_without_the_stack_says_so(dumbbell, refused_by, compiled, stack):
    assert re.search(f"no library of the QUIC stack {stack}", refused_by(dumbbell, f"--variant=quic:{stack}/cubic"))
    told = refused_by(dumbbell, f"--variant=quic:{stack}/cubik", *compiled(stack))
    assert f"it has {', '.join(quic_names.STACKS[stack])}" in told

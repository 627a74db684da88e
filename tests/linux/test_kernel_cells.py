# SPDX-License-Identifier: MIT
"""Flows between sockets of this machine's kernel: their traces, their packets in the network, and their sinks."""

import contextlib
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest
from scipy import stats

from tcpsweep.run import real_time
from tests.support import kernel_counts
from tests.support.tools import forbidden

pytestmark = pytest.mark.linux
LOSS = 0.02
SEGMENT, PPP = 1448, 2  # a segment's payload, and PPP's bytes on the wire
# Wide bounds of lag: the round trip is 84 ms, and the buffer holds 300 ms.
BULK = ("--variant=TcpCubic+linux:reno", "--bandwidth=4Mbps", "--delay=40ms", "--queue=100p", "--duration=4s")
QUICK = ("--start_jitter=0s", "--packet_jitter=0")


@pytest.fixture
def bulk(kernel_cell):
    """A flow of CUBIC's that does not end, and one of 200,000 bytes of Reno's."""
    return kernel_cell(*BULK, *QUICK, f"--loss={LOSS}", "--loss_on=data", "--bytes=0,200000", "--pcap=all")


def captured(path):
    """The bytes of payload of all packets in a capture, and how many packets there are."""
    data, place, total, count = path.read_bytes(), 24, 0, 0
    while place < len(data):
        (size,) = struct.unpack_from("<I", data, place + 8)
        packet = data[place + 16 + PPP : place + 16 + size]  # after PPP's protocol
        header = 4 * (packet[0] & 15)
        total += int.from_bytes(packet[2:4]) - header - 4 * (packet[header + 12] >> 4)
        count, place = count + 1, place + 16 + size
    return total, count


def test_capture_kernel_traces_and_sinks_have_the_same_bytes_and_losses_their_share(bulk):
    record, monitored = bulk.record, bulk.flow_monitor()
    for number, flow in enumerate(record["flows"]):
        kernel = flow["kernel"]
        assert kernel["segment_bytes"] == SEGMENT
        sent = bulk.trace("sent_bytes", number)[-1][1]
        unread = kernel_counts.unread_segments(kernel, sent, is_finished=number == 1)
        again = kernel["bytes_retransmitted"] - bulk.trace("retransmitted_bytes", number)[-1][1]
        assert 0 <= again <= unread * SEGMENT
        # All that the sender's interface carries is this connection's, its acknowledgments without payload.
        payload, packets = captured(bulk.folder / f"{flow['source_interface']}.pcap")
        assert payload == sent
        assert packets == kernel["segments_sent"] - unread + kernel["segments_received"]
        assert int(monitored[number].get("txPackets")) == kernel["segments_sent"] - unread
        assert bulk.trace("acked_bytes", number)[-1][1] <= flow["received_bytes"]
        assert bulk.trace("received_bytes", number)[-1][1] == flow["received_bytes"]
    assert record["flows"][1]["received_bytes"] == 200_000
    assert record["flows"][1]["finish_s"] is not None
    assert record["real_time"]["refused_packets"] == 0
    way = bulk.way()
    low, high = stats.binom.interval(1 - 1e-6, way["sent_packets"], LOSS)
    assert low <= way["loss_packets"] <= high


# In a user namespace that may have six network namespaces: start a run, which has four, end it by a signal, and start
# the next as soon as there is room for it. On a busy machine, a run may end itself just before the signal, with the
# status 3, because it was late.
ENDED = """
import os, signal, subprocess, sys, time
open("/proc/sys/user/max_net_namespaces", "w").write("6")
def tuns(process):
    try:
        return sum(os.readlink(file.path) == "/dev/net/tun" for file in os.scandir(f"/proc/{process.pid}/fd"))
    except OSError:  # it has ended, or closed one meanwhile
        return 0
end = time.monotonic() + 600
for name in ("SIGINT", "SIGKILL", "SIGTERM"):
    while time.monotonic() < end:
        process = subprocess.Popen(sys.argv[1:], stderr=subprocess.DEVNULL)
        while process.poll() is None and tuns(process) < 4:
            time.sleep(0.02)
        if process.poll() is None:
            process.send_signal(getattr(signal, name))
            if process.wait() != 3:
                print(name, process.returncode, flush=True)
                break
        time.sleep(0.1)
"""


def test_nothing_is_left_of_a_run_that_is_ended(linux, dumbbell, tmp_path):
    # It ends by the signal, however late the signal comes on a busy machine.
    command = [dumbbell, "--stack=linux", *BULK, "--duration=10min", f"--out={tmp_path}"]
    own = ["unshare", "--user", "--map-root-user"]
    if subprocess.run([*own, "true"], stderr=subprocess.DEVNULL, check=False).returncode:
        forbidden("user namespaces")
    apart = [*own, sys.executable, "-c", ENDED, *command]
    done = subprocess.run(apart, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["SIGINT", "-2", "SIGKILL", "-9", "SIGTERM", "-15"], done.stderr
    assert not (tmp_path / "checksums.txt").exists()


def _tuns(process):
    """How many interfaces of hosts a process has opened."""
    with contextlib.suppress(OSError):  # it has ended, or closed one meanwhile
        return sum(file.readlink() == Path("/dev/net/tun") for file in Path(f"/proc/{process.pid}/fd").iterdir())
    return 0


def test_a_run_that_was_stopped_for_a_while_is_refused(linux, dumbbell, tmp_path):
    process = subprocess.Popen(
        [dumbbell, "--stack=linux", *BULK, "--duration=10min", f"--out={tmp_path}"], stderr=subprocess.PIPE, text=True
    )
    # Its hosts are ready, and soon after it begins: on a busy machine, only after some seconds.
    while process.poll() is None and _tuns(process) < 4:
        time.sleep(0.02)
    time.sleep(1)
    process.send_signal(signal.SIGSTOP)
    time.sleep(0.3)
    process.send_signal(signal.SIGCONT)
    _, words = process.communicate()
    assert process.returncode == real_time.TOO_LATE
    assert words.count("\n") == 1
    assert "lagged too far behind real time" in words
    assert not (tmp_path / "run.json").exists()

# SPDX-License-Identifier: MIT
"""Simulations in virtual time, inside a kernel that this user has built: equal bytes, whatever else runs."""

import contextlib
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

from tcpsweep.core.measure import audit
from tcpsweep.core.parse import raw_files
from tcpsweep.core.run import run_cell
from tcpsweep.features.linux import kernel_build, kernel_source, virtual_time
from tests.features.linux.conftest import IN_VIRTUAL_TIME as OPTIONS
from tests.support.cell import Cell
from tests.support.tools import lacking

pytestmark = pytest.mark.kernel
RATE_BPS, SEGMENT, WIRE, ACK, SYN, PPP = 4e6, 1448, 1502, 54, 62, 2


@pytest.mark.parametrize("variant", ["TcpCubic", "TcpBbr"])
def test_seed_and_run_determine_all_bytes(simulated, digests, variant, request):
    first = digests(simulated("--duration=2s", f"--variant={variant}"))
    request.getfixturevalue("busy")
    assert digests(simulated("--duration=2s", f"--variant={variant}")) == first
    assert (
        digests(simulated("--duration=2s", f"--variant={variant}", run=2))["traces.columns"] != first["traces.columns"]
    )


def test_the_kernel_sees_the_exact_delay_and_rate(simulated):
    # Each segment finds the network empty. After 50 of them, the smoothed time no longer shows the handshake's.
    quick = ("--start_jitter=0s", "--packet_jitter=0", "--flows=1", "--packet_rate=10", "--variant=TcpLinuxReno")
    cell = Cell(simulated("--duration=6s", *quick))
    propagation_s = 2 * (0.020 + 2 * 0.001)
    kernel = cell.record["flows"][0]["kernel"]
    # Each reading of its clock takes a quarter of a microsecond. Access links of 1 Gbit/s add 2 µs, and below 25.
    assert kernel["min_rtt_s"] == pytest.approx(propagation_s + 2 * SYN * 8 / RATE_BPS, abs=50e-6)
    segment_s = propagation_s + (WIRE + ACK) * 8 / RATE_BPS
    assert cell.trace("srtt_s", 0)[-1][1] == pytest.approx(segment_s, abs=50e-6)
    assert cell.record["virtual_time"]["lag_mean_s"] < 50e-6
    assert cell.record["virtual_time"]["refused_packets"] == 0


def test_a_full_link_carries_its_rate_and_the_audit_agrees(simulated, tmp_path):
    quick = ("--start_jitter=0s", "--packet_jitter=0", "--flows=1", "--cbr_flows=1", "--cbr_rate=1kbps")
    cell = Cell(simulated("--duration=4s", "--variant=TcpCubic", "--queue=100p", *quick))
    # By then the queue is never empty. The arrival of a segment is exact to the 3 ms that it takes to send one.
    arrived = [row for row in cell.trace("ip_received_bytes", 0) if row[0] > 2]
    rate_bps = 8 * (arrived[-1][1] - arrived[0][1]) / (arrived[-1][0] - arrived[0][0])
    assert rate_bps == pytest.approx(RATE_BPS * (WIRE - PPP) / WIRE, rel=2e-3)
    checks = audit.audit_table(raw_files.cell(cell.folder, tmp_path), None, cell.record["arguments"])
    assert checks.filter(~pl.col("agrees")).is_empty()


def test_sysctls_reach_all_hosts_and_are_recorded(simulated):
    # The receiver's buffer holds its window below 32 kB.
    given = "net.ipv4.tcp_reordering=10,net.ipv4.tcp_rmem=4096:32768:32768"
    cell = Cell(simulated("--duration=2s", "--variant=TcpCubic", f"--sysctls={given}"))
    assert cell.record["settings"]["net.ipv4.tcp_reordering"] == "10"
    assert cell.record["settings"]["net.ipv4.tcp_rmem"] == "4096 32768 32768"
    assert 0 < max(value for _, value in cell.trace("in_flight_bytes", 0)) < 32768


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="this machine has one processor")
def test_a_kernel_runs_on_one_processor_gives_way_and_leaves_no_process(kernel, tmp_path):
    """Read from outside while a command computes inside."""
    command = [sys.executable, "-c", "while True: pass"]
    with ThreadPoolExecutor(1) as beside, pytest.raises(subprocess.TimeoutExpired):
        running = beside.submit(virtual_time.run, kernel.folder, command, tmp_path, 1, seconds=5)
        found = set()
        while not found and not running.done():
            time.sleep(0.05)
            found = {each for process in _processes_in(tmp_path) if (each := _scheduling(process))}
        assert {(processors, nice) for processors, nice, _ in found} == {(1, min(os.nice(0) + 10, 19))}
        (session,) = {session for *_, session in found}
        assert session in _processes_in(tmp_path)
        if (shares := Path(f"/proc/{session}/autogroup")).exists():
            assert shares.read_text().endswith(" nice 10\n")
        running.result()  # until it is ended from outside
    # Its programs are killed with it. The host may take a moment to remove them.
    end = time.monotonic() + 600
    while _processes_in(tmp_path) and time.monotonic() < end:
        time.sleep(0.05)
    assert _processes_in(tmp_path) == []


# All that a kernel writes to, by how it is mounted, and what the C library may use of the processor.
PLACES = """
import os, pathlib
print(*(line for line in pathlib.Path("/proc/mounts").read_text().splitlines() if " hostfs rw" in line), sep="\\n")
print(os.environ["GLIBC_TUNABLES"])
"""


def test_neither_times_of_access_nor_a_newer_processor_change_what_programs_do(kernel, tmp_path):
    """Each would change the kernel's random numbers after some seconds, and so BBR's windows."""
    assert virtual_time.run(kernel.folder, [sys.executable, "-c", PLACES], tmp_path, 1) == 0
    *mounts, features = (tmp_path / "log.txt").read_text(encoding="utf-8").splitlines()
    assert len(mounts) == 3 and all(",noatime" in line for line in mounts), mounts
    assert features == "glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA,-FMA4"


def _processes_in(folder):
    """The processes whose working folder is ``folder`` or inside it, also after the folder was removed."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # a process that has ended meanwhile
            if folder in [(place := (process / "cwd").readlink()), *place.parents]:
                found.append(int(process.name))
    return found


def _scheduling(process):
    """How many processors a process may use, its nice value and its session.

    None if it has ended, or is still Python, which sets all three before it becomes the kernel.
    """
    with contextlib.suppress(OSError):
        if Path(f"/proc/{process}/exe").resolve(strict=True) != Path(sys.executable).resolve():
            return len(os.sched_getaffinity(process)), os.getpriority(os.PRIO_PROCESS, process), os.getsid(process)
    return None


# Forbids ptrace, as some containers do, by a filter of system calls (seccomp): load the call's number; if it is
# ptrace's on x86_64, "operation not permitted", else allow.
WITHOUT_PTRACE = """
import ctypes, pathlib, struct, sys
from tcpsweep.features.linux import virtual_time
code = [(0x20, 0, 0, 0), (0x15, 0, 1, 101), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7FFF0000)]
steps = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in code))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(code), ctypes.addressof(steps)))
libc = ctypes.CDLL(None)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, program, 0, 0) == 0
virtual_time.run(pathlib.Path(sys.argv[1]), ["/bin/true"], pathlib.Path(sys.argv[2]), 1)
"""


def test_a_machine_that_forbids_ptrace_is_told_so_if_the_kernel_needs_it(kernel, tmp_path):
    command = [sys.executable, "-c", WITHOUT_PTRACE, str(kernel.folder), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if [int(part) for part in kernel.built.version.split(".")[:2]] >= [6, 16]:
        assert done.returncode == 0, done.stderr
        return
    assert "NoKernel: this machine or container forbids `ptrace`" in done.stderr, done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_batch_simulates_in_virtual_time_and_says_what_fails(kernel, with_kernel, dumbbell, tmp_path):
    command = [str(dumbbell), *OPTIONS, "--variant=TcpBbr", "--duration=1s", "--RngSeed=1", "--RngRun=1"]
    command.append("--queue_disc=ns3::FqCoDelQueueDisc")  # its settings pass through a temporary file
    (tmp_path / "good").mkdir()
    run_cell.simulate_in(tmp_path / "good", [*command, f"--kernel={kernel.built.release}"])
    assert "virtual_time" in Cell(tmp_path / "good").record
    assert float((tmp_path / "good" / "cpu_s.txt").read_text()) > 0
    no_kernel = "there is no kernel 0.0.1; `tcpsweep kernel list` shows the kernels"
    bad = [argument.replace("4Mbps", "4 apples") for argument in command]
    for tried, release, said in ((command, "0.0.1", no_kernel), (bad, kernel.built.release, "--bandwidth: expected")):
        out = tmp_path / f"without-{release}"
        out.mkdir()
        with pytest.raises(run_cell.CellFailed, match=said):
            run_cell.simulate_in(out, [*tried, f"--kernel={release}"])
        assert not (out / ".kernel").exists()


@pytest.fixture
def halving(tmp_path, monkeypatch):
    """Debian's 6.12 with another constant: after a loss, CUBIC's window is multiplied by 512/1024 instead of 717."""
    package = "linux-source-6.12"
    if package not in kernel_source.installed():
        lacking(package)
    kernel_source.copy(kernel_source.find(package), tmp_path / "source")
    cubic = tmp_path / "source" / "net/ipv4/tcp_cubic.c"
    cubic.write_text(re.sub(r"(int beta .*= )717;", r"\g<1>512;", cubic.read_text()))
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    return kernel_build.make(kernel_source.find(str(tmp_path / "source")))


@pytest.mark.long
def test_a_patched_kernel_reduces_its_window_by_its_own_factor(simulated, halving):
    cell = Cell(simulated("--duration=10s", "--flows=1", "--variant=TcpCubic", kernel=halving))
    windows, thresholds = cell.trace("cwnd_bytes", 0), cell.trace("ssthresh_bytes", 0)
    time, threshold = thresholds[-1]
    before = [window for at, window in windows if time - 0.2 < at <= time]
    assert 0 <= 0.5 * max(before) - threshold < SEGMENT  # in whole segments

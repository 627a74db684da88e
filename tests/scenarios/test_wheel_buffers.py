# SPDX-License-Identifier: MIT
"""Programs for ns-3's wheel replace functions of its buffers, and simulate the same bytes as ns-3's own functions."""

import subprocess

import pytest

from tcpsweep.core.ns3 import wheel
from tests.support.programs import compiled

CORRECTIONS = """
bbr cubic dsack f_rto prr quick_ack rack_tlp rate_sample receive_window recovery_exit reno sack_compression
syn_timeouts undo window_after_recovery
"""
ALL = ",".join(CORRECTIONS.split())
# Losses at random and by overflow, with and without SACK and corrections, small and full receivers' windows.
CASES = {
    "random losses": ["--variant=TcpCubic", "--bandwidth=50Mbps", "--delay=50ms", "--loss=0.001", "--flows=2"],
    "all corrections": ["--variant=TcpCubic", "--delay=50ms", "--loss=0.01", "--queue=0.1bdp", f"--corrections={ALL}"],
    "BBR": ["--variant=TcpBbr", "--bandwidth=20Mbps", "--loss=0.02", "--flows=3", "--queue=0.2bdp"],
    "BBR, all corrections": ["--variant=TcpBbr", "--loss=0.02", "--flows=3", f"--corrections={ALL}"],
    "no SACK": ["--variant=TcpNewReno", "--loss=0.05", "--flows=3", "--ns3::TcpSocketBase::Sack=false"],
    "small buffers": ["--variant=TcpLinuxReno", "--loss=0.1", "--socket_buffer=30000B", "--flows=3"],
    "transfers": ["--variant=TcpCubic", "--loss=0.05", "--bytes=300000", "--flows=4", "--corrections=prr"],
    "start of a large window": ["--variant=TcpCubic", "--bandwidth=100Mbps", "--delay=40ms", "--duration=3s"],
}


@pytest.fixture(scope="module")
def plain(tmp_path_factory, build_folder):
    """The dumbbell for the same ns-3 at a path that is not the wheel's, so that ns-3's own functions run."""
    prefix = tmp_path_factory.mktemp("elsewhere")
    for name in ("include", "lib64"):
        (prefix / name).symlink_to(wheel.find() / name)
    return compiled(build_folder, prefix)


def made(program, arguments, folder):
    folder.mkdir(parents=True)
    defaults = ["--bandwidth=10Mbps", "--delay=20ms", "--flows=1", "--queue=1bdp", "--duration=15s", "--RngRun=3"]
    named = {argument.partition("=")[0]: argument for argument in [*defaults, *arguments]}
    subprocess.run([program, *named.values(), f"--out={folder}"], check=True, capture_output=True)
    names = sorted(path.name for path in folder.iterdir() if path.name not in ("run.json", "checksums.txt"))
    return {name: (folder / name).read_bytes() for name in names}


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_replaced_functions_simulate_the_same_bytes(case, plain, build_folder, tmp_path):
    replaced = made(compiled(build_folder), CASES[case], tmp_path / "replaced")
    assert replaced == made(plain, CASES[case], tmp_path / "plain")


@pytest.mark.long
def test_only_programs_for_the_wheel_replace_functions(plain, build_folder):
    for program, count in ((compiled(build_folder), 4), (plain, 0)):
        symbols = subprocess.run(["nm", "-DC", "--defined-only", program], check=True, capture_output=True, text=True)
        functions = [
            "TcpTxBuffer::CopyFromSequence",
            "TcpTxBuffer::Update(",
            "TcpTxBuffer::NextSeg",
            "TcpRxBuffer::Add(",
        ]
        assert sum(function in symbols.stdout for function in functions) == count

# SPDX-License-Identifier: MIT
"""The gains of the corrected BBR as attributes, in real ns-3: Linux' by default, and the queues of its probes."""

import pytest

RTT, PACKET_S = 2 * (0.02 + 2 * 1e-3), 1502 * 8 / 10e6
ALONE = ("--variant=TcpBbr", "--corrections=bbr,rack_tlp,rate_sample", "--flows=1", "--start_jitter=0s")
ALONE += ("--packet_jitter=0", "--queue=8bdp", "--duration=9s")
GAINS = {"UpPacingGain": 1.25, "DownPacingGain": 0.75, "CwndGain": 2, "DrainPacingGain": 0}


def written(**gains):
    return [f"--ns3::TcpBbrGains::{name}={value}" for name, value in gains.items()]


def test_defaults_are_linuxs(run):
    cells = [run(*ALONE, "--duration=3s", *more, name=name) for name, more in (("a", ()), ("b", written(**GAINS)))]
    assert (cells[0].folder / "traces.columns").read_bytes() == (cells[1].folder / "traces.columns").read_bytes()
    settings = [{name for name in cell.record["settings"] if "TcpBbrGains" in name} for cell in cells]
    assert settings == [set(), {f"ns3::TcpBbrGains::{name}" for name in GAINS}]


def longest_wait(cell):
    """The longest wait in the queue after the startup, before the first probe for the round trip."""
    return max(row["delay"] for row in cell.queue("t") if 3 < row["time"] < 9)


@pytest.mark.parametrize("gain", [1.25, 1.5, 1.75])
def test_a_probe_for_bandwidth_fills_the_queue_by_its_gain(run, gain):
    """A probe lasts until gain × BDP is in flight, so (gain − 1) × RTT of it waits, and up to three bursts.

    The next phase drains it, with a gain that is as far below 1.
    """
    cell = run(*ALONE, *written(UpPacingGain=gain, DownPacingGain=2 - gain))
    assert (gain - 1) * RTT <= longest_wait(cell) <= (gain - 1) * RTT + 8 * PACKET_S


def test_the_window_bounds_a_probe(run):
    """A window has its gain × BDP, three bursts of two segments, an even number, and two more in a probe."""
    cell = run(*ALONE, *written(UpPacingGain=1.75, DownPacingGain=0.25, CwndGain=1.25))
    assert 0.25 * RTT <= longest_wait(cell) <= 0.25 * RTT + 12 * PACKET_S


def test_ns3s_own_bbr_has_no_such_gains(refused):
    told = refused("--variant=TcpCubic+TcpBbr", *written(CwndGain=3))
    assert "--ns3::TcpBbrGains::CwndGain: needs the correction bbr: ns-3's own BBR has only HighGain" in told


def test_other_variants_ignore_them(run):
    assert run("--variant=TcpCubic", "--duration=1s", *written(CwndGain=3)).record["flows"]

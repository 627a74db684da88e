# SPDX-License-Identifier: MIT
"""The thresholds at which discs drop and mark, in real ns-3: RED's, and DCTCP's marking threshold."""

from pathlib import Path

import pytest
import yaml

RED = "ns3::RedQueueDisc::"
LINK = ("--bandwidth=10Mbps", "--delay=20ms", "--duration=10s", "--start_jitter=100ms", "--variant=TcpNewReno")
ON_RED = (*LINK, "--queue_disc=RedQueueDisc")
NO_TRACE = ("--traces=none", "--queue_trace=false", "--flow_monitor=false")
MARKING = ("--ecn=true", "--variant=TcpDctcp", "--queue=200p", "--delay=5ms", "--start_jitter=1s")


def thresholds(cell):
    return tuple(float(cell.record["settings"][f"{RED}{name}"]) for name in ("MinTh", "MaxTh", "MeanPktSize"))


THRESHOLDS = yaml.safe_load(Path(__file__).with_name("thresholds.yaml").read_text())


@pytest.mark.parametrize(("arguments", "expected"), THRESHOLDS.items())
def test_reds_thresholds_follow_from_queue_and_packet(run, arguments, expected):
    cell = run(*ON_RED, "--duration=1s", *NO_TRACE, *arguments.split())
    assert thresholds(cell) == pytest.approx(expected, rel=1e-5)


def test_red_in_bytes_is_red_in_packets(run):
    cells = [run(*ON_RED, *NO_TRACE, f"--queue={queue}", name=queue) for queue in ("100p", "150kB")]
    received = [sum(flow["received_bytes"] for flow in cell.record["flows"]) for cell in cells]
    # With ns-3's 5 and 15 bytes, it was 7.3 MB of 10.3.
    assert received[1] == pytest.approx(received[0], rel=0.02)
    assert min(received) > 10.4e6


def test_other_discs_that_reckon_with_a_packet_size_have_the_full_packets(run):
    settings = run(*LINK, "--duration=1s", "--queue_disc=PieQueueDisc", *NO_TRACE).record["settings"]
    assert settings["ns3::PieQueueDisc::MeanPktSize"] == "1500"


@pytest.mark.parametrize("threshold", ["20p", "30kB"])
def test_red_with_a_threshold_marks_each_packet_that_finds_so_many(run, threshold):
    cell = run(*ON_RED, *MARKING, f"--ecn_threshold={threshold}")
    settings = cell.record["settings"]
    assert thresholds(cell) == (20, 20, 1500)
    assert [settings[f"{RED}{name}"] for name in ("QW", "Gentle", "UseHardDrop")] == ["1", "false", "false"]
    marked = cell.queue("m")
    assert not cell.queue("d", "e")
    # The disc holds 20 packets and the device one; the mark is reported before the packet is in.
    assert len(marked) > 100
    assert min(row["packets"] for row in marked) >= 20
    # Nothing that arrives above the threshold goes unmarked, and the queue stays there.
    assert max(row["packets"] for row in cell.queue("t") if row["time"] > 3) <= 26


def test_codels_kin_mark_by_delay(run):
    cell = run(*LINK, *MARKING, "--queue_disc=CoDelQueueDisc", "--ecn_threshold=3ms")
    assert cell.record["settings"]["ns3::CoDelQueueDisc::CeThreshold"] == "+3e+06ns"
    late = [row for row in cell.queue("t") if row["time"] > 3]
    # 3 ms are 2.5 packets; CoDel's own target of 5 ms lets DCTCP's queue grow to more than twice as much.
    assert sum(row["delay"] for row in late) / len(late) < 0.006

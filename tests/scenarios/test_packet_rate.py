# SPDX-License-Identifier: MIT
"""Flows that an application offers packets at a given rate, in real ns-3, against closed formulas."""

import math

import pytest

RATE, SEGMENT, DURATION = 70, 1000, 10
HEADERS, PPP = 52, 2
QUIET = ("--bandwidth=10Mbps", "--delay=10ms", f"--duration={DURATION}s", "--start_jitter=0s", "--flows=1")
QUIET += (f"--segment_size={SEGMENT}", "--packet_jitter=0", "--access_bandwidth=100Mbps", "--access_delay=2ms")


@pytest.fixture
def offered(program, simulated):
    """Run a cell of a scenario whose links nobody fills, without the options that the scenario does not have."""
    lacking = {"chain": ["flows"], "single-link": ["flows", "packet_jitter", "access_bandwidth", "access_delay"]}

    def offered(scenario, *arguments):
        without = tuple(f"--{name}=" for name in lacking.get(scenario, []))
        quiet = [option for option in QUIET if not option.startswith(without or ("none",))]
        return simulated(program(scenario), *quiet, *arguments)

    return offered


@pytest.mark.parametrize(("scenario", "access_links"), [("dumbbell", 2), ("chain", 1), ("single-link", 0)])
def test_packets_arrive_at_the_rate_at_which_they_are_offered(offered, scenario, access_links):
    cell = offered(scenario, f"--packet_rate={RATE}")
    size = (SEGMENT + HEADERS + PPP) * 8
    # TCP sends an offered packet a nanosecond later.
    way_s = 0.010 + size / 10e6 + access_links * (0.002 + size / 100e6) + 1e-9
    arrivals = dict((value, time) for time, value in cell.trace("received_bytes"))
    count = math.floor((DURATION - way_s) * RATE) + 1
    assert max(arrivals) == cell.record["flows"][0]["received_bytes"] == count * SEGMENT
    # The first few wait for the handshake.
    for packet in range(10, count):
        assert arrivals[(packet + 1) * SEGMENT] == pytest.approx(packet / RATE + way_s, abs=1e-8)
    assert cell.trace("sent_packets")[-1][1] == DURATION * RATE + 2  # with the SYN and the answer to its answer
    # Both windows have room nearly all of the time.
    limited_s = cell.trace("application_limited_s")[-1][1]
    assert DURATION - 0.3 < limited_s < DURATION
    assert not cell.trace("receiver_limited_s")


def test_bytes_end_it_to_the_byte_and_packets_that_tcp_does_not_accept_wait(offered):
    cell = offered("single-link", f"--packet_rate={RATE}", f"--bytes={25 * SEGMENT + 300}")
    (flow,) = cell.record["flows"]
    assert flow["received_bytes"] == 25 * SEGMENT + 300
    assert flow["finish_s"] == pytest.approx(25 / RATE + 0.010 + (300 + HEADERS + PPP) * 8 / 10e6, abs=1e-8)
    # Offered within a second, and more than buffer and link take in it; nothing is left out.
    small = ("--bandwidth=1Mbps", "--queue=100p", "--socket_buffer=20kB")
    cell = offered("single-link", "--packet_rate=500", "--bytes=500000", *small)
    (flow,) = cell.record["flows"]
    assert flow["received_bytes"] == 500_000
    least_s = 500_000 * (SEGMENT + HEADERS + PPP) / SEGMENT * 8 / 1e6
    assert least_s < flow["finish_s"] < 1.1 * least_s


def test_more_than_the_link_takes_is_as_much_as_there_can_be(offered):
    network = ("single-link", "--bandwidth=2Mbps", "--variant=TcpNewReno")
    most, got = (offered(*network, f"--packet_rate={rate}").record["flows"][0]["received_bytes"] for rate in (0, 2000))
    assert got == pytest.approx(most, rel=0.02)


def test_each_flow_has_its_rate(offered):
    cell = offered("dumbbell", "--flows=4", "--reverse_flows=1", "--packet_rate=20,50.5", "--start=1s,2s")
    for flow, rate in zip(cell.record["flows"], (20, 50.5, 20, 50.5, 20), strict=True):
        packets = (DURATION - flow["start_s"]) * rate
        assert flow["received_bytes"] / SEGMENT == pytest.approx(packets, abs=1.5)


def test_a_flow_that_is_never_connected_carries_nothing(offered):
    # ns-3's OnOffApplication would end the process when the last try has failed.
    tries = ("--ns3::TcpSocket::ConnTimeout=500ms", "--ns3::TcpSocket::ConnCount=2")
    cell = offered("single-link", f"--packet_rate={RATE}", "--loss=1", *tries)
    assert cell.record["flows"][0]["received_bytes"] == 0
    assert cell.trace("sent_packets")[-1][1] == 2

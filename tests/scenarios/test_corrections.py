# SPDX-License-Identifier: MIT
"""What corrections do in real ns-3: queues of BBR, and recovery by RFC 9937."""

import itertools
from pathlib import Path

import pytest
import yaml

from tcpsweep.core.sweepfile.keys import presets
from tests.support.transfers import CWR, RECOVERY, RTT_MS

LINUX = [
    f"--{name}={setting.value}" for name, setting in presets.preset("linux").settings.items() if not setting.unless
]
OF_LINUX = yaml.safe_load(Path(__file__).with_name("linux.yaml").read_text())
RTT_S = 2 * (0.02 + 0.001 + 0.001)
FULL = 1502


def queued_bdp(cell, from_s=10):
    """The mean queue that a packet finds, in bandwidth-delay products."""
    delays = [row["delay"] for row in cell.queue("t") if row["time"] >= from_s and row["bytes"] == FULL]
    return float(sum(delays)) / len(delays) / RTT_S


BBR_OF_LINUX = "bbr,rack_tlp,rate_sample,window_after_recovery"


@pytest.fixture
def bbr(dumbbell, simulated):
    """Run BBR on the dumbbell with Linux' settings and these corrections."""

    def bbr(corrections, *arguments):
        return simulated(dumbbell, *LINUX, "--variant=TcpBbr", f"--corrections={corrections}", *arguments)

    return bbr


ALONE = ("--flows=1", "--delay=20ms", "--queue=4bdp", "--duration=30s", "--traces=none")


@pytest.mark.long
@pytest.mark.parametrize("rate", OF_LINUX["queue_limits_s"])
def test_one_bbr_flow_queues_less_than_three_tenths_of_a_bdp_and_as_long_as_linux(bbr, rate):
    cell = bbr("rate_sample", *ALONE, f"--bandwidth={rate}")
    assert cell.record["parameters"]["corrections"] == "rate_sample"
    assert queued_bdp(cell) < 0.3
    low, high = OF_LINUX["queue_limits_s"][rate]
    more = f"{BBR_OF_LINUX},quick_ack,receive_window"
    found = [queued_bdp(bbr(more, *ALONE, f"--bandwidth={rate}", f"--RngRun={run}")) * RTT_S for run in (1, 2, 3)]
    assert low < sum(found) / 3 < high


def test_ns3_as_it_is_has_bbr_queue_a_bdp(bbr):
    assert queued_bdp(bbr("none", *ALONE, "--bandwidth=10Mbps")) > 0.9


def test_bbr_has_no_timeouts_in_a_shallow_buffer_where_ns3_as_it_is_has_many(bbr):
    shallow = ("--flows=2", "--bandwidth=5Mbps", "--delay=20ms", "--queue=0.5bdp", "--duration=20s")
    as_it_is, corrected = (bbr(each, *shallow, "--traces=timeouts") for each in ("none", BBR_OF_LINUX))
    assert len(as_it_is.trace("timeouts")) > 5
    assert not corrected.trace("timeouts")


@pytest.mark.long
def test_two_bbr_flows_lose_as_much_as_linux(bbr):
    """The first retransmission of a recovery waits for the pacing. Sent at once, it made losses 8.4 %."""
    network = ("--flows=2", "--bandwidth=6Mbps", "--delay=10ms", "--queue=2bdp", "--duration=50s")
    corrections = f"{BBR_OF_LINUX},dsack,f_rto,quick_ack,receive_window,sack_compression,syn_timeouts,undo"
    counts = [0, 0]
    for run in range(1, 9):
        cell = bbr(corrections, *network, "--start_jitter=500ms", "--traces=none", f"--RngRun={run}")
        for index, event in enumerate("dt"):
            counts[index] += sum(row["time"] >= 5 and row["bytes"] == FULL for row in cell.queue(event))
    lost, left = counts
    assert lost / (lost + left) == pytest.approx(OF_LINUX["loss"], rel=0.07)


def test_bbr_ends_a_recovery_that_was_not_necessary(transfer):
    """The late segment arrives after 15 ms, and its ACK shows it. Otherwise the recovery lasts a round trip or more."""
    ends = []
    for corrections in (f"{BBR_OF_LINUX},undo", BBR_OF_LINUX):
        found = transfer(corrections, late={60: 15}, segments=300, variant="TcpBbr")
        times = [time for time, state in found.of("c") if state in (RECOVERY, 0)]
        ends.append(times[1] - times[0])
    assert ends[0] < 15
    assert ends[1] > RTT_MS


def test_bbr_begins_a_recovery_with_one_segment_and_so_loses_no_more_than_linux_in_its_startup(bbr):
    cell = bbr(
        f"{BBR_OF_LINUX},recovery_exit,prr,quick_ack",
        *("--flows=1", "--bandwidth=10Mbps", "--delay=38ms", "--queue=0.5bdp", "--duration=2.5s"),
        *("--start_jitter=0s", "--traces=congestion_state,retransmitted_bytes"),
    )
    begin = next(time for time, state in cell.trace("congestion_state") if state == 3)
    next_ack = begin + FULL * 8 / 10e6
    at_once = [value for time, value in cell.trace("retransmitted_bytes") if time < next_ack]
    assert at_once == [1448]
    assert len(cell.queue("d")) == pytest.approx(OF_LINUX["lost_at_first"], abs=3)


def test_bbr_finds_a_policers_rate_as_linux_does_where_ns3_as_it_is_loses_packets(described):
    policed = {"between": "a,b", "bandwidth": "20Mbps", "delay": "20ms", "queue": "67p"}
    policed |= {"policer_rate": "5Mbps", "policer_burst": "60kB"}
    flow = {"flow": {"from": "a", "to": "b", "variant": "TcpBbr"}}
    options = [*LINUX, "--duration=25s", "--traces=received_bytes"]
    as_it_is, corrected = (
        received_bps(described({"policed": policed}, flow, *options, f"--corrections={each}", name=each))
        for each in ("none", f"{BBR_OF_LINUX},recovery_exit,prr,quick_ack")
    )
    assert corrected == pytest.approx(OF_LINUX["policed_bps"], rel=0.01)
    assert as_it_is < 0.9 * OF_LINUX["policed_bps"]


@pytest.mark.parametrize(("delay_ms", "window"), OF_LINUX["limited_windows"].items())
def test_an_application_that_limits_bbr_does_not_end_its_startup_where_ns3_as_it_is_takes_it_for_the_network(
    bbr, delay_ms, window
):
    """The window follows from the rate sample, whose interval depends on pacing, and from the handshake's RTT."""
    limited = ("--flows=1", "--bandwidth=10Mbps", f"--delay={delay_ms}ms", "--packet_rate=200", "--duration=5s")
    as_it_is, corrected = (
        bbr(each, *limited, "--start_jitter=0s", "--traces=cwnd_bytes").trace("cwnd_bytes")[-1][1] / 1448
        for each in ("none", f"{BBR_OF_LINUX},quick_ack")
    )
    assert corrected == window
    assert as_it_is < 0.6 * window


@pytest.mark.long
def test_bbr_takes_the_handshakes_round_trip_time_as_it_is_and_not_in_whole_milliseconds(bbr):
    """In its first ten seconds. The handshake's time in whole milliseconds depends on when a flow starts."""
    network = ("--flows=1", "--bandwidth=100Mbps", "--delay=0.4ms", "--queue=4bdp", "--access_delay=0.2ms")
    network += ("--duration=2s", "--start_jitter=500ms", "--traces=cwnd_bytes")
    cells = [bbr(BBR_OF_LINUX, *network, f"--RngRun={run}") for run in range(1, 7)]
    windows = [cell.trace("cwnd_bytes")[-1][1] / 1448 for cell in cells]
    # 2 × (0.4 + 0.2 + 0.2) ms, and the time of a SYN of 58 bytes and its answer at 100 Mbit/s and twice at 1 Gbit/s.
    handshake_s = 1.611e-3
    # Two bandwidth-delay products, and three bursts of a 1024th of a second at the least pacing gain.
    least = 2 * 100e6 * handshake_s / 8 / FULL + 3 * (0.75 * 100e6 / 1024 / 8 // FULL)
    assert min(windows) >= least, windows


def received_bps(cell, warmup_s=5):
    """Received payload in bit/s after the warm-up."""
    rows = [(time, value) for time, value in cell.trace("received_bytes") if time >= warmup_s]
    (begin, first), (end, last) = rows[0], rows[-1]
    return 8 * (last - first) / (end - begin)


def test_no_segment_is_sent_twice_without_need(bbr):
    cell = bbr(
        f"{BBR_OF_LINUX},prr,recovery_exit",
        *("--variant=TcpCubic+TcpBbr", "--flows=2", "--bandwidth=5Mbps", "--delay=20ms", "--queue=1bdp"),
        *("--duration=20s", "--traces=retransmitted_bytes,duplicate_bytes"),
    )
    assert cell.trace("retransmitted_bytes")
    assert not cell.trace("duplicate_bytes")


def test_bbr_restores_its_window_when_a_recovery_ends_where_ns3_as_it_is_overflows(bbr):
    slow = ("--flows=1", "--bandwidth=1Mbps", "--delay=200ms", "--access_delay=0s", "--queue=2bdp", "--duration=30s")
    as_it_is, corrected = (
        bbr(each, *slow, "--traces=cwnd_bytes,congestion_state", "--RngRun=2")
        for each in ("rate_sample", "rate_sample,window_after_recovery")
    )
    assert max(value for _, value in as_it_is.trace("cwnd_bytes")) == 2**32 - 1
    windows = corrected.trace("cwnd_bytes")
    recoveries = list(itertools.pairwise(corrected.trace("congestion_state")))
    ends = [(begin, end) for (begin, state), (end, then) in recoveries if state == 3 and then == 0]
    assert ends
    for begin, end in ends:
        before = [value for time, value in windows if time < begin][-1]
        after = [value for time, value in windows if time <= end][-1]
        assert before / 2 < after <= before + 2 * 1448  # at once bounded by twice the bandwidth-delay product
    assert max(value for _, value in windows) < 1e6


# A window of a hundred segments that loses one: RFC 9937 sends 0.7 segments for each that arrives, CUBIC's factor.
CUBIC = [
    *("--variant=TcpCubic", "--flows=1", "--bandwidth=20Mbps", "--delay=20ms", "--queue=1bdp", "--duration=20s"),
    *("--start_jitter=0s", "--traces=cwnd_bytes,congestion_state,in_flight_bytes"),
]


def overshoots(cell):
    """The largest window within each recovery, relative to the window after the recovery."""
    windows = cell.trace("cwnd_bytes")
    found = []
    for (begin, state), (end, then) in itertools.pairwise(cell.trace("congestion_state")):
        if state == 3 and then == 0 and begin > 5:
            within = [value for time, value in windows if begin < time <= end]
            last = [value for time, value in windows if time <= end][-1]
            found.append(max(within) / last)
    return found


def test_recovery_reduces_the_window_where_ns3_as_it_is_lets_it_grow(dumbbell, simulated):
    as_it_is, corrected = (overshoots(simulated(dumbbell, *CUBIC, f"--corrections={each}")) for each in ("none", "prr"))
    # It begins with the previous window, 1/0.7 of the window after it.
    assert corrected and max(corrected) <= 1 / 0.7 + 0.05
    assert max(as_it_is) > max(corrected)


CLASSIC = ("--duration=10s", "--ns3::TcpL4Protocol::RecoveryType=ns3::TcpClassicRecovery")
PLAIN = ("--loss=0.01", "--ns3::TcpSocketBase::Sack=false", "--traces=timeouts,received_bytes")


@pytest.mark.parametrize(
    ("settings", "correction", "trace"), [(CLASSIC, "prr", "cwnd_bytes"), (PLAIN, "rack_tlp", "received_bytes")]
)
def test_a_recovery_of_ones_own_choice_or_without_sack_stays_as_it_is(dumbbell, simulated, settings, correction, trace):
    as_it_is, corrected = (
        simulated(dumbbell, *CUBIC, *settings, f"--corrections={each}").trace(trace) for each in ("none", correction)
    )
    assert as_it_is == corrected


@pytest.mark.parametrize("variant", ["TcpDctcp", "TcpCubic"])
def test_a_recovery_may_follow_a_mark_and_no_mark_ends_a_recovery(dumbbell, simulated, variant):
    """As tcp_enter_recovery() and tcp_enter_cwr() in Linux. Before, an assert of ns-3 ended such a simulation."""
    cell = simulated(
        dumbbell,
        *LINUX,
        *(f"--variant={variant}", "--flows=4", "--bandwidth=20Mbps", "--delay=20ms", "--queue=2bdp", "--loss=0.02"),
        *("--queue_disc=RedQueueDisc", "--ecn=true", "--ecn_threshold=10p", "--duration=30s"),
        *("--corrections=prr,rack_tlp,sack_compression", "--traces=congestion_state"),
    )
    states = [[state for _, state in cell.trace("congestion_state", flow)] for flow in range(4)]
    steps = {step for each in states for step in itertools.pairwise(each)}
    assert (CWR, RECOVERY) in steps
    assert (RECOVERY, CWR) not in steps

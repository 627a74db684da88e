# SPDX-License-Identifier: MIT
"""CUBIC by RFC 9438, number by number, in real ns-3: one flow whose packets are lost at known times."""

import math
from dataclasses import dataclass

import pytest

RTT_S = 0.1
SEGMENT = 1000
C, BETA = 0.4, 0.7  # RFC 9438, section 4.6 and 5
RECOVERY, LOSS = 3, 4  # congestion states
RECOVERIES = "prr,rack_tlp,recovery_exit,undo"
CUBIC = f"cubic,{RECOVERIES}"


@dataclass(frozen=True)
class Flow:
    """Windows and thresholds in segments, with their times, and the congestion states."""

    windows: list[tuple[float, float]]
    thresholds: list[tuple[float, float]]
    states: list[tuple[float, int]]

    def window(self, time_s):
        """The window at a time."""
        return [value for time, value in self.windows if time <= time_s][-1]

    def before(self, time_s):
        """The window before a time."""
        return [value for time, value in self.windows if time < time_s][-1]

    def times(self, state, from_s=0.0):
        """When a congestion state begins."""
        return [time for time, now in self.states if now == state and time > from_s]


@pytest.fixture(scope="module")
def flow(window):
    def flow(corrections=CUBIC, **options):
        rows = window(f"--corrections={corrections}", **options)
        windows, thresholds = (
            [(time, value / SEGMENT) for what, time, value in rows if what == which] for which in "wt"
        )
        return Flow(windows, thresholds, [(time, value) for what, time, value in rows if what == "c"])

    return flow


def curve(time_s, window, origin):
    """W_cubic of section 4.2: `window` is the window at the begin of the stage, `origin` W_max."""
    k = math.cbrt((origin - window) / C)
    return origin + C * (time_s - k) ** 3


def off(found, begin_s, window, origin, until_s):
    """The greatest distance of a flow's window from W_cubic, beyond its growth in a round trip."""
    distances = []
    for time, value in found.windows:
        at = time - begin_s
        if 0.5 < at < until_s:
            slack = curve(at + RTT_S, window, origin) - curve(at, window, origin)
            distances.append(abs(value - curve(at, window, origin)) - slack)
    return max(distances)


@pytest.mark.parametrize("ack_every", [1, 2])
def test_the_window_after_a_loss_is_w_cubic_and_k_the_time_until_it_is_as_before(flow, ack_every):
    found = flow(lose="2s", duration="12s", ack_every=ack_every)
    (lost,), ended = found.times(RECOVERY), found.times(0, from_s=2)[0]
    origin = found.before(lost)
    window = math.floor(origin * BETA)
    assert found.window(ended) == window
    assert off(found, ended, window, origin, until_s=9) <= 1
    k = math.cbrt((origin - window) / C)
    # The target is rounded up to whole segments: from 0.4 (K - t)^3 = 1 on, it is the window before the loss.
    reached = next(time for time, value in found.windows if time > ended and value >= origin)
    earliest = k - math.cbrt(1 / C) - RTT_S  # the curve's value is that of a round trip later
    assert earliest - RTT_S <= reached - ended <= earliest + 2 * RTT_S


@pytest.mark.parametrize("ack_every", [1, 2])
def test_where_reno_is_faster_the_window_is_renos(flow, ack_every):
    """Section 4.3: 9/17 segments a round trip, and as in Linux also above the last window."""
    rtt = RTT_S / 10
    found = flow(lose="100ms", duration="1s", delay="5ms", threshold=40, ack_every=ack_every)
    origin, ended = found.before(found.times(RECOVERY)[0]), found.times(0, from_s=0.1)[0]
    window = math.floor(origin * BETA)
    slope = 3 * (1 - BETA) / (1 + BETA)
    for rounds in range(5, 80, 5):
        assert found.window(ended + rounds * rtt) == pytest.approx(window + slope * rounds, abs=2.5)


def test_a_flow_whose_windows_become_smaller_leaves_room(flow):
    """Fast convergence, section 4.7: W_max is (1 + beta) / 2 times the window before the second loss."""
    found = flow(lose="2s,5s", duration="10s")
    second, ended = found.times(RECOVERY)[1], found.times(0, from_s=5)[0]
    before = found.before(second)
    assert before < found.before(found.times(RECOVERY)[0])
    window, origin = math.floor(before * BETA), before * (1 + BETA) / 2
    assert off(found, ended, window, origin, until_s=4) <= 1


def test_after_a_timeout_and_after_a_second_one_the_curve_begins_at_the_threshold(flow):
    """Section 4.8: K is zero and W_max the present window; in ns-3, W_max is the window before."""
    outage = {"lose": "1s-1300ms", "duration": "8s", "ns3::TcpCubic::TcpFriendliness": "false"}
    as_it_is, corrected = (flow(each, **outage) for each in (RECOVERIES, CUBIC))
    for found in (as_it_is, corrected):
        assert len(found.times(LOSS)) == 1
    threshold = corrected.thresholds[-1][1]
    begin = next(time for time, value in corrected.windows if time > 2.5 and value >= threshold)
    assert off(corrected, begin, threshold, threshold, until_s=4.5) <= 1
    assert as_it_is.window(5) > curve(5 - begin, threshold, threshold) + 10
    # RFC 5681, section 3.1, keeps the threshold at a repeated timeout, which is no sign of an undone one.
    found = flow(**outage | {"lose": "1s-1900ms"})
    threshold = found.thresholds[-1][1]
    begin = next(time for time, value in found.windows if time > 2.5 and value >= threshold)
    assert off(found, begin, threshold, threshold, until_s=3.5) <= 1


def test_a_pause_does_not_count_as_time(flow):
    """Section 5.8. In ns-3, the window doubles in a second, because W_cubic has grown in the pause."""
    paused = {"lose": "1s", "pause_after": 9000, "pause_end": "12s", "duration": "13500ms"}
    as_it_is, corrected = (flow(each, **paused) for each in (RECOVERIES, CUBIC))
    before = corrected.window(11.9)
    assert corrected.window(13) - before < 10
    assert as_it_is.window(13) > 1.8 * as_it_is.window(11.9)


def test_a_timeout_that_was_not_necessary_leaves_w_max_as_it_was(flow):
    """Section 4.9. A loss soon after is then below W_max, so that fast convergence lowers it."""
    found = flow(lose="1s", slow="3s-4500ms", slow_by="1500ms", duration="8s")
    origin, timeout = found.before(found.times(RECOVERY)[0]), found.times(LOSS)[0]
    undone = found.times(0, from_s=timeout)[0]
    assert found.window(undone) >= found.before(timeout)
    loss = found.times(RECOVERY, from_s=undone)[0]
    assert found.before(loss) < origin
    assert found.window(7.9) == pytest.approx(found.before(loss) * (1 + BETA) / 2, abs=2)


def test_hystart_ends_slow_start_as_linux_does(flow):
    """tcp_cubic.c: a train of ACKs as long as half the least round trip; ns-3 waits for a whole one."""
    slow = {"bandwidth": "10Mbps", "threshold": 4_000_000, "duration": "2s"}
    as_it_is, corrected = (flow(each, **slow) for each in (RECOVERIES, CUBIC))
    packet_s = (SEGMENT + 54) * 8 / 10e6
    rounds = [10 * 2**n for n in range(10)]
    for found, train in ((as_it_is, RTT_S), (corrected, (RTT_S + 0.001) / 2)):
        begin = next(each for each in rounds if each * packet_s > train)
        assert found.thresholds[-1][1] == pytest.approx(begin + train / packet_s, abs=4)


def test_attributes_hold(flow):
    """C, beta and Reno's window are ns-3's attributes of CUBIC."""
    attributes = {"ns3::TcpCubic::Beta": 0.5, "ns3::TcpCubic::C": 4, "ns3::TcpCubic::TcpFriendliness": "false"}
    found = flow(lose="2s", duration="4s", **attributes)
    origin, ended = found.before(found.times(RECOVERY)[0]), found.times(0, from_s=2)[0]
    window = math.floor(origin * 0.5)
    assert found.window(ended) == window
    k = math.cbrt((origin - window) / 4)
    expected = origin + 4 * (1 - k) ** 3
    assert found.window(ended + 1) == pytest.approx(expected, abs=3 * 4 * (1 - k) ** 2 * RTT_S + 1)

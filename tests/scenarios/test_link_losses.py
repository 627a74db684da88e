# SPDX-License-Identifier: MIT
"""Losses of a channel that is good or bad, packets that come late, and delays, against their closed forms."""

import itertools
import math
import statistics

import pytest

MS = 1_000_000  # in ns
CHANNELS = [
    (0.01, 0.25, 0, 1),  # Gilbert's simplest: a bad channel loses all
    (0.02, 0.1, 0, 0.5),
    (0.05, 0.3, 0.01, 0.8),
    (0.5, 0.5, 0.1, 0.9),
    (0.3, 0.7, 0, 1),  # no memory
]


def mean_run(p, r, good, bad):
    """The mean length of a run of losses, from the probabilities of each length, one after the other."""
    # How likely each state is before a packet, given that the one before the run was kept.
    before = [r * (1 - good), p * (1 - bad)]
    now = [before[0] * (1 - p) + before[1] * r, before[0] * p + before[1] * (1 - r)]
    lost = [now[0] * good, now[1] * bad]
    begun, total = sum(lost), 0.0
    while sum(lost) > 1e-15:
        total += sum(lost)
        now = [lost[0] * (1 - p) + lost[1] * r, lost[0] * p + lost[1] * (1 - r)]
        lost = [now[0] * good, now[1] * bad]
    return total / begun


@pytest.mark.parametrize("channel", CHANNELS)
def test_losses_of_gilbert_and_elliott_have_their_share_and_bursts(link_parts, channel):
    p, r, good, bad = channel
    packets = 2_000_000
    closed, found = link_parts(("channel", *channel), ("lose", *channel, packets))
    loss, burst = map(float, closed.split())
    assert loss == pytest.approx((r * good + p * bad) / (p + r), rel=1e-12)
    assert burst == pytest.approx(mean_run(*channel), rel=1e-9)
    if (good, bad) == (0, 1):
        assert burst == pytest.approx(1 / r, rel=1e-12)
    lost, runs = map(int, found.split())
    # Losses k packets apart have the covariance c (1 - p - r)^k, which adds up to this variance.
    shared, memory = p * r / (p + r) ** 2 * (bad - good) ** 2, 1 - p - r
    variance = loss * (1 - loss) + 2 * shared * memory / (1 - memory)
    assert abs(lost - loss * packets) < 5 * math.sqrt(packets * variance)
    # A run's length spreads by no more than about its mean.
    assert abs(lost / runs - burst) < 5 * burst / math.sqrt(runs)


@pytest.mark.parametrize(
    ("channel", "loss", "burst"),
    [
        ((0, 1, 0, 1), 0, math.nan),  # the default: none
        ((0, 1, 0.1, 1), 0.1, 1 / 0.9),  # always good
        ((0.1, 0, 0, 1), 1, math.inf),  # bad for ever
        ((1, 1, 0, 1), 0.5, 1),  # in turn
    ],
)
def test_channels_at_their_limits(link_parts, channel, loss, burst):
    found = [float(value) for value in link_parts(("channel", *channel))[0].split()]
    assert found[0] == pytest.approx(loss)
    assert math.isnan(burst) or found[1] == pytest.approx(burst)


OUTAGES = {"loss_good_to_bad": 0.05, "loss_bad_to_good": 0.2, "loss_step": "20ms", "bandwidth": "100Mbps"}


@pytest.mark.parametrize("gap", ["1ms", "10ms"])
def test_outages_of_a_channel_with_a_step_last_as_long_whatever_is_sent(changing_link, gap):
    """A bad channel of 5 steps in the mean, 20 ms each, begins every 20 steps: losses of a fifth, 100 ms long."""
    packets = 200_000 // int(gap.removesuffix("ms"))
    lost = sorted(changing_link(**OUTAGES, packets=packets, gap=gap, duration="300s").times("l"))
    outages = 1 + sum(after - before > 1 for before, after in itertools.pairwise(lost))
    assert len(lost) / packets == pytest.approx(0.2, abs=0.05)
    assert len(lost) * float(gap.removesuffix("ms")) / outages == pytest.approx(100, abs=25)


def test_outages_of_a_channel_with_a_step_come_at_the_same_times_whatever_is_sent(changing_link):
    often = set(changing_link(**OUTAGES, duration="60s", packets=50_000, gap="1ms").times("l"))
    seldom = set(changing_link(**OUTAGES, duration="60s", packets=5_000, gap="10ms").times("l"))
    assert seldom == {packet // 10 for packet in often if packet % 10 == 0}


def test_a_link_loses_as_its_channel_says(changing_link):
    ran = changing_link(loss_good_to_bad=0.05, loss_bad_to_good=0.5, packets=20000, gap="2ms")
    lost = ran.times("l")
    assert len(lost) + len(ran.order("r")) == 20000
    runs = sum(packet - 1 not in lost for packet in lost)
    assert len(lost) / 20000 == pytest.approx(0.05 / 0.55, abs=0.015)
    assert len(lost) / runs == pytest.approx(2, abs=0.2)


def late_by(ran):
    """The packets that take more than the link's delay of 10 ms, and by how many ns."""
    end, received = ran.times("e"), ran.times("r")
    extra = {packet: time - end[packet] - 10 * MS for packet, time in received.items()}
    return {packet: time for packet, time in extra.items() if time}


def test_a_share_of_packets_comes_late_by_a_constant(changing_link):
    packets, share = 20000, 0.05
    ran = changing_link(reorder=share, reorder_by="7ms", packets=packets, gap="2ms")
    late = late_by(ran)
    assert set(late.values()) == {7 * MS}
    assert ran.end["late"] == len(late)
    assert abs(len(late) - share * packets) < 5 * math.sqrt(packets * share * (1 - share))
    in_order = [packet for packet in ran.order("r") if packet not in late]
    assert in_order == sorted(in_order)
    assert ran.order("r") != sorted(ran.order("r"))


def test_a_share_of_packets_comes_late_by_a_draw(changing_link):
    ran = changing_link(reorder=0.5, reorder_by="8ms", reorder_spread="uniform", packets=20000, gap="2ms")
    late = list(late_by(ran).values())
    assert ran.end["late"] == pytest.approx(10000, abs=5 * 71)
    assert ran.end["late"] == len(late)
    assert 0 < min(late) < 0.01 * MS < 7.99 * MS < max(late) < 8 * MS
    # Of a uniform distribution: its mean, and its standard deviation over sqrt(12).
    assert abs(statistics.mean(late) - 4 * MS) < 5 * 8 * MS / math.sqrt(12 * len(late))


def test_the_same_packets_are_late_whatever_the_time(changing_link):
    options = {"reorder": 0.1, "reorder_by": "7ms", "packets": 2000, "queue": "2000p"}
    first, *others = (set(late_by(changing_link(**options, gap=gap))) for gap in ("2ms", "9ms", "0s"))
    assert others == [first, first]


@pytest.mark.parametrize(("delay", "back"), [(10, 30), (30, 10), (10, 0)])
def test_either_direction_has_its_delay(changing_link, delay, back):
    ran = changing_link(delay=f"{delay}ms", back_delay=f"{back}ms", tcp=1, duration="1s")
    # The first packet forth answers a SYN that was sent at 0, in less than 1 us on the wire.
    first = next(time for event, time, _, _ in ran.rows if event == "b")
    assert back * MS < first < back * MS + 1000
    end, received = ran.times("e"), ran.times("r")
    begun = {packet for packet, _ in itertools.groupby(ran.order("r"))}
    assert {received[packet] - end[packet] for packet in begun} == {delay * MS}

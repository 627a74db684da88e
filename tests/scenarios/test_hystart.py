# SPDX-License-Identifier: MIT
"""HyStart++, RFC 9406, in real ns-3: one flow of a hundred milliseconds, whose path becomes longer at a known time."""

import itertools

import pytest

RTT_S = 0.1
SEGMENT = 1000
VARIANTS = ("TcpRenoHyStart", "TcpCubicHyStart")


@pytest.fixture(scope="module", params=VARIANTS)
def flow(request, window, library_of):
    """The windows after each round trip from the third, and the thresholds, in segments."""
    load = (*library_of(request.param), f"--variant={request.param}", "--threshold=4000000")

    def flow(duration="1500ms", **options):
        changes = window(*load, duration=duration, **options)
        rows = [(what, time, value // SEGMENT) for what, time, value in changes]
        ends = [RTT_S * (rounds + 0.6) for rounds in range(2, 11)]
        windows = [[value for what, time, value in rows if what == "w" and time <= end][-1] for end in ends]
        return windows, [value for what, time, value in rows if what == "t" and time > RTT_S * 1.5]

    return flow


def longer(by_ms, until="5s"):
    """A path of which each way is longer from 350 ms: first for ACKs, and a round later also for the data."""
    return {"slow": f"350ms-{until}", "slow_by": f"{by_ms}ms"}


def test_a_window_doubles_while_the_round_trip_stays_or_grows_by_less_than_an_eighth(flow):
    windows, thresholds = flow(duration="900ms")
    assert windows[:6] == [20, 40, 80, 160, 320, 640]
    assert thresholds == []
    windows, thresholds = flow(**longer(11))
    assert windows[5] >= 320
    assert thresholds == []


def test_one_that_grows_by_more_lets_the_window_grow_by_a_quarter_for_five_rounds(flow):
    windows, (threshold,) = flow(**longer(14))
    rounds = sorted(set(windows))
    slow = [after / before for before, after in itertools.pairwise(rounds) if before >= 80 and after < threshold]
    assert slow == pytest.approx([1.25] * len(slow), abs=0.07)
    # It begins and ends within rounds of 80 and more: four to five rounds of a quarter.
    assert 80 * 1.25**4 < threshold < 160 * 1.25**5
    assert max(windows) < threshold + 10


def test_the_window_doubles_again_when_the_round_trip_was_long_for_a_moment_only(flow):
    windows, thresholds = flow(**longer(14, until="550ms"))
    assert any(after < 1.5 * before for before, after in itertools.pairwise(windows[2:5]))
    assert windows[-1] > 1000
    assert thresholds == []


def test_an_ack_without_pacing_counts_as_eight_segments_at_most(flow):
    """Each ACK of twelve segments lets the window grow by eight: two thirds in a round trip."""
    windows, _ = flow(duration="1100ms", ack_every=12)
    later = windows[3:]
    assert all(after < 1.75 * before for before, after in itertools.pairwise(later))

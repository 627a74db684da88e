# SPDX-License-Identifier: MIT
"""Which segments a receiver acknowledges at once, in real ns-3."""

import pytest

SEGMENT = 1000


@pytest.fixture(scope="module")
def grown(window):
    """The times at which a window in slow start, on an empty path of 100 ms, has grown by a segment or more."""
    options = {"variant": "TcpNewReno", "ack_every": 2, "duration": "1s", "threshold": 1000}

    def grown(corrections):
        rows = window(corrections=corrections, **options)
        return [time for what, time, value in rows if what == "w" and value >= 11 * SEGMENT]

    return grown


def test_the_first_segments_and_all_while_the_receivers_window_grows_have_an_ack_of_their_own(grown):
    """NewReno's window grows by a segment for each ACK. The first two round trips bring 10 and 20 segments."""
    times = grown("quick_ack")
    rounds = [len([time for time in times if begin < time < begin + 0.05]) for begin in (0.19, 0.29, 0.39)]
    # 16 at once, besides 8 that let the window grow to its first buffer; then an ACK for two
    first, second = 10, 14 + (20 - 14) // 2
    third = 20 + second  # by then, the application has read more than before in a round trip
    assert rounds == pytest.approx([first, second, third], abs=2)
    # In ns-3 as it is, ACKs are delayed from the second segment on.
    assert len([time for time in grown("none") if time < 0.25]) == 5

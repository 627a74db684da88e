# SPDX-License-Identifier: MIT
"""The correction `reno`: the window of LinuxReno, ACK by ACK, as in Linux' tcp_reno_cong_avoid()."""

import pytest

SEGMENT = 1000
RTT_S = 0.1
RECOVERIES = "prr,rack_tlp,recovery_exit"


@pytest.fixture(scope="module")
def windows(window):
    """The windows in segments after the recovery from a loss, with their times since its end in round trips."""
    given = {"variant": "TcpLinuxReno", "lose": "2s", "duration": "6s"}

    def windows(correction, **options):
        rows = window(corrections=f"{correction},{RECOVERIES}", **given | options)
        end = next(time for what, time, value in rows if what == "c" and value == 0 and time > 2)
        return [((time - end) / RTT_S, value / SEGMENT) for what, time, value in rows if what == "w" and time >= end]

    return windows


@pytest.mark.parametrize("ack_every", [1, 2])
@pytest.mark.parametrize("threshold", [20, 21, 100])
def test_after_a_recovery_the_window_grows_by_a_segment_in_each_round_trip(windows, threshold, ack_every):
    found = windows("reno", threshold=threshold, ack_every=ack_every)[:20]
    first = found[0][1]
    assert first % 1 == 0
    for number, (rounds, window) in enumerate(found):
        assert (rounds, window) == (pytest.approx(number + 1, abs=0.05), first + number)


def test_in_ns3_as_it_is_the_window_grows_early_and_has_half_segments(windows):
    found = windows("undo")
    assert found[0][0] < 0.05
    assert found[0][1] % 1 == 0.5

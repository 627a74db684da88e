# SPDX-License-Identifier: MIT
"""Which segments a receiver acknowledges at once, in real ns-3."""

import subprocess

import pytest

SEGMENT = 1000


@pytest.fixture(scope="module")
def grown(variant_program):
    """The times at which a window in slow start, on an empty path of 100 ms, has grown by a segment or more."""
    program = variant_program("window")

    def grown(corrections):
        command = [program, f"--corrections={corrections}", "--variant=TcpNewReno", "--ack_every=2", "--duration=1s"]
        command.append("--threshold=1000")
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        rows = [(what, float(time), int(value) // SEGMENT) for what, time, value in map(str.split, out.splitlines())]
        return [time for what, time, value in rows if what == "w" and value > 10]

    return grown


def test_each_segment_has_an_ack_of_its_own_while_the_receivers_window_grows(grown):
    """NewReno's window grows by a segment for each ACK. The receiver's, from 64 KiB, by two for each segment."""
    times = grown("quick_ack")
    rounds = [len([time for time in times if begin < time < begin + 0.05]) for begin in (0.19, 0.29, 0.39, 0.49)]
    window, largest = 2**16, 2**21 * 44 / 256  # the buffer of the program's sockets has 2 MiB
    quick = -int((window - largest) // (2 * SEGMENT))
    assert 70 < quick < 150  # so that the fourth round trip has both
    assert rounds == pytest.approx([10, 20, 40, quick - 70 + (80 - (quick - 70)) / 2], abs=1)


def test_ns3_as_it_is_delays_acks_from_the_second_segment(grown):
    assert len([time for time in grown("none") if time < 0.25]) == 5

# SPDX-License-Identifier: MIT
"""Which segments after a gap a receiver acknowledges at once, in real ns-3."""

import itertools
import statistics

LOST = 60


def reported(transfer, corrections):
    """After how many segments behind the gap each ACK came, with its time in ms."""
    found = transfer(corrections, {LOST: 1}, segments=200)
    blocks = [(time, divmod(value, 100000)) for time, value in found.of("b")]
    return [(time, end - LOST - 1) for time, (begin, end) in blocks if begin == LOST + 1]


def test_after_three_duplicate_acks_an_ack_comes_each_millisecond(transfer):
    """A segment arrives each 0.84 ms, and an ACK waits for 1.1 ms: so it is for two segments."""
    acks = reported(transfer, "prr,rack_tlp,sack_compression")
    counts = [count for _, count in acks]
    assert counts[:3] == [1, 2, 3]
    assert counts[3:] == list(range(5, counts[-1] + 1, 2))
    assert len(counts) > 10
    waits = [after - before for (before, _), (after, _) in itertools.pairwise(acks[2:])]
    assert min(waits) >= 1
    assert statistics.median(waits) <= 2
    # ns-3 as it is acknowledges each segment.
    counts = [count for _, count in reported(transfer, "prr,rack_tlp")]
    assert counts == list(range(1, len(counts) + 1))
    assert len(counts) > 20

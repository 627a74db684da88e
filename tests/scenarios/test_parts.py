# SPDX-License-Identifier: MIT
"""Single parts of the scenarios, compared with simple reference implementations."""

import subprocess

import hypothesis
import pytest
from hypothesis import strategies

WRAP = 2**32  # sequence numbers, RFC 9293, 3.4


@pytest.fixture(scope="session")
def call(variant_program):
    """Calls a part with each line of arguments for `tests/programs/parts.cc`; returns the results."""
    program = variant_program("parts")

    def call(part, lines, kind):
        text = "".join(f"{part} {' '.join(map(str, line))}\n" for line in lines)
        done = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
        found = [kind(line) for line in done.stdout.splitlines()]
        assert len(found) == len(lines)
        return found

    return call


def held_already(segments):
    """The number of bytes of each segment that came before, byte by byte; of (offset after the SYN, size)."""
    there, found = set(), []
    for offset, size in segments:
        own = set(range(offset, offset + size))
        found.append(len(own & there))
        there |= own
    return found


def added(call, segments, first):
    """The same from the receiver's ranges, in a connection whose SYN has the sequence number ``first``."""
    lines = [(first, 0, 1), *(((first + offset) % WRAP, size, 0) for offset, size in segments)]
    return call("segment", lines, int)[1:]


@hypothesis.settings(max_examples=60)
@hypothesis.given(
    segments=strategies.lists(
        strategies.tuples(strategies.integers(1, 400), strategies.integers(0, 120)), min_size=1, max_size=40
    ),
    first=strategies.sampled_from([0, 7, WRAP - 1, WRAP - 200]),
)
def test_segments_in_any_order(call, segments, first):
    assert added(call, segments, first) == held_already(segments)


def test_offsets_go_on_where_sequence_numbers_wrap(call):
    # 5 GiB in steps of 256 MiB: bytes 4 GiB earlier have the same sequence numbers, and are no retransmissions.
    step = 2**28
    segments = [(1 + place * step, 1000) for place in range(20)]
    assert added(call, segments, 5) == [0] * 20
    assert added(call, [*segments, segments[-1]], 5)[-1] == 1000


def test_a_repeated_syn_starts_over(call):
    found = call("segment", [(5, 0, 1), (5, 0, 1), (6, 1000, 0), (6, 1000, 0)], int)
    assert found == [0, 0, 0, 1000]


@pytest.mark.parametrize(("loss", "length"), [(0.01, 1), (0.01, 3), (0.2, 10), (1, 4), (0, 5), (1e-6, 1000)])
def test_the_rate_of_bursts_keeps_the_share_of_losses(call, loss, length):
    (rate,) = call("burst", [(loss, length)], float)
    # A packet survives if none of the last `length` packets, itself included, began a burst.
    assert 1 - (1 - rate) ** length == pytest.approx(loss, rel=1e-9)
    assert loss / length <= rate + 1e-15
    assert rate <= loss * (1 + 1e-12)

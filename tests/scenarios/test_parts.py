# SPDX-License-Identifier: MIT
"""Single parts of the scenarios, compared with simple reference implementations."""

import hypothesis
import pytest
from hypothesis import strategies

from tests.support.printed import called

WRAP = 2**32  # sequence numbers, RFC 9293, 3.4


@pytest.fixture(scope="session")
def call(variant_program):
    """Calls a part with each line of arguments for `tests/programs/parts.cc`; returns the results."""
    program = variant_program("parts")
    return lambda part, lines, kind: [kind(line) for line in called(program, [(part, *line) for line in lines])]


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


SEGMENTS = strategies.tuples(strategies.integers(1, 400), strategies.integers(0, 120))


@hypothesis.settings(max_examples=60)
@hypothesis.given(
    segments=strategies.lists(SEGMENTS, min_size=1, max_size=40),
    first=strategies.sampled_from([0, 7, WRAP - 1, WRAP - 200]),
)
def test_segments_in_any_order(call, segments, first):
    assert added(call, segments, first) == held_already(segments)


def test_offsets_go_on_where_sequence_numbers_wrap_and_a_repeated_syn_starts_over(call):
    # 5 GiB in steps of 256 MiB: bytes 4 GiB earlier have the same sequence numbers, and are no retransmissions.
    step = 2**28
    segments = [(1 + place * step, 1000) for place in range(20)]
    assert added(call, segments, 5) == [0] * 20
    assert added(call, [*segments, segments[-1]], 5)[-1] == 1000
    found = call("segment", [(5, 0, 1), (5, 0, 1), (6, 1000, 0), (6, 1000, 0)], int)
    assert found == [0, 0, 0, 1000]


@pytest.mark.parametrize(("loss", "length"), [(0.01, 1), (0.01, 3), (0.2, 10), (1, 4), (0, 5), (1e-6, 1000)])
def test_the_rate_of_bursts_keeps_the_share_of_losses(call, loss, length):
    (rate,) = call("burst", [(loss, length)], float)
    # A packet survives if none of the last `length` packets, itself included, began a burst.
    assert 1 - (1 - rate) ** length == pytest.approx(loss, rel=1e-9)
    assert loss / length <= rate + 1e-15
    assert rate <= loss * (1 + 1e-12)


SEGMENT = 1448  # of parts.cc


def bunched(acks):
    """The most bytes beyond the expected ones after each ACK, as bbr_update_ack_aggregation() of Linux counts them."""
    now, begin, acked, index, rounds, extra, found = 0, 0, 0, 0, 0, [0, 0], []
    for wait_ns, newly, is_round_start, bps, window in acks:
        now += wait_ns
        if is_round_start:
            rounds += 1
            if rounds >= 5:
                rounds, index = 0, 1 - index
                extra[index] = 0
        expected = bps * (now - begin) // (8 * SEGMENT * 10**9) * SEGMENT  # in whole segments
        if acked <= expected:
            acked, begin, expected = 0, now, 0
        acked += newly
        extra[index] = max(extra[index], int(min(acked - expected, window)))
        found.append(max(extra))
    return found


ACKS = strategies.tuples(
    strategies.integers(0, 20_000_000),
    strategies.integers(1448, 20 * 1448),
    strategies.integers(0, 1),
    strategies.sampled_from([0, 1_000_000, 10_000_000]),
    strategies.sampled_from([14480, 144800]),
)


@hypothesis.settings(max_examples=60)
@hypothesis.given(strategies.lists(ACKS, min_size=1, max_size=60))
def test_bbr_counts_bunches_of_acks_as_linux_does(call, acks):
    assert call("bunch", acks, int) == pytest.approx(bunched(acks), abs=1)


class Policed:
    """bbr_lt_bw_sampling() of Linux' tcp_bbr.c, with times in nanoseconds."""

    def __init__(self):
        self.now = 0
        self.reset(0, 0)

    def begin(self, delivered, lost):
        self.at, self.delivered, self.lost, self.rounds = self.now, delivered, lost, 0

    def reset(self, delivered, lost):
        self.rate, self.is_limited, self.is_sampling = 0, False, False
        self.begin(delivered, lost)

    def receive(self, wait_ns, delivered, lost, has_loss, is_app_limited, is_round_start, is_cycling):
        """Whether the cycle of gains begins anew."""
        self.now += wait_ns
        if self.is_limited:
            if not (is_cycling and is_round_start):
                return False
            self.rounds += 1
            if self.rounds < 48:
                return False
            self.reset(delivered, lost)
            return True
        if not self.is_sampling:
            if not has_loss:
                return False
            self.begin(delivered, lost)
            self.is_sampling = True
        if is_app_limited:
            self.reset(delivered, lost)
            return False
        self.rounds += is_round_start
        if self.rounds > 16:
            self.reset(delivered, lost)
        elif self.rounds >= 4 and has_loss:
            self.end(delivered, lost)
        return False

    def end(self, delivered, lost):
        gained, gone, time = delivered - self.delivered, lost - self.lost, self.now - self.at
        if not gained or 256 * gone < 50 * gained or time < 1e6:
            return
        rate = int(8e9 * gained / time)
        difference = abs(rate - self.rate)
        if self.rate and (8 * difference <= self.rate or difference <= 4000):
            self.rate, self.is_limited, self.rounds = (rate + self.rate) // 2, True, 0
        else:
            self.rate = rate
            self.begin(delivered, lost)


STEPS = strategies.tuples(
    strategies.integers(1_000_000, 12_000_000),
    strategies.sampled_from([1448, 2896]),
    strategies.sampled_from([0, 0, 1448]),
    strategies.sampled_from([0] * 40 + [1]),
    strategies.integers(0, 1),
    strategies.sampled_from([0, 1, 1]),
)


@hypothesis.settings(max_examples=100)
@hypothesis.given(strategies.lists(STEPS, min_size=40, max_size=300))
def test_bbr_finds_a_policers_rate_as_linux_does(call, steps):
    delivered = lost = 0
    acks = []
    for wait_ns, newly, gone, *flags in steps:
        delivered, lost = delivered + newly, lost + gone
        acks.append((wait_ns, delivered, lost, int(gone > 0), *flags))
    reference, expected = Policed(), []
    for ack in acks:
        is_anew = reference.receive(*ack)
        expected.append((is_anew, reference.is_limited, reference.rate))
    found = call("policer", acks, lambda line: tuple(map(int, line.split())))
    assert [row[:2] for row in found] == [row[:2] for row in expected]
    assert [row[2] for row in found] == pytest.approx([row[2] for row in expected], abs=2)


def test_a_policers_rate_holds_for_48_rounds(call):
    losing = [(10_000_000, 1448 * number, 1448 * number // 4, 1, 0, 1, 1) for number in range(1, 62)]
    is_limited = [line.split()[1] == "1" for line in call("policer", losing, str)]
    first = is_limited.index(True)
    assert first == 7  # two intervals of four rounds; a round that ends one also begins the next
    assert is_limited[first : first + 48] == [True] * 48
    assert not is_limited[first + 48]


def test_a_senders_buffer_has_room_for_as_many_segments_as_in_linux(call):
    """The windows and rooms, in segments, are from captures of Linux 6.12: PSH shows where writes end."""
    rooms = {10: 21, 11: 23, 12: 25, 13: 27, 49: 100, 63: 128}
    assert call("room", [(2, window) for window in rooms], int) == list(rooms.values())

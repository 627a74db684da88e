# SPDX-License-Identifier: MIT
"""Proportional rate reduction, RFC 9937, section 6, ACK by ACK; all amounts are in segments."""

import math
from dataclasses import dataclass, field

import pytest

from tests.support.transfers import RECOVERY, SEGMENT

PRR, RACK = "prr", "prr,rack_tlp"
LOST = {60: 1, 70: 1}
DUPLICATES = 3  # segments behind a missing one that show that it is lost


@dataclass
class Sender:
    """What a sender knows."""

    una: int = 0  # SND.UNA
    next: int = 0  # SND.NXT
    arrived: set = field(default_factory=set)
    repeated: set = field(default_factory=set)

    def report(self, first, end):
        """Segments that an ACK reports; returns how many of them are new."""
        news = set(range(first, end)) - self.arrived
        self.arrived |= news
        return len(news)

    def pipe(self, lost):
        """Segments in flight; ``lost`` are segments of which the first transmission is lost."""
        outstanding = set(range(self.una, self.next)) - self.arrived
        known = {each for each in lost & outstanding if sum(other > each for other in self.arrived) >= DUPLICATES}
        return len(outstanding) - len(known - self.repeated)


@dataclass
class Ack:
    """An ACK in a recovery."""

    advances: bool
    delivered: int  # newly
    pipe: int
    sent: int = 0  # after it


def recovery(found, lost):
    """The first recovery of a transfer: RecoverFS, ssthresh, and its ACKs."""
    sender, acks, threshold, flight = Sender(), [], 0, None
    for event, _, value in found.rows:
        if event == "s":
            sender.repeated |= {value} if value < sender.next else set()
            sender.next = max(sender.next, value + 1)
            acks and setattr(acks[-1], "sent", acks[-1].sent + 1)
        elif event == "t":
            threshold = value / SEGMENT
        elif event == "a":
            # What SACK reported before the first ACK of the recovery was delivered before it.
            outstanding = sender.next - sender.una - len(sender.arrived - set(range(sender.una)))
            acks.append(Ack(value > sender.una, sender.report(0, value), 0))
            sender.una = value
        elif event == "b":
            acks[-1].delivered += sender.report(value // 100000, value % 100000)
        elif event == "c" and value == RECOVERY and flight is None:
            flight, acks = outstanding, acks[-1:]
        elif event == "c" and flight is not None:
            return flight, threshold, acks[:-1]
        if acks and event in "ab":
            acks[-1].pipe = sender.pipe(set(lost))
    raise AssertionError("no recovery ends")


def assert_follows_the_rfc(flight, threshold, acks):
    """No ACK lets more segments go than section 6 allows; returns how many it allows that were not sent at the end.

    As in Linux, a part of a segment that the section allows is a whole one.
    """
    delivered = sent = left = 0
    for ack in acks:
        delivered += ack.delivered
        if ack.pipe > threshold:
            allowed = math.ceil(delivered * threshold / flight) - sent
        else:
            allowed = min(max(delivered - sent, ack.delivered) + ack.advances, threshold - ack.pipe)
        left = max(allowed, 0 if sent else 1) - ack.sent
        assert left >= 0 and (left == 0 or ack.pipe <= threshold)
        sent += ack.sent
    return left


@pytest.mark.parametrize("corrections", [PRR, RACK])
def test_recovery_sends_what_the_rfc_allows(transfer, corrections):
    left = assert_follows_the_rfc(*recovery(transfer(corrections, LOST, segments=300), LOST))
    assert left < 1


@pytest.mark.parametrize("corrections", [PRR, RACK])
@pytest.mark.parametrize("repair", [60, 70])
def test_an_ack_that_advances_and_has_news_of_sack_counts_once(transfer, corrections, repair):
    """ns-3 has two calls for it.

    Here, it begins the recovery, or repairs the first loss. It also reports segments whose ACKs are lost.
    """
    whole = transfer(corrections, LOST, segments=300)
    acks = [value for event, _, value in whole.rows if event == "a"]
    number = acks.index(repair) + (5 if repair == 60 else 0)
    flight, threshold, found = recovery(transfer(corrections, LOST, segments=300, lose_acks=f"{number - 20}:20"), LOST)
    assert any(ack.advances and ack.delivered > 5 for ack in found)
    assert_follows_the_rfc(flight, threshold, found)


def test_a_burst_of_losses_is_repaired_in_proportion_too(transfer):
    """RACK considers ten segments lost at once. The first ACK allows one of them."""
    lost = dict.fromkeys(range(60, 70), 1)
    flight, threshold, acks = recovery(transfer(RACK, lost, segments=300), lost)
    assert acks[0].sent == 1
    assert_follows_the_rfc(flight, threshold, acks)

# SPDX-License-Identifier: MIT
"""Reports of segments that arrive twice: DSACK, RFC 2883, RFC 3708 and RFC 8985, segment by segment."""

import pytest

from tests.support.transfers import RECOVERY

WITHOUT, WITH = "prr,rack_tlp,undo", "dsack,prr,rack_tlp,undo"
LATE = {60: 30}  # later than RACK waits, so that it is sent again, but within a round trip
OPTIONS = {"segments": 300, "timestamps": "false"}


def acks(found):
    """Each ACK's time, the first missing segment, and its SACK blocks as pairs of first and end."""
    said = []
    for event, time, value in found.rows:
        if event == "a":
            said.append((time, value, []))
        elif event == "b":
            said[-1][2].append((value // 100000, value % 100000))
    return said


def duplicates(found):
    """The ACKs whose first block is below what they acknowledge, or within their second block."""

    def is_duplicate(missing, first, second=(0, 0)):
        return first[0] < missing or (second[0] <= first[0] and first[1] <= second[1])

    return [each for each in acks(found) if each[2] and is_duplicate(each[1], *each[2][:2])]


def windows(found, until):
    """The congestion windows until a time."""
    return [value for event, time, value in found.rows if event == "w" and time <= until]


def test_an_ack_reports_a_segment_that_arrives_twice(transfer):
    """RFC 2883, section 4.1: below the cumulative ACK, without a second block; once."""
    found = transfer(WITH, late=LATE, **OPTIONS)
    assert [blocks for _, _, blocks in duplicates(found)] == [[(60, 61)]]
    assert not duplicates(transfer(WITHOUT, late=LATE, **OPTIONS))
    assert not duplicates(transfer(WITH, {60: 1, 70: 2}, **OPTIONS))  # as none arrives twice


def test_a_duplicate_above_a_gap_has_its_block_next(transfer):
    """RFC 2883, section 4.2: 55 is missing all the time, and 60 arrives twice in between."""
    found = transfer(WITH, {55: 2}, late=LATE, **OPTIONS)
    blocks = [blocks for _, missing, blocks in duplicates(found) if missing == 55]
    assert [each[0] for each in blocks] == [(60, 61)]
    first, end = blocks[0][1]
    assert first == 56 and end > 61


def test_a_recovery_is_undone_when_all_that_was_sent_again_arrived_twice(transfer):
    """As Linux does, also when the recovery is over."""
    found = transfer(WITH, late={60: 30, 62: 30}, **OPTIONS)
    begin = next(time for time, state in found.of("c") if state == RECOVERY)
    reports = duplicates(found)
    assert [blocks for _, _, blocks in reports] == [[(60, 61)], [(62, 63)]]
    before = windows(found, begin - 1)[-1]
    assert windows(found, reports[0][0])[-1] < 0.6 * before  # one of them may still be lost
    assert max(windows(found, reports[1][0])[-2:]) >= before


def test_a_recovery_of_which_one_segment_was_lost_stays(transfer):
    found = transfer(WITH, {64: 1}, late={60: 30, 62: 30}, **OPTIONS)
    begin = next(time for time, state in found.of("c") if state == RECOVERY)
    assert len(duplicates(found)) == 2
    assert windows(found, begin + 150)[-1] < 0.8 * windows(found, begin - 1)[-1]


@pytest.mark.parametrize(("corrections", "repeated"), [(WITHOUT, {150, 250}), (WITH, {150})])
def test_the_reordering_window_grows_with_a_duplicate(transfer, corrections, repeated):
    """RFC 8985, section 6.2, step 4: a quarter of the least round trip, 10 ms, then two quarters.

    The segment 60 shows that segments are reordered, and 150 is sent again without need.
    """
    found = transfer(corrections, late={60: 2, 150: 17, 250: 17}, segments=500, buffer=40, timestamps="false")
    assert found.repeated == repeated


PROBED = {"segments": 60, "buffer": 1, "timestamps": "false"}  # one segment in flight, so each probe repeats it


def thresholds(found):
    """The slow start thresholds after the initial one."""
    return [value for event, _, value in found.rows if event == "t"][1:]


def test_a_probe_that_repairs_a_loss_reduces_the_window_and_one_that_arrives_twice_does_not(transfer):
    """RFC 8985, section 7.4.2: when a later segment is acknowledged."""
    repaired, twice = transfer(WITH, {30: 1}, **PROBED), transfer(WITH, late={30: 225}, **PROBED)
    assert len(repaired.sent[30]) == 2
    assert len(thresholds(repaired)) == 1
    assert not duplicates(repaired)
    assert len(twice.sent[30]) >= 2
    assert duplicates(twice)
    assert not thresholds(twice)

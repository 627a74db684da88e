# SPDX-License-Identifier: MIT
"""Detection of losses by RACK-TLP, RFC 8985, packet by packet."""

import pytest

from tests.support.transfers import LOSS, RECOVERY, RTT_MS, SEGMENT

AS_IT_IS, RACK = "none", "prr,rack_tlp"


def test_a_retransmission_that_is_lost_is_sent_again_without_a_timeout(transfer):
    found = transfer(RACK, {20: 2})
    assert LOSS not in found.states
    assert len(found.sent[20]) == 3
    # A segment sent after the retransmission has to arrive.
    first, again = found.sent[20][1:]
    assert RTT_MS <= again - first <= 2 * RTT_MS
    # ns-3 as it is waits for a timeout then.
    assert LOSS in transfer(AS_IT_IS, {20: 2}).states


def test_several_lost_retransmissions_are_repaired_in_the_same_round_trip(transfer):
    found = transfer(RACK, {20: 2, 22: 2, 24: 2})
    assert LOSS not in found.states
    again = [found.sent[segment][2] for segment in (20, 22, 24)]
    assert max(again) - min(again) < RTT_MS


@pytest.mark.parametrize("lost", [{98: 1}, {98: 1, 99: 1}])
def test_losses_at_the_end_are_probed_for_after_two_round_trips(transfer, lost):
    """RFC 8985, section 7: without a probe, nothing arrives that would tell of the loss."""
    as_it_is, probed = transfer(AS_IT_IS, lost), transfer(RACK, lost)
    assert LOSS not in probed.states
    assert probed.done < as_it_is.done - RTT_MS


def test_a_probe_repeats_the_last_segment_also_if_it_is_short(transfer):
    first, again = transfer(RACK, {99: 1}).sent[99]
    assert again - first >= 2 * RTT_MS
    short = transfer(RACK, {99: 1}, last=300)
    assert LOSS not in short.states
    assert short.repeated == {99}


@pytest.mark.parametrize("lost", [{}, {30: 1, 31: 1, 40: 1}])
def test_only_lost_segments_are_sent_again(transfer, lost):
    assert transfer(RACK, lost).repeated == set(lost)


def test_a_repeated_timeout_keeps_the_threshold(transfer):
    """RFC 5681, section 3.1. ns-3 reduces it again, to two segments, as the window is one then."""
    found = transfer(RACK, {99: 4})
    before, after = found.around_timeout
    thresholds = [value for event, _, value in found.rows if event == "t"]
    assert [segment for event, _, segment in after if event == "s"] == [99] * 3
    assert thresholds[-1] == [value for event, _, value in before if event == "t"][-1] > 2 * SEGMENT


def test_lost_segments_above_what_sack_reported_are_sent_again_before_new_data(transfer):
    """Of the window, only 50 arrives. Its SACK does not matter to which segments a timeout sends again."""
    found = transfer(RACK, dict.fromkeys(set(range(40, 121)) - {50}, 2), segments=300)
    _, after = found.around_timeout
    sent = [segment for event, _, segment in after if event == "s"]
    new = 91
    assert set(sent[: sent.index(new)]) == set(range(40, new)) - {50}


def test_a_window_of_losses_takes_one_recovery(transfer):
    found = transfer(RACK, dict.fromkeys(range(30, 40), 1))
    assert found.states.count(RECOVERY) == 1
    assert LOSS not in found.states


def test_the_first_retransmission_of_a_recovery_waits_for_the_pacing(transfer):
    """BBR's segments are 0.8 ms apart here. ns-3 sends this retransmission in between, in the same ms as the next."""
    waits = []
    for corrections in ("bbr,rate_sample", "bbr,rate_sample,rack_tlp"):
        found = transfer(corrections, {40: 1}, segments=300, variant="TcpBbr")
        again = found.sent[40][1]
        new = (times[0] for segment, times in found.sent.items() if segment > 40)
        waits.append(min(time for time in new if time >= again) - again)
    as_it_is, paced = waits
    assert as_it_is == 0 < paced


def test_an_ack_that_advances_and_has_news_of_sack_lets_the_window_grow(transfer):
    """Without the ACK for 59, the first one with SACK is for 59 and 61. In slow start, each is worth a segment."""
    lost = {60: 1}
    acks = [value for event, _, value in transfer(RACK, lost, segments=200).rows if event == "a"]
    rows = transfer(RACK, lost, segments=200, lose_acks=f"{acks.index(60)}:1").rows
    at = next(index for index, (event, _, _) in enumerate(rows) if event == "b")
    before = [value for event, _, value in rows[:at] if event == "w"][-1]
    assert [value for event, _, value in rows[at : at + 5] if event == "w"] == [before + 2 * SEGMENT]


def test_a_segment_that_may_be_late_is_sent_again_when_linux_timer_ends(transfer):
    """Only two segments follow. 10 ms are a quarter of a round trip. Linux adds 2 ms, and its timer wheel a tick."""
    found = transfer(RACK, {97: 1})
    last = [time for time, _ in found.of("b")][1]
    assert found.sent[97][1] - last == 13


def test_a_probe_is_sent_when_linux_timer_ends(transfer):
    """Two round trips and 2 ms are more than 63 ms, for which the ticks of the timer wheel are 8 ms long."""
    found = transfer(RACK, {98: 1, 99: 1})
    last_ack = next(time for time, segment in found.of("a") if segment == 98)
    probe = found.sent[99][1]
    assert probe % 8 == 0
    assert probe > last_ack + 2 * RTT_MS + 2

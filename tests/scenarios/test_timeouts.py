# SPDX-License-Identifier: MIT
"""Timeouts without a loss, by F-RTO, RFC 5682, section 3.1, and of lost SYNs, segment by segment."""

import pytest

from tests.support.transfers import LOSS, SEGMENT

WITHOUT, WITH = "prr,rack_tlp", "f_rto,prr,rack_tlp"
# The link holds a packet for 1 s, and all packets behind it. Nothing is lost.
HOLD = {"hold": "150:1000", "segments": 400, "timestamps": "false"}


@pytest.fixture(scope="module")
def held(transfer):
    return transfer(WITH, **HOLD)


def test_without_a_loss_only_the_first_segment_is_sent_again_where_ns3_as_it_is_repeats_the_window(transfer, held):
    assert LOSS in held.states
    assert len(held.repeated) == 1
    assert len(transfer(WITHOUT, **HOLD).repeated) > 10


def test_the_window_is_as_before_the_timeout(held):
    before, after = held.around_timeout
    window = [value for event, _, value in before if event == "w"][-1]
    opened = next(index for index, (event, _, value) in enumerate(after) if (event, value) == ("c", 0))
    restored = [value for event, _, value in after[: opened + 1] if event == "w"][-1]
    assert restored == window


def test_new_data_answer_whether_the_timeout_was_necessary(held):
    """Step 2.b: two new segments, when the ACK of the first one arrives."""
    before, after = held.around_timeout
    sent = [segment for event, _, segment in after if event == "s"]
    (first,) = held.repeated
    highest = max(segment for event, _, segment in before if event == "s")
    assert sent[: sent.index(highest + 3)] == [first] * (sent.index(highest + 1)) + [highest + 1, highest + 2]


def test_with_a_loss_the_lost_segments_follow_two_new_ones(transfer):
    """Step 3.a: SACK reports the new data, so what is in between was lost."""
    options = {"segments": 400, "timestamps": "false"}
    before, _ = transfer(WITH, dict.fromkeys(range(40, 400), 1), **options).around_timeout
    last = max(segment for event, _, segment in before if event == "s")
    # All segments from 40 on are lost that are sent before the timeout, also the tail loss probe.
    found = transfer(WITH, dict.fromkeys(range(40, last + 1), 1), **options)
    _, after = found.around_timeout
    sent = [segment for event, _, segment in after if event == "s"]
    assert sent[:3] == [40, last + 1, last + 2]
    assert [segment for segment in sent[3:] if segment <= last] == list(range(41, last + 1))
    # The window stays reduced.
    windows = [value for event, _, value in after if event == "w"]
    assert windows[0] == SEGMENT
    assert windows[1] == 2 * SEGMENT
    assert found.states.count(LOSS) == 1


@pytest.mark.parametrize("lost", [{98: 9, 99: 9}, {99: 9}])
def test_without_new_data_the_timeout_is_as_without_f_rto(transfer, lost):
    once = {segment: 2 for segment in lost}
    without, having = (transfer(each, once, timestamps="false") for each in (WITHOUT, WITH))
    assert having.rows == without.rows


def syns_s(transfer, corrections, lost, **options):
    """The times at which SYNs were sent, in seconds."""
    return [round(time / 1000) for time, _ in transfer(corrections, lose_syns=lost, **options).of("y")]


def test_a_syn_is_repeated_each_second_and_then_with_doubled_waits_as_in_linux(transfer):
    """net.ipv4.tcp_syn_linear_timeouts is 4, and tcp_syn_retries limits the others."""
    assert syns_s(transfer, "syn_timeouts", 9) == [0, 1, 2, 3, 4, 5, 7, 11, 19, 35]
    assert syns_s(transfer, "syn_timeouts", 5, ecn="true") == [0, 1, 2, 3, 4, 5]
    # ns-3 as it is doubles each wait.
    assert syns_s(transfer, "none", 5) == [0, 1, 3, 7, 15, 31]


@pytest.mark.parametrize("lost", [0, 1, 3])
def test_bbr_does_not_count_the_wait_for_a_lost_syn_as_a_round_trip(transfer, lost):
    """BBR's first pacing rate is 2.89 windows a round trip, so ten segments take 15 ms."""
    found = transfer("bbr,rack_tlp,rate_sample,syn_timeouts", lose_syns=lost, variant="TcpBbr")
    first = [found.sent[segment][0] for segment in range(10)]
    assert max(first) - min(first) < 20

# SPDX-License-Identifier: MIT
"""Detection of losses by RACK-TLP, RFC 8985, packet by packet."""

import subprocess
from dataclasses import dataclass

import pytest

RTT_MS = 41  # 20 ms each way, and a packet's time
RECOVERY, LOSS = 3, 4  # congestion states
AS_IT_IS, RACK = "none", "prr,rack_tlp"


@dataclass(frozen=True)
class Transfer:
    """What happened to a flow; times in ms."""

    sent: dict[int, list[int]]  # segment to the times at which it was sent
    states: list[int]
    done: int


@pytest.fixture(scope="module")
def transfer(variant_program):
    program = variant_program("recovery")

    def transfer(lose, corrections, segments=100, last_bytes=1000):
        """Send ``segments`` segments, and lose transmissions: segment to how many of its first ones."""
        losses = ",".join(f"{segment}:{count}" for segment, count in lose.items())
        command = [program, f"--corrections={corrections}", f"--segments={segments}", f"--last={last_bytes}"]
        command += [f"--lose={losses}"] if losses else []
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        rows = [(event, int(time), int(value)) for event, time, value in map(str.split, out.splitlines())]
        sent = {
            segment: [time for event, time, value in rows if (event, value) == ("s", segment)]
            for segment in range(segments)
        }
        return Transfer(
            sent,
            [value for event, _, value in rows if event == "c"],
            next(time for event, time, _ in rows if event == "d"),
        )

    return transfer


def test_a_retransmission_that_is_lost_is_sent_again_without_a_timeout(transfer):
    found = transfer({20: 2}, RACK)
    assert LOSS not in found.states
    assert len(found.sent[20]) == 3
    # A segment sent after the retransmission has to arrive.
    first, again = found.sent[20][1:]
    assert RTT_MS <= again - first <= 2 * RTT_MS


def test_ns3_as_it_is_waits_for_a_timeout_then(transfer):
    assert LOSS in transfer({20: 2}, AS_IT_IS).states


def test_several_lost_retransmissions_are_repaired_in_the_same_round_trip(transfer):
    found = transfer({20: 2, 22: 2, 24: 2}, RACK)
    assert LOSS not in found.states
    again = [found.sent[segment][2] for segment in (20, 22, 24)]
    assert max(again) - min(again) < RTT_MS


@pytest.mark.parametrize("lost", [{98: 1}, {98: 1, 99: 1}])
def test_losses_at_the_end_are_probed_for_after_two_round_trips(transfer, lost):
    """RFC 8985, section 7: without a probe, nothing arrives that would tell of the loss."""
    as_it_is, probed = transfer(lost, AS_IT_IS), transfer(lost, RACK)
    assert LOSS not in probed.states
    assert probed.done < as_it_is.done - RTT_MS


def test_a_probe_repeats_the_last_segment(transfer):
    found = transfer({99: 1}, RACK)
    first, again = found.sent[99]
    assert again - first >= 2 * RTT_MS


def test_no_segment_is_sent_again_without_a_loss(transfer):
    assert all(len(times) == 1 for times in transfer({}, RACK).sent.values())


def test_only_lost_segments_are_sent_again(transfer):
    lost = {30: 1, 31: 1, 40: 1}
    found = transfer(lost, RACK)
    assert {segment for segment, times in found.sent.items() if len(times) > 1} == set(lost)


def test_a_window_of_losses_takes_one_recovery(transfer):
    found = transfer(dict.fromkeys(range(30, 40), 1), RACK)
    assert found.states.count(RECOVERY) == 1
    assert LOSS not in found.states


def test_a_probe_repeats_a_last_segment_that_is_short(transfer):
    found = transfer({99: 1}, RACK, last_bytes=300)
    assert LOSS not in found.states
    assert {segment for segment, times in found.sent.items() if len(times) > 1} == {99}

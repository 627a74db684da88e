# SPDX-License-Identifier: MIT
"""SYNs that are lost, in real ns-3."""

import pytest


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

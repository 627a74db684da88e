# SPDX-License-Identifier: MIT
"""BBRv3 in real ns-3: the states and constants of draft-ietf-ccwg-bbr-06. Sections are the draft's."""

import bisect
import itertools

import pytest

SEGMENT = 1000
WIRE = 1054  # bytes of a segment on the link: TCP with timestamps, IP and PPP
STARTUP, DRAIN, DOWN, CRUISE, REFILL, UP, PROBE_RTT = range(7)
CORRECTIONS = "bbr,dsack,f_rto,prr,quick_ack,rack_tlp,rate_sample,recovery_exit,undo,window_after_recovery"
VALUES = "State,MaxBandwidth,PacingGain,CwndGain,LongTermInflight,ShortTermInflight"
# 10 Mbit/s and 40 ms, with the time of a segment on the link: the bandwidth-delay product is 48 segments.
LINK = {"bandwidth": "10Mbps", "delay": "20ms", "queue": "200p", "duration": "12s"}
RTT_S = 0.04 + WIRE * 8 / 10e6
BDP = 10e6 / 8 * RTT_S * SEGMENT / WIRE


class Flow:
    """What a flow said: the changes of each value, as (time in s, value)."""

    def __init__(self, rows):
        self.changes = {}
        for what, time, value in rows:
            self.changes.setdefault(what, []).append((time, value))

    def at(self, what, time):
        """A value at a time; before it was first set, its first value."""
        changes = self.changes[what]
        return changes[max(bisect.bisect_right(changes, time, key=lambda change: change[0]) - 1, 0)][1]

    def states(self):
        """(begin, end, state) in order; the first is Startup."""
        begins = [(0.0, STARTUP), *((time, int(state)) for time, state in self.changes.get("State", []))]
        return [(begin, end, state) for (begin, state), (end, _) in itertools.pairwise(begins)]

    def during(self, what, begin, end):
        """The values that were set within a time."""
        return [value for time, value in self.changes.get(what, []) if begin <= time < end]


@pytest.fixture(scope="module")
def flow(window, library_of):
    """One flow of BBRv3 on a link."""
    given = LINK | {"corrections": CORRECTIONS, "values": VALUES, "variant": "TcpBbr3"}
    return lambda **options: Flow(window(*library_of("TcpBbr3"), **given | options))


@pytest.fixture(scope="module")
def long_flow(flow):
    """One flow for twelve seconds in a buffer that never overflows."""
    return flow()


def gains(flow, time):
    return flow.at("PacingGain", time), flow.at("CwndGain", time)


def test_startup_ends_three_rounds_after_the_bandwidth_stops_growing_by_a_quarter_and_drain_follows(long_flow):
    begin, end, state = long_flow.states()[0]
    assert state == STARTUP
    assert gains(long_flow, (begin + end) / 2) == (2.77, 2)
    full = long_flow.at("MaxBandwidth", end)
    assert full == pytest.approx(10e6 * SEGMENT / WIRE, rel=0.02)  # the draft's own test case allows 2 %
    reached = next(time for time, value in long_flow.changes["MaxBandwidth"] if value * 1.25 > full)
    # The queue that Startup builds makes a round up to twice as long, and a round may just have begun.
    assert 3 * RTT_S < end - reached < 4 * 2 * RTT_S
    # Drain ends when the bandwidth-delay product is in flight.
    begin, end, state = long_flow.states()[1]
    assert state == DRAIN
    assert gains(long_flow, begin) == (0.5, 2)
    assert long_flow.at("f", begin) > 1.9 * BDP
    assert BDP - 2 * SEGMENT < long_flow.at("f", end - 0.001) <= BDP + SEGMENT


def test_the_states_of_probe_bw_follow_each_other_with_their_gains(long_flow):
    states = long_flow.states()[2:]
    follows = {DOWN: {CRUISE, REFILL, PROBE_RTT}, CRUISE: {REFILL, PROBE_RTT}, REFILL: {UP, PROBE_RTT}}
    follows |= {UP: {DOWN, PROBE_RTT}, PROBE_RTT: {CRUISE}}
    assert all(then in follows[state] for (_, _, state), (_, _, then) in itertools.pairwise(states))
    assert {state for _, _, state in states} == set(follows)
    expected = {DOWN: (0.9, 2), CRUISE: (1, 2), REFILL: (1, 2), UP: (1.25, 2.25), PROBE_RTT: (1, 0.5)}
    assert {state: gains(long_flow, begin) for begin, _, state in states} == expected


def test_it_probes_for_bandwidth_as_often_as_reno_would_lose(long_flow):
    # Section 5.3.3.8.2: after 2 to 3 s, or as many rounds as segments in flight, 47 to 48 of them here.
    starts = [begin for begin, _, state in long_flow.states() if state == REFILL]
    waits = [after - before for before, after in itertools.pairwise(starts)]
    assert waits and all(46 * RTT_S < wait < 3 + 0.5 for wait in waits)
    # REFILL lasts a round, and UP until three rounds bring no more.
    for begin, end, state in long_flow.states():
        if state == REFILL:
            assert RTT_S < end - begin < 1.2 * RTT_S
        if state == UP:
            assert 3 * RTT_S < end - begin < 3 * 2 * RTT_S


def test_probe_rtt_halves_what_is_in_flight_for_200_ms_every_five_seconds(long_flow):
    probes = [(begin, end) for begin, end, state in long_flow.states() if state == PROBE_RTT]
    begins = [begin for begin, _ in probes]
    assert len(begins) == 2
    assert 5 < begins[1] - begins[0] - (probes[0][1] - begins[0]) < 5 + RTT_S
    for begin, end in probes:
        half = next(time for time, value in long_flow.changes["f"] if time > begin and value <= BDP / 2)
        assert 0.2 < end - half < 0.2 + 2 * RTT_S
        assert long_flow.at("w", half) == pytest.approx(BDP / 2, abs=SEGMENT)
    assert long_flow.at("w", probes[0][1] + 3 * RTT_S) == pytest.approx(2 * BDP, rel=0.05)


def test_a_loss_while_cruising_lowers_the_short_term_bound_to_seven_tenths(flow):
    lossy = flow(lose="1s", duration="3s")
    bounds = [value for _, value in lossy.changes["ShortTermInflight"]]
    assert bounds[1] == pytest.approx(0.7 * lossy.at("w", 1), abs=1)
    # A second round with the same loss may follow; the bound stays at what arrives in a round.
    assert all(value > BDP - 2 * SEGMENT for value in bounds)
    # ProbeBW_REFILL forgets it.
    refill = next(begin for begin, _, state in lossy.states() if state == REFILL)
    assert lossy.at("ShortTermInflight", refill) == float("inf")
    assert {value for _, value in lossy.changes["LongTermInflight"]} == {float("inf")}


def test_a_probe_that_loses_more_than_two_percent_ends_and_sets_the_long_term_bound(flow):
    lossy = flow(lose="2.70s-2.71s", duration="6s")
    begin, end, _ = next(each for each in lossy.states() if each[2] == UP)
    assert lossy.states()[[each[0] for each in lossy.states()].index(begin) + 1][2] == DOWN
    assert 2.7 < end < 2.7 + 2 * RTT_S
    bound = lossy.at("LongTermInflight", end)
    # What was in flight when 2 % of it were lost, in whole segments.
    assert BDP - SEGMENT < bound <= lossy.at("f", 2.7) + SEGMENT
    assert bound % SEGMENT == 0
    assert lossy.at("w", end + 0.01) <= bound


def test_after_too_much_loss_a_probe_stops_at_the_bound_and_the_next_one_raises_it(flow):
    """Section 5.3.3.6. The buffer has fewer than the 2.25 bandwidth-delay products that ProbeBW_UP may have."""
    cautious = flow(queue="30p", duration="7s")
    states = cautious.states()
    probes = [index for index, (_, _, state) in enumerate(states) if state == UP]
    (_, lost, _), (begin, stopped, _), (_, raised, _) = (states[index] for index in probes[:3])
    bound = cautious.at("LongTermInflight", lost)
    assert bound < 2.25 * BDP
    assert max(cautious.during("f", begin, stopped)) == bound
    assert [state for _, _, state in states[probes[1] + 1 : probes[2] + 1]] == [DOWN, REFILL, UP]
    assert cautious.during("LongTermInflight", begin, stopped) == []
    assert max(cautious.during("LongTermInflight", stopped, raised)) > bound


def test_startup_ends_when_a_round_loses_six_ranges_and_two_percent(flow):
    shallow = flow(queue="5p", duration="2s")
    _, end, _ = shallow.states()[0]
    assert shallow.states()[1][2] == DRAIN
    # The bound is what arrived in a round, and at least the bandwidth-delay product.
    assert shallow.at("LongTermInflight", end) == pytest.approx(BDP, rel=0.15)
    assert shallow.at("MaxBandwidth", end) == pytest.approx(10e6 * SEGMENT / WIRE, rel=0.05)


def test_a_pause_longer_than_the_interval_needs_no_probe_of_the_round_trip(flow):
    # 2,000 segments take less than two seconds.
    paused = flow(pause_after="2000", pause_end="9s", duration="11s")
    assert not [each for each in paused.states() if each[2] == PROBE_RTT]
    assert paused.at("PacingGain", 9.02) == 1


def test_a_recovery_without_a_loss_is_undone(flow):
    """Packets overtake others when the path becomes 30 ms shorter: RACK takes the others for lost."""
    reordered = {"slow": "1s-1.5s", "slow_by": "30ms", "duration": "2.5s"}
    kept, undone = (flow(corrections=each, **reordered) for each in (CORRECTIONS.replace("undo,", ""), CORRECTIONS))
    assert 3 in undone.during("c", 1.5, 1.6)
    assert kept.at("ShortTermInflight", 1.8) < float("inf")
    assert undone.at("ShortTermInflight", 1.8) == float("inf")


def test_a_probe_that_ended_without_a_loss_begins_again_with_its_refill(flow):
    """Section 5.5.11.2: packets overtake others within ProbeBW_UP, and more than 2 % of them seem lost."""
    undone = flow(slow="2.7s-2.75s", slow_by="15ms", duration="3s")
    states = undone.states()
    up = [state for _, _, state in states].index(UP)
    assert [state for _, _, state in states[up + 1 : up + 3]] == [DOWN, REFILL]
    bounds = undone.changes["LongTermInflight"]
    assert [value < float("inf") for _, value in bounds] == [False, True, False]


def test_a_round_trip_below_a_millisecond_is_known(flow):
    """ns-3's handshake measures it in whole milliseconds, and as 1 us if there are none."""
    fast = flow(bandwidth="3Gbps", delay="0.25ms", queue="2000p", duration="20ms")
    bdp = 3e9 / 8 * 0.5e-3 * SEGMENT / WIRE
    # Section 5.6.3: with less, three quanta of 64 KiB would be the window.
    assert 3 * 2**16 < 2 * bdp - 10 * SEGMENT < fast.at("w", 0.02)


def test_its_constants_are_attributes(dumbbell, simulated, library_of):
    """A shorter interval between two probes of the round trip changes what is sent."""
    options = ["--variant=TcpBbr3", "--flows=1", "--bandwidth=5Mbps", "--queue=1bdp", "--duration=8s", "--traces=rtt_s"]
    load = library_of("TcpBbr3")
    five, two = (
        simulated(dumbbell, *load, *options, f"--ns3::TcpBbr3::ProbeRttInterval={each}") for each in ("5s", "2s")
    )
    assert five.trace("rtt_s") != two.trace("rtt_s")


def test_a_mark_counts_as_congestion(dumbbell, simulated, library_of):
    """The draft leaves the response to ECN open, but asks for one (section 3.6)."""
    options = ("--variant=TcpBbr3", "--flows=1", "--bandwidth=10Mbps", "--delay=20ms", "--duration=10s")
    options += ("--queue_disc=FqCoDelQueueDisc", "--queue=4bdp", "--ecn=true", f"--corrections={CORRECTIONS}")
    marked = simulated(dumbbell, *library_of("TcpBbr3"), *options, "--traces=cwnd_bytes,congestion_state")
    windows, states = marked.trace("cwnd_bytes"), marked.trace("congestion_state")
    marks = [time for time, state in states if state == 2]
    assert {state for _, state in states} == {0, 2}  # without losses
    # The marks before are of the queue that Startup leaves; the simulation ends at 10 s.
    later = [mark for mark in marks if 2 < mark < 10 - 3 * RTT_S]
    assert len(later) > 3
    for mark in later:
        before = [value for time, value in windows if time < mark][-1]
        assert min(value for time, value in windows if mark <= time < mark + 3 * RTT_S) < 0.9 * before


@pytest.mark.long
def test_next_to_it_cubic_gets_more_in_a_shallow_buffer_than_next_to_version_1(dumbbell, simulated, library_of):
    shallow = ("--flows=2", "--bandwidth=10Mbps", "--delay=20ms", "--queue=0.5bdp", "--duration=20s")
    shallow += ("--traces=received_bytes,retransmitted_bytes", f"--corrections={CORRECTIONS},cubic")
    shares, repeated = {}, {}
    for variant in ("TcpBbr3", "TcpBbr"):
        cell = simulated(dumbbell, *library_of("TcpBbr3"), *shallow, f"--variant={variant}+TcpCubic")
        received = [cell.trace("received_bytes", flow)[-1][1] for flow in (0, 1)]
        shares[variant] = received[1] / sum(received)
        repeated[variant] = cell.trace("retransmitted_bytes", 0)[-1][1]
    assert shares["TcpBbr3"] > 0.3 > 0.2 > shares["TcpBbr"]
    assert repeated["TcpBbr3"] < repeated["TcpBbr"] / 3

# SPDX-License-Identifier: MIT
"""The metrics of a cell, compared with examples computed by hand."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcpsweep.measure import cell_metrics, delivery, fairness, links
from tcpsweep.measure.cell import Cell, Queue
from tcpsweep.words import table_columns

FLOW = {"direction": "forward", "finish_s": None, "stop_s": None}


def trace(*rows):
    schema = {"flow": pl.Int32, "time_s": pl.Float64, "value": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


WAY = ("bottleneck", "forward")


def queue(*rows):
    """Rows of (time, event, flow), or with the queueing delay as a fourth value; 1500 bytes each, forward."""
    return pl.DataFrame(
        [
            {
                "link": "bottleneck",
                "direction": "forward",
                "time_s": time,
                "event": event,
                "flow": flow,
                "wire_bytes": 1500,
            }
            | {"delay_s": delay[0] if delay else 0.0}
            for time, event, flow, *delay in rows
        ],
        schema=table_columns.schema("queue"),
    )


def cell(traces=None, queued=None, flows=({"start_s": 0.0}, {"start_s": 3.0}), **how):
    """Two flows on a 1 Mbit/s link, measured from 2 s to 6 s; flow 1 starts at 3 s."""
    made = [FLOW | {"flow": number} | flow for number, flow in enumerate(flows)]
    options = {"from_s": 2.0, "to_s": 6.0, "paths": {flow: (WAY,) for flow in range(len(made))}} | how
    queues = {} if queued is None else {WAY: Queue(queued, options.pop("capacity_bps", 1e6), options.pop("rates", ()))}
    table = pl.DataFrame(made, schema=table_columns.schema("flows"))
    return Cell(table, traces or {}, queued, queues=queues, **options)


def values(traces=None, queued=None, **how):
    """The flows' metrics by name."""
    made = cell(traces, queued, **how)
    return {name: [of.get(flow) for flow in made.flows["flow"]] for name, of in cell_metrics.per_flow(made).items()}


def test_rates_count_from_the_warm_up_and_over_a_flows_own_life():
    payload = trace((0, 1.0, 1000), (0, 2.0, 3000), (0, 4.0, 50000), (0, 6.0, 103000), (1, 5.0, 60000), (1, 6.5, 70000))
    ip = trace((0, 2.0, 4000), (0, 6.0, 112000), (1, 5.0, 66000), (1, 6.5, 99999))
    found = values({"received_bytes": payload, "ip_received_bytes": ip})
    # Flow 0: 100,000 B in 4 s; flow 1: 60,000 B in the 3 s since it started. A packet each has 2 B of PPP.
    assert found["goodput_bps"] == [200_000, 160_000]
    assert found["throughput_bps"] == [216_000, 176_000]
    assert found["wire_throughput_bps"] == pytest.approx([216_000 + 2 * 8 / 4, 176_000 + 2 * 8 / 3])


def test_what_is_sent_counts_at_each_layer_by_its_values_at_the_ends():
    # Flow 0: 110,000 B of payload in 100 packets within 2 s to 6 s; flow 1 has sent nothing before it starts at 3 s.
    traces = {
        "sent_bytes": trace((0, 2.0, 3000), (0, 4.0, 50_000), (0, 6.0, 113_000), (1, 5.0, 60_000), (1, 6.5, 99_000)),
        "ip_sent_bytes": trace((0, 2.0, 3200), (0, 6.0, 118_400), (1, 5.0, 63_000), (1, 6.5, 99_999)),
        "sent_packets": trace((0, 2.0, 4), (0, 6.0, 104), (1, 5.0, 50), (1, 6.5, 80)),
        "ip_received_bytes": trace((0, 2.0, 2000), (0, 6.0, 102_800), (1, 5.0, 63_000)),
        "acked_bytes": trace((0, 2.0, 1000), (0, 5.5, 91_000)),
    }
    found = values(traces)
    assert found["sent_payload_bytes"] == [110_000, 60_000]
    assert found["sent_ip_bytes"] == [115_200, 63_000]
    assert found["sent_wire_bytes"] == [115_400, 63_100]
    assert found["sent_payload_bps"] == [220_000, 160_000]
    assert found["sent_throughput_bps"] == [230_400, 168_000]
    assert found["sent_wire_throughput_bps"] == pytest.approx([230_800, 63_100 * 8 / 3])
    assert found["received_ip_bytes"] == [100_800, 63_000]
    assert found["received_wire_bytes"] == [100_802, 63_002]
    assert found["unreceived_share"] == [0.125, 0]
    assert found["acked_bytes"] == [90_000, 0]


def test_the_largest_throughput_is_that_of_a_second():
    # Seconds from 2 s and from 3 s on; what comes at the end of one is its own.
    rows = [(0, 2.0, 9000), (0, 2.5, 19_000), (0, 3.0, 29_000), (0, 3.01, 34_000), (0, 5.9, 44_000), (0, 6.1, 99_000)]
    found = values({"ip_received_bytes": trace(*rows)})
    assert found["max_throughput_bps"] == [160_000, 0]
    short = values({"ip_received_bytes": trace(*rows)}, flows=({"start_s": 5.5}, {"start_s": 0.0, "stop_s": 3.9}))
    assert short["max_throughput_bps"] == [None, 0]


def test_a_flow_that_joins_late_has_a_warm_up_of_its_own():
    late = ({"start_s": 0.5}, {"start_s": 3.0}, {"start_s": 4.0, "stop_s": 5.0}, {"start_s": 3.0, "bytes": 10**6})

    def counted(own_s):
        return cell(flows=late, flow_warmup_s=own_s).lives.select("from_s", "to_s").rows()

    # The warm-up ends at 2 s, so a flow's own lasts 1 s, half of flow 2's life; flow 3 has a limited length.
    assert counted(None) == [(2, 6), (4, 6), (4.5, 5), (3, 6)]
    assert counted(0.0) == [(2, 6), (3, 6), (4, 5), (3, 6)]
    assert counted(1.75) == [(2.25, 6), (4.75, 6), (4.75, 6)]  # nothing of flow 2
    # What it gets in its slow start is in none of its metrics.
    payload = {"received_bytes": trace((1, 3.9, 90_000), (1, 5.0, 100_000), (1, 6.0, 110_000))}
    assert values(payload, flows=late, flow_warmup_s=None)["goodput_bps"][1] == 80_000


def test_a_flow_that_leaves_or_ends_is_measured_until_then():
    payload = trace((0, 2.5, 10_000), (1, 3.5, 5000))
    there = ({"start_s": 0, "stop_s": 3.0}, {"start_s": 3.0, "finish_s": 3.5, "bytes": 5000})
    found = values({"received_bytes": payload}, flows=there)
    assert found["goodput_bps"] == [80_000, 80_000]
    assert found["completion_s"] == [None, 0.5]


def test_a_flow_that_was_not_there_has_nothing_and_one_that_starves_has_zero():
    found = values({"received_bytes": trace((0, 1.0, 500))}, flows=({"start_s": 0.0}, {"start_s": 7.0}))
    assert found["goodput_bps"] == [0, None]


def test_delays_are_over_packets():
    delays = trace((0, 1.0, 9.0), *((0, 3 + n / 100, n / 1000) for n in range(1, 101)), (1, 5.0, 0.050))
    found = values({"owd_s": delays})
    assert found["owd_mean_s"] == pytest.approx([0.0505, 0.050])
    # Of 1, 2, …, 100 ms, half do not exceed 50, 95 of 100 do not exceed 95.
    assert found["owd_p50_s"] == [0.050, 0.050]
    assert found["owd_p95_s"] == [0.095, 0.050]
    assert found["owd_p99_s"] == [0.099, 0.050]


def test_round_trips_are_weighted_by_how_long_they_were_the_last():
    # Within 2 s to 6 s: 0.1 for 2 s, 0.3 for 1.8 s, 0.2 for 0.2 s.
    found = values({"rtt_s": trace((0, 1.0, 0.1), (0, 4.0, 0.3), (0, 5.8, 0.2), (1, 6.5, 9.0))})
    assert found["rtt_mean_s"] == pytest.approx([(0.1 * 2 + 0.3 * 1.8 + 0.2 * 0.2) / 4, None])
    # 0.1 has half of the time, 0.2 and below 55 %.
    assert found["rtt_p50_s"] == [0.1, None]
    assert found["rtt_p95_s"] == [0.3, None]


def test_losses_are_split_by_cause():
    rows = [(1.9, "transmit", 0), (2.5, "transmit", 0, 0.01), (3.0, "transmit", 0, 0.03), (3.1, "drop", 0)]
    rows += [(3.2, "drop_after_wait", 0, 0.5), (3.3, "loss", 0), (5.0, "transmit", 1), (5.1, "transmit", 1)]
    rows += [(5.2, "loss", 1), (5.3, "mark", 1), (6.1, "drop", 1)]
    found = values(queued=queue(*rows))
    # Flow 0: two sent, two dropped, one lost on the link; flow 1: two sent, one of them marked, one lost.
    assert found["congestion_loss"] == [0.5, 0.0]
    assert found["random_loss"] == [0.5, 0.5]
    assert found["ecn_marks"] == [0, 0.5]
    assert found["queueing_delay_mean_s"] == pytest.approx([0.02, 0])


def test_time_in_states_and_what_led_there():
    states = [(0, 1.0, 3.0), (0, 3.0, 0.0), (0, 3.5, 1.0), (0, 3.6, 3.0), (0, 4.0, 4.0), (0, 5.0, 0.0), (1, 5.0, 2.0)]
    found = values({"congestion_state": trace(*states)})
    assert found["recovery_share"] == pytest.approx([(1 + 0.4) / 4, 0])
    assert found["loss_share"] == pytest.approx([1 / 4, 0])
    assert found["disorder_share"] == pytest.approx([0.1 / 4, 0])
    # The trace has only changes: flow 1 is open from its start at 3 s until 5 s.
    assert found["CWR_share"] == pytest.approx([0, 1 / 3])
    assert found["open_share"] == pytest.approx([(0.5 + 1) / 4, 2 / 3])
    # The recovery that leads to a timeout is one epoch and two reductions; the one at 1 s is in the warm-up.
    assert found["cwnd_reductions"] == [2, 1]
    assert found["fast_recoveries"] == [1, 0]
    assert found["congestion_epochs"] == [1, 1]
    assert found["steady"] == [0, 0]


def test_a_recovery_that_begins_in_the_moment_in_which_the_last_one_ends_counts_once():
    """Linux stays in the state then, and ns-3 leaves it for no time."""
    states = [(0, 3.0, 3.0), (0, 3.5, 0.0), (0, 3.5, 3.0), (0, 4.0, 0.0), (0, 4.5, 1.0), (0, 4.5, 0.0), (0, 5.0, 3.0)]
    found = values({"congestion_state": trace(*states)})
    assert found["fast_recoveries"][0] == 2
    assert found["cwnd_reductions"][0] == 2
    assert found["congestion_epochs"][0] == 2


def test_reductions_for_two_marks_count_even_if_the_second_comes_in_the_moment_in_which_the_first_state_ends():
    states = [(0, 3.0, 2.0), (0, 3.5, 0.0), (0, 3.5, 2.0), (0, 4.0, 0.0), (0, 4.0, 3.0), (0, 4.5, 0.0)]
    found = values({"congestion_state": trace(*states)})
    assert found["cwnd_reductions"][0] == 3
    assert found["congestion_epochs"][0] == 3


def test_what_was_sent_again_counts_from_the_warm_up():
    again = trace((0, 1.0, 1448), (0, 3.0, 2896), (0, 4.0, 4344), (1, 6.5, 1448))
    found = values(
        {"retransmitted_bytes": again, "duplicate_bytes": again, "timeouts": trace((0, 2.5, 1), (0, 4.5, 2))}
    )
    assert found["retransmitted_bytes"] == found["spurious_bytes"] == [2 * 1448, 0]
    assert found["timeouts"] == [2, 0]


def test_time_held_back_is_a_share_of_a_flows_life():
    found = values({"receiver_limited_s": trace((0, 2.0, 0.5), (0, 5.0, 2.5)), "application_limited_s": trace()})
    assert found["receiver_limited_share"] == [2 / 4, 0]
    assert found["application_limited_share"] == [0, 0]


def test_five_epochs_after_the_warm_up_are_steady():
    states = [(0, 2 + n / 3, 3.0 if n % 2 else 0.0) for n in range(1, 11)]
    found = values({"congestion_state": trace(*states)})
    assert found["congestion_epochs"] == [5, 0]
    assert found["steady"] == [1, 0]


def test_a_flow_without_epochs_is_steady_if_its_goodput_is_level():
    # From 2 s to 6 s for flow 0, from 5 s for flow 1: fifths of 0.8 s and 0.2 s.
    even = [(0, 2 + n / 10, 1000.0 * n) for n in range(41)] + [(1, 5 + n / 10, 1000.0 * n**2) for n in range(11)]
    states = trace((0, 0.5, 0.0), (1, 5.0, 0.0))
    assert values({"congestion_state": states, "received_bytes": trace(*even)})["steady"] == [1, 0]
    nothing = trace((0, 1.0, 0.0), (1, 5.0, 0.0))
    assert values({"congestion_state": states, "received_bytes": nothing})["steady"] == [0, 0]


def test_a_flow_that_never_leaves_the_state_open_is_open_all_the_time():
    found = values({"congestion_state": trace((0, 7.0, 3.0))})
    assert found["open_share"] == [1, 1]
    assert found["recovery_share"] == found["loss_share"] == [0, 0]


def test_a_trend_is_the_rise_over_the_whole_time_as_a_share_of_the_mean():
    # Flow 0 from 2 s to 6 s at a constant rate; flow 1 from 3 s to 6 s at a rate that grows from 0 to twice its mean.
    rows = [(0, 2 + n / 10, 1000.0 * n) for n in range(41)] + [(1, 3 + n / 100, 10.0 * n**2) for n in range(301)]
    assert values({"received_bytes": trace(*rows)})["goodput_trend"] == pytest.approx([0, 2], abs=0.02)
    nothing = trace((0, 1.0, 0.0), (1, 5.0, 0.0))
    assert values({"received_bytes": nothing})["goodput_trend"] == [None, None]


def test_a_bend_is_how_much_more_the_middle_of_the_time_has():
    # One-way delays of flow 0, from 2 s to 6 s: 0.1 s in the first and the last fifth and 0.2 s in those between.
    rows = [(0, 2 + n / 10, 0.1 if n <= 8 or n > 32 else 0.2) for n in range(1, 41)] + [(1, 3.1, 0.3)]
    found = values({"owd_s": trace(*rows)})
    assert found["owd_bend"] == pytest.approx([0.1 / 0.16, None])  # flow 1 has parts without a packet
    assert found["owd_trend"] == pytest.approx([0.0, None], abs=1e-12)
    assert "goodput_bend" not in found


def test_what_was_not_traced_has_no_column():
    assert set(values()) == {"completion_s", "finished_share", "delivery_ratio", "drop_ratio"}
    found = cell_metrics.per_network(cell(), None)
    assert found == {name: value for name, value in delivery.per_network(cell().flows, 6).items() if value is not None}


def network(traces=None, queued=None, **how):
    made = cell(traces, queued, **how)
    return cell_metrics.per_network(made, fairness.over_time(made))


def test_utilisation_counts_what_the_link_sent():
    rows = [(1.9, "transmit", 0), *((second, "transmit", 0) for second in (2.5, 3, 5, 5.1)), (5.2, "drop", 0)]
    assert network(queued=queue(*rows))["utilisation"] == pytest.approx(4 * 1500 * 8 / (1e6 * 4))
    assert network(queued=queue())["utilisation"] == 0


def test_of_a_packet_at_an_end_of_the_time_the_part_within_it_counts():
    # A packet takes 12 ms; these are sent one after another from before 2 s to after 6 s, and fill the link.
    full = queue(*((1.994 + 0.012 * number, "transmit", 0) for number in range(340)))
    rates = ((0.0, 1e6),)
    assert links.metrics(cell(queued=full, rates=rates))[WAY]["utilisation"] == 1
    ends = queue((1.994, "transmit", 0), (5.991, "transmit", 0))
    assert links.metrics(cell(queued=ends, rates=rates))[WAY]["utilisation"] == pytest.approx((0.006 + 0.009) / 4)
    # From 4 s on the rate is a third; the mean is 2 Mbit/s, and 1.5 s of 4 are used at 3 Mbit/s.
    step = queue(*((2 + 0.004 * number, "transmit", 0) for number in range(375)))
    found = links.metrics(cell(queued=step, rates=((0.0, 3e6), (4.0, 1e6)), capacity_bps=2e6))
    assert found[WAY]["utilisation"] == pytest.approx(1.5 * 3 / (4 * 2))


def test_the_only_link_of_a_described_network_has_metrics_of_its_own():
    sent = queue((2.5, "transmit", 0), (3.0, "drop", 0), (4.0, "transmit", 1), (5.0, "mark", 1))
    of_link = {"reference": WAY}
    without, described = (links.metrics(cell(queued=sent, is_described=each, **of_link)) for each in (False, True))
    fates = {"binds": 1.0, "lost_packets": 1, "congestion_loss": 1 / 3, "random_loss": 0.0, "ecn_marks": 1 / 3}
    assert described == {WAY: without[WAY] | fates}
    assert network(queued=sent, is_described=True, **of_link) == network(queued=sent)
    assert values(queued=sent, is_described=True) == values(queued=sent)


def test_fairness_is_of_the_forward_flows():
    payload = {"received_bytes": trace((0, 4.0, 100_000), (1, 5.0, 60_000), (2, 5.0, 999_999))}
    flows = ({"start_s": 0.0}, {"start_s": 3.0}, {"start_s": 0.0, "direction": "reverse"})
    x, y = 100_000, 60_000  # both from 3 s on
    assert network(payload, flows=flows)["jain"] == pytest.approx((x + y) ** 2 / (2 * (x * x + y * y)))
    assert network({"received_bytes": trace((0, 4.0, 100_000))})["jain"] == 0.5


def test_flows_are_held_against_each_other_in_the_time_in_which_all_are_there():
    # Flow 0 has 40 kB in the second before flow 1 joins, then both have 10 kB a second, until flow 1 leaves at 5 s and
    # flow 0 gets 40 kB more. Over their own lives they would have 25 and 10 kB/s, an index of 0.84 and a share of 1.4.
    rows = [(0, 3.0, 40_000), (0, 4.0, 50_000), (1, 4.0, 10_000), (0, 5.0, 60_000), (1, 5.0, 20_000), (0, 6.0, 100_000)]
    there = ({"start_s": 0.0, "variant": "A"}, {"start_s": 3.0, "stop_s": 5.0, "variant": "B"})
    payload = {"received_bytes": trace(*rows)}
    of_network = network(payload, flows=there, base_rtt_s=(0.1, 0.2))
    assert (of_network["jain"], of_network["rtt_ratio"]) == (1, 1)
    found = values(payload, flows=there)
    assert found["share"] == [1, 1]
    assert found["goodput_bps"] == [200_000, 80_000]


def test_flows_that_are_never_there_together_are_not_held_against_each_other():
    payload = {"received_bytes": trace((0, 3.0, 40_000), (1, 5.0, 20_000))}
    one_after_another = ({"start_s": 0.0, "stop_s": 3.0}, {"start_s": 3.0})
    assert "jain" not in network(payload, flows=one_after_another)
    hardly = ({"start_s": 0.0, "stop_s": 3.9}, {"start_s": 3.0})
    assert "jain" not in network(payload, flows=hardly)  # 0.9 s are less than a window
    # A flow that has left in the warm-up takes no part; the others are there from 3 s on.
    left = ({"start_s": 0.0}, {"start_s": 3.0}, {"start_s": 0.0, "stop_s": 1.5})
    assert network({"received_bytes": trace((0, 4.0, 30_000), (1, 5.0, 20_000))}, flows=left)["jain"] == (
        pytest.approx(50**2 / (2 * (30**2 + 20**2)))
    )


def test_utilisation_is_split_where_there_is_other_traffic():
    rows = [(second, "transmit", 0) for second in (2.5, 3, 5)]
    assert "utilisation_flows" not in network(queued=queue(*rows))
    found = network(queued=queue(*rows, (1.0, "transmit", -1), (5.5, "transmit", -1), (5.6, "drop", -1)))
    full = 1e6 * 4 / (1500 * 8)
    parts = [found[name] for name in ("utilisation_flows", "utilisation_other", "utilisation")]
    assert parts == pytest.approx([3 / full, 1 / full, 4 / full])


def test_the_queues_length_is_rebuilt_from_what_left_it():
    # One packet from 2 to 5 s, another from 4 to 5 s, and one dropped on arrival, which never was in it.
    rows = [(5.0, "transmit", 0, 3.0), (5.0, "drop_after_wait", 0, 1.0), (5.5, "drop", 0)]
    found = network(queued=queue(*rows))
    # Over 2 s to 6 s: one packet for 2 s, two for 1 s, none for 1 s.
    assert found["queue_mean_packets"] == pytest.approx((2 * 1 + 1 * 2) / 4)
    assert (found["queue_p50_packets"], found["queue_p95_packets"]) == (1, 2)


@given(st.lists(st.tuples(st.floats(2, 6), st.floats(0, 2)), min_size=1, max_size=30))
def test_littles_law_holds_for_the_queue(packets):
    # The mean number is the arrival rate times the mean time in the queue, if all came and went within the time.
    rows = sorted((max(time, 2 + wait), "transmit", 0, wait) for time, wait in packets)
    rows = [row for row in rows if row[0] <= 6]
    found = network(queued=queue(*rows))
    assert found.get("queue_mean_packets", 0) == pytest.approx(sum(row[3] for row in rows) / 4, abs=1e-9)


def test_fairness_in_windows_and_when_it_settles():
    # A second each: only flow 0 until 3 s, then 3:1, then equal until the end.
    rows = [(0, 1.0, 100), (0, 2.0, 200), (0, 3.0, 300), (0, 4.0, 600), (1, 4.0, 100)]
    for second in range(5, 10):
        rows += [(0, second, 600 + 200 * (second - 4)), (1, second, 100 + 200 * (second - 4))]
    made = cell({"received_bytes": trace(*rows)}, to_s=9.0)
    windows = fairness.over_time(made)
    assert windows.rows() == [(3.0, 2, 16 / 20), *((float(second), 2, 1.0) for second in range(4, 9))]
    found = cell_metrics.per_network(made, fairness.over_time(made))
    assert found["jain_windows"] == pytest.approx((0.8 + 5) / 6)
    assert found["convergence_s"] == 1.0
    # What comes later does not change it: from 9 s on, flow 1 gets nothing. Four fair windows are too few.
    longer = {"received_bytes": trace(*rows, (0, 10.0, 1900.0), (0, 11.0, 2200.0))}
    assert network(longer, to_s=11.0)["convergence_s"] == 1.0
    assert "convergence_s" not in network({"received_bytes": trace(*rows)}, to_s=8.0)


def test_fairness_that_never_settles_has_no_convergence_time():
    # 1.7 : 1 in each window is an index of 0.94.
    rows = [(0, float(second), 170.0 * second) for second in range(1, 12)]
    rows += [(1, float(second), 100.0 * (second - 3)) for second in range(4, 12)]
    assert "convergence_s" not in network({"received_bytes": trace(*rows)}, to_s=11.0)


def jain(shares):
    return fairness.jain(pl.Series(shares, dtype=pl.Float64))


@pytest.mark.parametrize(
    ("shares", "index"),
    # Jain, Chiu and Hawe 1984: k of n users equal and the others without have k/n.
    [([5, 5, 5, 5], 1), ([7, 0, 0, 0], 1 / 4), ([1, 1, 0, 0], 1 / 2), ([1, 2, 3], 36 / 42), ([0, 0], None)],
)
def test_jains_index(shares, index):
    assert jain(shares) == (index if index is None else pytest.approx(index))


@given(st.lists(st.floats(0.001, 1e9), min_size=1, max_size=50), st.floats(0.001, 1000))
def test_jains_index_has_its_bounds_and_no_scale(shares, scale):
    index = jain(shares)
    assert 1 / len(shares) - 1e-9 <= index <= 1 + 1e-9
    assert jain([share * scale for share in shares]) == pytest.approx(index)

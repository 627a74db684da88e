# SPDX-License-Identifier: MIT
"""The metrics of a cell, compared with examples computed by hand."""

from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tcpsweep.core.measure import cell_metrics, delivery, fairness, links
from tcpsweep.core.measure.cell import Cell, Queue
from tcpsweep.core.words import table_columns

FLOW = {"direction": "forward", "finish_s": None, "stop_s": None}


def trace(*rows):
    schema = {"flow": pl.Int32, "time_s": pl.Float64, "value": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


WAY = ("bottleneck", "forward")


def queue(*rows):
    """Rows of (time, event, flow), or with the queueing delay as a fourth value; 1500 bytes each, forward."""
    return pl.DataFrame(
        [
            {"link": "bottleneck", "direction": "forward", "time_s": time, "event": event, "flow": flow}
            | {"wire_bytes": 1500, "delay_s": delay[0] if delay else 0.0}
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


def network(traces=None, queued=None, **how):
    made = cell(traces, queued, **how)
    return cell_metrics.per_network(made, fairness.over_time(made))


BY_HAND = yaml.safe_load(Path(__file__).with_name("by_hand.yaml").read_text())


def number(text):
    """A number of `by_hand.yaml`, perhaps a fraction, but for rounding; or null."""
    return None if text is None else pytest.approx(float(Fraction(str(text))), rel=1e-12)


@pytest.mark.parametrize("claim", BY_HAND)
def test_metrics_computed_by_hand(claim):
    given = BY_HAND[claim]
    traces = {name: trace(*map(tuple, rows)) for name, rows in given.get("traces", {}).items()}
    queued = queue(*given["queue"]) if "queue" in given else None
    of_flows = values(traces, queued, **given.get("cell", {}))
    for name, expected in given.get("of flows", {}).items():
        assert of_flows[name] == list(map(number, expected)), name
    of_network = network(traces, queued, **given.get("cell", {}))
    for name, expected in given.get("of the network", {}).items():
        assert of_network[name] == number(expected), name
    assert of_network.keys().isdisjoint(given.get("without", ()))


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


def test_delays_are_over_packets():
    delays = trace((0, 1.0, 9.0), *((0, 3 + n / 100, n / 1000) for n in range(1, 101)), (1, 5.0, 0.050))
    found = values({"owd_s": delays})
    assert found["owd_mean_s"] == pytest.approx([0.0505, 0.050])
    # Of 1, 2, …, 100 ms, half do not exceed 50, 95 of 100 do not exceed 95.
    assert found["owd_p50_s"] == [0.050, 0.050]
    assert found["owd_p95_s"] == [0.095, 0.050]
    assert found["owd_p99_s"] == [0.099, 0.050]


def test_a_flow_without_epochs_is_steady_if_its_goodput_is_level():
    # From 2 s to 6 s for flow 0, from 5 s for flow 1: fifths of 0.8 s and 0.2 s.
    even = [(0, 2 + n / 10, 1000.0 * n) for n in range(41)] + [(1, 5 + n / 10, 1000.0 * n**2) for n in range(11)]
    states = trace((0, 0.5, 0.0), (1, 5.0, 0.0))
    assert values({"congestion_state": states, "received_bytes": trace(*even)})["steady"] == [1, 0]
    nothing = trace((0, 1.0, 0.0), (1, 5.0, 0.0))
    assert values({"congestion_state": states, "received_bytes": nothing})["steady"] == [0, 0]


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
    assert found == {name: value for name, value in delivery.per_network(cell()).items() if value is not None}


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
    without, described = (links.metrics(cell(queued=sent, has_named_links=each, **of_link)) for each in (False, True))
    fates = {"binds": 1.0, "lost_packets": 1, "congestion_loss": 1 / 3, "random_loss": 0.0, "ecn_marks": 1 / 3}
    assert described == {WAY: without[WAY] | fates}
    assert network(queued=sent, has_named_links=True, **of_link) == network(queued=sent)
    assert values(queued=sent, has_named_links=True) == values(queued=sent)


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

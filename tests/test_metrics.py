# SPDX-License-Identifier: MIT
"""The metrics against examples that were worked out by hand."""

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcpsweep import aggregate, metrics, statistics, tables

# Two flows on a 1 Mbit/s link, measured from 2 s to 6 s. Flow 1 starts at 3 s.
FLOWS = pl.DataFrame(
    [
        {"cell": "c", "flow": 0, "direction": "forward", "variant": "TcpCubic", "start_s": 0.0},
        {"cell": "c", "flow": 1, "direction": "forward", "variant": "TcpBbr", "start_s": 3.0},
    ],
    schema=tables.schema("flows"),
)
SPANS = pl.DataFrame(
    {"combination": [0], "run": [1], "cell": ["c"], "from_s": [2.0], "to_s": [6.0], "capacity_bps": [1e6]}
).with_columns(captured=pl.lit([*tables.TRACES, "queue"]))


def traces(**rows):
    frames = [
        pl.DataFrame([{"metric": metric, "flow": flow, "time_s": time, "value": value} for flow, time, value in given])
        for metric, given in rows.items()
    ]
    frame = pl.concat(frames).with_columns(cell=pl.lit("c"))
    return frame.select(list(tables.schema("traces"))).cast(tables.schema("traces")).lazy()


TRACES = traces(
    received_bytes=[(0, 1.0, 1000.0), (0, 2.0, 3000.0), (0, 4.0, 50000.0), (0, 6.0, 103000.0), (1, 5.0, 60000.0)],
    ip_received_bytes=[(0, 2.0, 4000.0), (0, 6.0, 112000.0), (1, 5.0, 66000.0), (1, 6.5, 99999.0)],
    owd_s=[(0, 1.0, 9.0), (0, 3.0, 0.010), (0, 4.0, 0.030), (1, 5.0, 0.050)],
    congestion_state=[(0, 1.0, 3.0), (0, 3.0, 3.0), (0, 3.5, 0.0), (0, 4.0, 4.0), (0, 5.0, 1.0), (1, 5.0, 2.0)],
)
QUEUE = (
    pl.DataFrame(
        [
            {"cell": "c", "direction": "forward", "time_s": time, "event": event, "flow": flow, "wire_bytes": 1500}
            for time, event, flow in [
                (1.9, "transmit", 0),
                (2.5, "transmit", 0),
                (3.0, "transmit", 0),
                (3.1, "drop", 0),
                (3.2, "drop_after_wait", 0),
                (3.3, "loss", 0),
                (5.0, "transmit", 1),
                (5.1, "transmit", 1),
                (5.2, "loss", 1),
                (6.1, "drop", 1),
            ]
        ],
        schema=tables.schema("queue"),
    )
).lazy()


@pytest.fixture
def flows():
    return metrics.per_flow(FLOWS, SPANS, TRACES, QUEUE).sort("flow")


def test_rates_count_from_the_warm_up_and_over_a_flows_own_life(flows):
    # Flow 0: 100,000 B in 4 s; flow 1: 60,000 B in the 3 s since it started.
    assert flows["goodput_bps"].to_list() == [200_000, 160_000]
    assert flows["throughput_bps"].to_list() == [216_000, 176_000]


def test_delay_is_the_mean_over_packets(flows):
    assert flows["mean_delay_s"].to_list() == pytest.approx([0.020, 0.050])


def test_losses_are_split_by_cause(flows):
    # Flow 0: two sent, two dropped, one lost on the link; flow 1: two sent, one lost.
    assert flows["congestion_loss"].to_list() == [0.5, 0.0]
    assert flows["random_loss"].to_list() == [0.5, 0.5]


def test_epochs_are_reductions_after_the_warm_up(flows):
    assert flows["congestion_epochs"].to_list() == [2, 1]
    assert flows["steady"].to_list() == [False, False]


def test_utilisation_and_fairness_of_the_network(flows):
    network = metrics.per_network(flows, SPANS, QUEUE)
    assert network["utilisation"].item() == pytest.approx(4 * 1500 * 8 / (1e6 * 4))
    assert network["jain"].item() == pytest.approx((200 + 160) ** 2 / (2 * (200**2 + 160**2)))


def test_what_was_not_traced_is_null():
    nothing = pl.LazyFrame(schema=tables.schema("traces")), pl.LazyFrame(schema=tables.schema("queue"))
    untraced = SPANS.with_columns(captured=pl.lit([], dtype=pl.List(pl.String)))
    flows = metrics.per_flow(FLOWS, untraced, *nothing)
    names = [name for name, metric in metrics.METRICS.items() if metric.scope == "flow"] + ["steady"]
    assert flows.select(names).null_count().row(0) == (2,) * len(names)
    network = metrics.per_network(flows, untraced, nothing[1])
    assert network.select("utilisation", "jain").row(0) == (None, None)


def test_a_starved_flow_has_no_goodput_and_spoils_fairness():
    without = TRACES.filter((pl.col("flow") == 0) | (pl.col("metric") == "congestion_state"))
    flows = metrics.per_flow(FLOWS, SPANS, without, QUEUE).sort("flow")
    assert flows["goodput_bps"].to_list() == [200_000, 0]
    assert flows["throughput_bps"].to_list() == [216_000, 0]
    assert flows["mean_delay_s"][1] is None
    assert metrics.per_network(flows, SPANS, QUEUE)["jain"].item() == 0.5


def test_a_link_that_carried_nothing_is_idle():
    silent = pl.LazyFrame(schema=tables.schema("queue"))
    flows = metrics.per_flow(FLOWS, SPANS, TRACES, silent)
    assert metrics.per_network(flows, SPANS, silent)["utilisation"].item() == 0


def jain(values):
    return pl.DataFrame({"x": values}).select(metrics.jain(pl.col("x").cast(pl.Float64))).item()


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


def summary(values, digests=None):
    frame = pl.DataFrame({"group": 1, "digest": digests or [str(i) for i in range(len(values))], "value": values})
    return statistics.summarise(frame, ["group"]).row(0, named=True)


def test_the_interval_is_students():
    # Five values with mean 10 and standard deviation sqrt(2.5): t(0.975, 4) = 2.776 (tables).
    row = summary([8.0, 9.0, 10.0, 11.0, 12.0])
    half = 2.7764451 * math.sqrt(2.5) / math.sqrt(5)
    assert (row["runs"], row["distinct_runs"], row["mean"]) == (5, 5, 10)
    assert row["low"] == pytest.approx(10 - half, rel=1e-7)
    assert row["high"] == pytest.approx(10 + half, rel=1e-7)


@pytest.mark.parametrize(("degrees", "t"), [(1, 12.7062), (2, 4.3027), (9, 2.2622), (29, 2.0452), (1000, 1.9623)])
def test_students_quantiles_are_those_of_printed_tables(degrees, t):
    assert statistics.student_t([degrees])[0] == pytest.approx(t, abs=5e-5)


def test_identical_repetitions_count_as_one():
    row = summary([5.0] * 4, ["same"] * 4)
    assert (row["runs"], row["distinct_runs"], row["mean"], row["low"]) == (4, 1, 5, None)
    row = summary([5.0, 5.0, 7.0], ["a", "a", "b"])
    assert (row["runs"], row["distinct_runs"], row["mean"]) == (3, 2, 6)


def test_a_missing_value_is_no_zero():
    row = summary([1.0, None, 3.0])
    assert (row["runs"], row["distinct_runs"], row["mean"]) == (3, 2, 2)
    assert summary([None, None])["mean"] is None


@pytest.mark.parametrize(
    ("value", "low", "high", "scale", "text"),
    [
        (4_812_345.0, 4_712_345.0, 4_912_345.0, 1e-6, "4.81 ± 0.10"),
        (0.98765, None, None, 1, "0.9877"),
        (1.0, 1.0, 1.0, 1, "1 ± 0"),
        (None, None, None, 1, "–"),
        (123.0, 100.0, 146.0, 1, "123 ± 23"),
    ],
)
def test_a_mean_is_shown_to_its_intervals_precision(value, low, high, scale, text):
    assert aggregate.shown(value, low, high, scale) == text

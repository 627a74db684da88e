# SPDX-License-Identifier: MIT
"""The metrics of traffic, compared with NumPy's percentiles and the definitions."""

import math

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given

from tcpsweep.measure import traffic
from tcpsweep.measure.cell import Cell
from tcpsweep.words import metrics, size_classes, table_columns

END_S = 10.0


def measured(rows, kind="arrivals", from_s=0.0, **group):
    """The metrics of a group whose transfers have a start, perhaps a finish, bytes, and a least time."""
    columns = ("start_s", "finish_s", "bytes", "received_bytes", "alone_s")
    schema = {name: pl.Float64 if name.endswith("_s") else pl.Int64 for name in columns}
    frame = pl.DataFrame([dict(zip(columns, row, strict=True)) for row in rows], schema=schema)
    frame = frame.with_columns(traffic=pl.lit("x", table_columns.NAME), kind=pl.lit(kind, table_columns.TRAFFIC_KIND))
    record = {"name": "x", "kind": kind, "variant": "TcpCubic"} | group
    flows = pl.DataFrame(schema=table_columns.schema("flows"))
    cell = Cell(flows, {}, None, from_s, END_S, traffic=(record,), transfers=frame)
    ((variant, values),) = traffic.metrics(cell).values()
    assert variant == "TcpCubic"
    assert all(metrics.METRICS[name].scope == "traffic" for name in values)
    return values


TIMES = st.lists(
    st.tuples(st.floats(0, 9), st.one_of(st.none(), st.floats(0.001, 1)), st.integers(1, 3_000_000)), min_size=1
)


@given(TIMES)
def test_percentiles_are_numpys_with_infinity_for_what_did_not_finish(drawn):
    alone_s = 0.01
    found = measured(
        [
            (start, None if took is None else start + took, size, 0 if took is None else size, alone_s)
            for start, took, size in drawn
        ]
    )
    took_s = np.array([math.inf if took is None else (start + took) - start for start, took, _ in drawn])
    sizes = np.array([size for *_, size in drawn])
    assert found["transfers"] == len(drawn)
    assert found["finished_transfers"] == np.isfinite(took_s).sum()
    assert found["unfinished_share"] == pytest.approx(np.isinf(took_s).mean())
    for rank, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99)):
        assert found[f"fct_{rank}_s"] == np.quantile(took_s, share, method="inverted_cdf")
        assert found[f"slowdown_{rank}"] == np.quantile(took_s / alone_s, share, method="inverted_cdf")
        for name, (above, most) in size_classes.BYTES.items():
            chosen = (sizes > above) & (sizes <= (most or math.inf))
            assert found[f"transfers_{name}"] == chosen.sum()
            own = f"slowdown_{rank}_{name}"
            if chosen.any():
                assert found[own] == np.quantile(took_s[chosen] / alone_s, share, method="inverted_cdf")
            else:
                assert own not in found


def test_the_mean_slowdown_counts_what_did_not_finish_as_far_as_it_came():
    rows = [(0.0, 0.2, 100, 100, 0.1), (1.0, 1.4, 100, 100, 0.1), (4.0, None, 100, 50, 0.1), (9.99, None, 9, 0, 0.1)]
    assert measured(rows)["slowdown_mean"] == pytest.approx((2 + 4 + 60 + 1) / 4)


def test_the_ends_of_the_classes_of_sizes():
    sizes = [1, 10_000, 10_001, 100_000, 100_001, 1_000_000, 1_000_001, 10**9]
    found = measured([(0.0, 1.0, size, size, 1.0) for size in sizes])
    assert [found[f"transfers_{name}"] for name in size_classes.BYTES] == [2, 2, 2, 2]


def test_transfers_that_began_in_the_warm_up_do_not_count():
    rows = [(0.999, 1.5, 10, 10, 0.1), (1.0, 1.2, 10, 10, 0.1), (1.5, None, 10, 10, 0.1)]
    found = measured(rows, from_s=1.0)
    assert (found["transfers"], found["finished_transfers"]) == (2, 1)
    assert measured(rows)["transfers"] == 3


def test_without_transfers_nothing_but_their_number_is_known():
    assert measured([], "web") == {"transfers": 0, "finished_transfers": 0}
    none = {"transfers": 0, "finished_transfers": 0} | {f"transfers_{name}": 0 for name in size_classes.BYTES}
    assert measured([]) == none


@pytest.mark.parametrize(
    ("rows", "goodput"),
    [
        # One after the other: all bytes over all the time.
        ([(0.0, 1.0, 1000, 1000, None), (1.0, 3.0, 1000, 1000, None)], 2000 * 8 / 3),
        # Every 2 s: the time between rounds is nobody's.
        ([(0.0, 1.0, 1000, 1000, None), (2.0, 3.0, 1000, 1000, None)], 2000 * 8 / 2),
        # At the same time: it counts once.
        ([(0.0, 4.0, 1000, 1000, None), (2.0, 3.0, 1000, 1000, None), (3.0, 5.0, 1000, 1000, None)], 3000 * 8 / 5),
        # The last one does not finish by the end.
        ([(0.0, 1.0, 1000, 1000, None), (8.0, None, 1000, 500, None)], 1500 * 8 / 3),
    ],
)
def test_goodput_of_rounds_is_their_bytes_over_the_time_that_any_is_under_way(rows, goodput):
    assert measured(rows, "incast")["round_goodput_bps"] == pytest.approx(goodput)


@pytest.mark.parametrize(
    ("kind", "name"), [("incast", "round_time"), ("on-off", "burst_time"), ("web", "page_load_time")]
)
def test_each_kind_has_times_of_its_own_name(kind, name):
    found = measured([(0.0, 1.0, 10, 10, None), (1.0, 4.0, 10, 10, None), (1.0, None, 10, 10, None)], kind)
    assert {rank: found[f"{name}_{rank}_s"] for rank in ("p50", "p95", "p99")} == {
        "p50": 3.0,
        "p95": math.inf,
        "p99": math.inf,
    }
    assert not any(each.startswith("slowdown") for each in found)


def test_a_videos_metrics_are_means_over_its_players():
    player = {"startup_delay_s": 0.5, "stalls": 1, "stalled_s": 2.0, "stalled_share": 0.2, "switches": 3}
    other = player | {"startup_delay_s": 1.5, "stalls": 0, "stalled_s": 0.0, "stalled_share": 0.0, "switches": 0}
    players = [player | {"mean_bitrate_bps": 1e6}, other | {"mean_bitrate_bps": 3e6}]
    expected = {"startup_delay_mean_s": 1.0, "stalls": 0.5, "stalled_s": 1.0, "stalled_share": 0.1}
    expected |= {"bitrate_switches": 1.5, "mean_bitrate_bps": 2e6, "transfers": 0, "finished_transfers": 0}
    assert measured([], "video", players=players) == pytest.approx(expected)


def test_a_player_that_never_begins_waits_without_end():
    nothing = {"startup_delay_s": None, "stalls": 0, "stalled_s": 0.0, "stalled_share": None, "switches": 0}
    nothing |= {"mean_bitrate_bps": None}
    found = measured([], "video", players=[nothing])
    assert found["startup_delay_mean_s"] == math.inf
    own = {"stalled_share", "stalled_s", "stalls", "mean_bitrate_bps", "bitrate_switches"}
    assert not found.keys() & own
    stalling = {"startup_delay_s": 0.5, "stalls": 4, "stalled_s": 2.0, "stalled_share": 0.2, "switches": 3}
    stalling |= {"mean_bitrate_bps": 1e6}
    alone, beside = (measured([], "video", players=[stalling, *others]) for others in ([], [nothing]))
    assert {name: beside[name] for name in own} == {name: alone[name] for name in own}, "no better by who never began"


def test_a_calls_metrics_are_of_all_its_packets_together():
    flow = {"sent_packets": 100, "received_packets": 80, "late_packets": 8, "lost_packets": 18}
    flows = [
        flow | {"mean_delay_s": 0.1, "longest_delay_s": 0.3},
        dict.fromkeys(flow, 0) | {"sent_packets": 100, "lost_packets": 100, "mean_delay_s": None, "longest_delay_s": 0},
        flow | {"received_packets": 20, "mean_delay_s": 0.2, "longest_delay_s": 0.2, "lost_packets": 80},
    ]
    assert measured([], "realtime", flows=flows) == pytest.approx(
        {
            "lost_share": 198 / 300,
            "missed_share": (198 + 16) / 300,
            "late_share": 16 / 100,
            "realtime_delay_mean_s": (0.1 * 80 + 0.2 * 20) / 100,
            "realtime_delay_max_s": 0.3,
        }
    )


def test_flows_whose_time_alone_is_not_known_have_no_slowdown():
    found = measured([(0.0, 1.0, 10, 10, None), (0.0, 1.0, 10, 10, 0.5)])
    assert (found["slowdown_p99"], found["transfers_to_10kB"]) == (2.0, 2)

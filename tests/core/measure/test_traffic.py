# SPDX-License-Identifier: MIT
"""The metrics of traffic, compared with NumPy's percentiles and the definitions."""

import math
from fractions import Fraction
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
import yaml
from hypothesis import given

from tcpsweep.core.measure import traffic
from tcpsweep.core.measure.cell import Cell
from tcpsweep.core.words import metrics, size_classes, table_columns

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
    rows = [
        (start, None if took is None else start + took, size, 0 if took is None else size, alone_s)
        for start, took, size in drawn
    ]
    found = measured(rows)
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


def test_the_ends_of_the_classes_of_sizes():
    sizes = [1, 10_000, 10_001, 100_000, 100_001, 1_000_000, 1_000_001, 10**9]
    found = measured([(0.0, 1.0, size, size, 1.0) for size in sizes])
    assert [found[f"transfers_{name}"] for name in size_classes.BYTES] == [2, 2, 2, 2]


BY_HAND = yaml.safe_load(Path(__file__).with_name("traffic_by_hand.yaml").read_text())


@pytest.mark.parametrize("claim", BY_HAND)
def test_metrics_of_traffic_computed_by_hand(claim):
    given = BY_HAND[claim]
    found = measured(given.get("rows", ()), given["kind"], given.get("from_s", 0.0), **given.get("group", {}))
    expected = {name: float(Fraction(str(number))) for name, number in given["found"].items()}
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-12)
    assert "but these" not in given or found.keys() - expected.keys() == set(given["but these"])


def test_without_transfers_nothing_but_their_number_is_known():
    assert measured([], "web") == {"transfers": 0, "finished_transfers": 0}
    none = {"transfers": 0, "finished_transfers": 0} | {f"transfers_{name}": 0 for name in size_classes.BYTES}
    assert measured([]) == none


@pytest.mark.parametrize(
    ("kind", "name"), [("incast", "round_time"), ("on-off", "burst_time"), ("web", "page_load_time")]
)
def test_each_kind_has_times_of_its_own_name(kind, name):
    found = measured([(0.0, 1.0, 10, 10, None), (1.0, 4.0, 10, 10, None), (1.0, None, 10, 10, None)], kind)
    assert [found[f"{name}_{rank}_s"] for rank in ("p50", "p95", "p99")] == [3.0, math.inf, math.inf]
    assert not any(each.startswith("slowdown") for each in found)


def test_a_player_that_never_begins_waits_without_end():
    names = ("startup_delay_s", "stalls", "stalled_s", "stalled_share", "switches", "mean_bitrate_bps")
    nothing = dict(zip(names, (None, 0, 0.0, None, 0, None), strict=True))
    found = measured([], "video", players=[nothing])
    assert found["startup_delay_mean_s"] == math.inf
    own = {"stalled_share", "stalled_s", "stalls", "mean_bitrate_bps", "bitrate_switches"}
    assert not found.keys() & own
    stalling = dict(zip(names, (0.5, 4, 2.0, 0.2, 3, 1e6), strict=True))
    alone, beside = (measured([], "video", players=[stalling, *others]) for others in ([], [nothing]))
    assert {name: beside[name] for name in own} == {name: alone[name] for name in own}, "no better by who never began"

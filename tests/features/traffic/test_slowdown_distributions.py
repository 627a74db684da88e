# SPDX-License-Identifier: MIT
"""The complementary distribution of slowdowns, compared with counts."""

import types

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from tcpsweep.core.store import digests
from tcpsweep.core.sweep.span import Span
from tcpsweep.core.sweep.sweep_record import Run
from tcpsweep.features.traffic import slowdown_distributions


@settings(max_examples=40)
@given(st.lists(st.one_of(st.floats(1, 1e4), st.just(float("inf"))), min_size=1, max_size=500))
def test_each_share_is_that_of_the_flows_with_more_or_as_much(values):
    slowdowns = np.array(values)
    found, shares = slowdown_distributions.curve(slowdowns)
    assert len(found) <= slowdown_distributions.POINTS
    assert found == sorted(found)
    assert shares == sorted(shares, reverse=True)
    for value, share in zip(found, shares, strict=True):
        # Values and shares are rounded to four digits.
        assert share <= np.mean(slowdowns >= value * (1 - 1e-3)) * (1 + 1e-3)
        assert share >= np.mean(slowdowns > value * (1 + 1e-3)) * (1 - 1e-3)


def test_a_curve_ends_at_the_slowest_that_finished_with_the_share_of_those_that_did_not_above_it():
    values, shares = slowdown_distributions.curve(np.array([*np.arange(1.0, 101.0), *[np.inf] * 37]))
    assert (values[-1], shares[-1]) == (100, pytest.approx(38 / 137, rel=1e-3))
    values, shares = slowdown_distributions.curve(np.arange(1.0, 10_001.0))
    assert (values[-1], shares[-1]) == (10_000, pytest.approx(1e-4))
    assert (values[0], shares[0]) == (1, 1)
    assert slowdown_distributions.curve(np.array([np.inf] * 3)) == ([], [])


@pytest.mark.parametrize("from_s", [2.0, None], ids=["given", "found"])
def test_the_flows_that_count_are_those_of_the_metrics(from_s, tmp_path):
    metrics = tmp_path / "metrics"
    metrics.mkdir()
    starts = [3.5, 0.5, 1.5, 2.5]  # rows come as flows end
    flows = {"traffic": ["short"] * 4, "kind": ["arrivals"] * 4, "start_s": starts}
    slow = {"alone_s": [0.1] * 3 + [None], "slowdown": [2.0, 30.0, 40.0, None]}
    pl.DataFrame(flows | slow).write_parquet(tmp_path / "transfers.parquet")
    told = {"traffic": ["short", None], "metric": ["transfers", "jain"], "value": [2.0, 1.0]}
    pl.DataFrame(told).write_parquet(metrics / "measures.parquet")
    for folder in (tmp_path, metrics):
        digests.write(folder)
    sweep = types.SimpleNamespace(
        spans=[Span(from_s, 4.0)], parquet=lambda cell: tmp_path, measured=lambda run: metrics
    )
    assert slowdown_distributions.curves(sweep, [Run("cell", 0, 1)]) == {"short": ([2.0], [1.0])}

# SPDX-License-Identifier: MIT
"""Means and quantiles over time, compared with closed formulas for step functions, and the durations of values."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tcpsweep
from tcpsweep.core.measure import lives

# 1 for 1 s, 3 for 2 s, 2 for 1 s: F(1) = 1/4, F(2) = 1/2, F(3) = 1, and the integral is 1 + 6 + 2.
STEPS = pl.DataFrame({"value": [1.0, 3.0, 2.0], "held_s": [1.0, 2.0, 1.0]})


def test_the_rows_order_does_not_matter_and_each_group_is_weighted_by_itself():
    both = pl.concat([STEPS.reverse().with_columns(of=pl.lit("a")), STEPS.with_columns(of=pl.lit("b"))])
    both = both.with_columns(value=pl.when(pl.col("of") == "b").then(10 * pl.col("value")).otherwise("value"))
    median = tcpsweep.weighted_quantile(pl.col("value"), 0.5, "held_s")
    found = both.lazy().group_by("of").agg(mean=tcpsweep.weighted_mean("value"), median=median).sort("of")
    assert found.collect().rows() == [("a", 2.25, 2.0), ("b", 22.5, 20.0)]


def test_values_that_are_null_have_no_weight_and_none_at_all_no_mean():
    holed = pl.concat([STEPS, pl.DataFrame({"value": [None], "held_s": [99.0]}, schema=STEPS.schema)])
    of_each = {"mean": tcpsweep.weighted_mean("value"), "most": tcpsweep.weighted_quantile("value", 1)}
    assert holed.select(**of_each).row(0) == (2.25, 3.0)
    assert STEPS.clear().select(**of_each).row(0) == (None, None)


@pytest.mark.parametrize("share", [-0.1, 1.1, 99])
def test_a_share_is_from_0_to_1(share):
    with pytest.raises(ValueError, match=f"a share from 0 to 1, such as 0.99, got {share}"):
        tcpsweep.weighted_quantile("value", share)


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(1, 20)), min_size=1), st.integers(0, 100))
def test_whole_weights_are_as_many_equal_values(steps, percent):
    frame = pl.DataFrame(steps, schema={"value": pl.Float64, "held_s": pl.Float64}, orient="row")
    repeated = sorted(value for value, times in steps for _ in range(times))
    found = frame.select(tcpsweep.weighted_quantile("value", percent / 100), mean=tcpsweep.weighted_mean("value"))
    # The least value whose rank reaches percent · n / 100, in whole numbers.
    rank = max(1, -(-percent * len(repeated) // 100))
    assert found["value"].item() == repeated[rank - 1]
    assert found["mean"].item() == pytest.approx(sum(repeated) / len(repeated), abs=1e-9)


def test_a_value_lasts_until_the_next_one_or_the_end_of_its_flow():
    rows = pl.DataFrame(
        [("a", 0, 0.0, 1.0), ("a", 1, 0.5, 7.0), ("a", 0, 2.0, 2.0), ("a", 0, 3.0, 3.0), ("b", 0, 1.0, 4.0)],
        schema=["cell", "flow", "time_s", "value"],
        orient="row",
    )
    known = pl.DataFrame(
        [("a", 0, 1.0, 5.0), ("a", 1, 1.0, 5.0), ("b", 0, 0.0, 2.5)],
        schema=["cell", "flow", "from_s", "to_s"],
        orient="row",
    )
    found = lives.held(rows, known, ["cell", "flow"]).select("cell", "flow", "value", "since_s", "held_s")
    assert found.rows() == [
        ("a", 0, 1.0, 1.0, 1.0),
        ("a", 1, 7.0, 1.0, 4.0),
        ("a", 0, 2.0, 2.0, 1.0),
        ("a", 0, 3.0, 3.0, 2.0),
        ("b", 0, 4.0, 1.0, 1.5),
    ]
    lazily = lives.held(rows.lazy(), known.lazy(), ["cell", "flow"]).collect()
    assert lazily.select(found.columns).equals(found)

# SPDX-License-Identifier: MIT
"""The complementary distribution of slowdowns, against counting."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from tcpsweep.figures import slowdown_distributions


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


def test_a_curve_ends_above_the_share_of_flows_that_did_not_finish():
    values, shares = slowdown_distributions.curve(np.array([1.0] * 80 + [np.inf] * 20))
    assert set(values) == {1.0}
    assert min(shares) > 0.2


def test_all_unfinished_is_no_curve():
    assert slowdown_distributions.curve(np.array([np.inf] * 3)) == ([], [])


def test_the_last_point_is_the_slowest_flow():
    values, shares = slowdown_distributions.curve(np.arange(1.0, 10_001.0))
    assert (values[-1], shares[-1]) == (10_000, pytest.approx(1e-4))
    assert (values[0], shares[0]) == (1, 1)

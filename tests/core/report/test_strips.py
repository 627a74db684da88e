# SPDX-License-Identifier: MIT
"""The axes and marks of strips, small drawings in tables."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcpsweep.core.report import strips


def test_the_axis_of_ratios_is_even_in_factors_around_one():
    axis = strips.of_ratios([0.8, 1.5], least=1.1, most=10)
    assert axis.at == 50
    assert axis.x(1.2) + axis.x(1 / 1.2) == pytest.approx(100, abs=0.02)
    assert axis.high > 1.5


def test_what_is_beyond_the_axis_is_cut_and_said_so():
    axis = strips.of_ratios([50, 1.1], least=1.1, most=10)
    row = strips.strip(axis, 50, 1.1, (-3, 2))
    assert axis.high == 10
    assert row.dot == 100
    assert row.whisker == (0, axis.x(2))
    assert row.cut == ("low", "high")
    assert strips.strip(axis, 1.0).cut == ()


@given(st.lists(st.floats(-1e9, 1e9).filter(lambda value: value == 0 or abs(value) > 1e-9), max_size=5))
def test_an_axis_of_differences_holds_zero_all_values_and_some_ticks_in_order(values):
    axis = strips.of_differences(values)
    assert axis.low < 0 < axis.high or axis.low < 0 <= axis.high or axis.low <= 0 < axis.high
    assert all(0 <= axis.x(value) <= 100 and axis.low <= value <= axis.high for value in values)
    places = [place for place, _ in axis.ticks]
    assert 2 <= len(places) <= 8
    assert places == sorted(places)
    assert not any(math.isnan(place) for place in places)


@given(st.floats(1.1, 12))
def test_ticks_of_ratios_are_even_around_one_and_keep_apart(factor):
    ticks = strips.of_ratios([factor], 1.1, 10).ticks
    ratios = [float(text) for _, text in ticks]
    assert len(ticks) >= 3
    assert strips.are_apart(ticks)
    assert all(low * high == pytest.approx(1, abs=0.02) for low, high in zip(ratios, ratios[::-1], strict=True))


@given(st.floats(-1e6, 1e6).filter(lambda value: abs(value) > 1e-4), st.floats(-1e6, 1e6))
def test_texts_of_differences_keep_apart_on_a_telephone(one, other):
    assert strips.are_apart(strips.of_differences([one, other]).ticks)


def test_of_other_ticks_so_many_stay_as_have_room():
    tens = [(place, "10") for place in range(10, 91, 10)]  # 17.6 pixels from each other; a text takes 14, and a gap
    assert strips.thinned(tens) == tens[::2]
    assert strips.thinned(tens[::2]) == tens[::2]

# SPDX-License-Identifier: MIT
"""The crossover of a difference, from the tested values, and the values to test next."""

import pytest

from tcpsweep.core.statistics import turning_points
from tcpsweep.core.statistics.turning_points import Looked
from tcpsweep.core.sweep.axis_range import AxisRange

RATE = AxisRange("bandwidth", 1e6, 1e8, "bit/s")
LOSS = AxisRange("loss", 0.0, 0.02)


def looked(difference, values, blur=0.0):
    """What values show of a difference whose sign is undecided where it is no larger than ``blur``."""
    found = [(value, difference(value)) for value in sorted(values)]
    return [Looked(value, d, 0 if abs(d) <= blur else 1 if d > 0 else -1) for value, d in found]


def refined(difference, axis, to, blur=0.0):
    values = set(axis.steps(5))
    while more := turning_points.following(looked(difference, values, blur), axis, to):
        assert not values.intersection(more)
        values.update(more)
    return turning_points.turns(looked(difference, values, blur), axis, to), values


def test_a_bracket_is_halved_by_factors_until_it_is_as_narrow_as_asked():
    (turn,), values = refined(lambda rate: 7e6 - rate, RATE, 0.05)
    assert turn.low < 7e6 < turn.high <= 1.05 * turn.low
    assert (turn.before, turn.after, turn.is_narrow) == (1, -1, True)
    assert turn.estimate == pytest.approx(7e6, rel=1e-3)
    # From a bracket of half a decade: halved five times, the ratio is 10^(1/64) < 1.05.
    assert len(values) == 5 + 5


def test_undecided_values_between_leave_a_band_whose_two_edges_are_found():
    (turn,), values = refined(lambda rate: rate - 1e7, RATE, 0.05, blur=4e6)
    assert 6e6 / 1.05 <= turn.low < 6e6
    assert 14e6 < turn.high <= 14e6 * 1.05
    assert turn.is_narrow
    assert turn.estimate == pytest.approx(1e7, rel=0.1)
    assert any(6e6 <= value <= 14e6 for value in values)


def test_where_means_cross_0_several_times_the_turn_is_where_the_fewest_contradict_it():
    signs = [(1e6, -9, -1), (2e6, 1, 0), (3e6, -4, 0), (4e6, -3, 0), (8e6, 3, 0), (9e6, 9, 1)]
    (turn,) = turning_points.turns([Looked(at, d, sign, 5) for at, d, sign in signs], RATE, 0.05)
    assert turn.estimate == pytest.approx((4e6 * 8e6) ** 0.5)


def test_each_of_several_turns_is_found():
    turns, _ = refined(lambda rate: (rate - 2e6) * (rate - 3e7) / 1e6, RATE, 0.1)
    assert [(turn.before, turn.after) for turn in turns] == [(1, -1), (-1, 1)]
    assert [turn.low < at < turn.high for turn, at in zip(turns, (2e6, 3e7), strict=True)] == [True, True]


def test_without_a_change_of_sign_nothing_more_is_looked_at():
    for blur in (0, 2e6):  # with the latter, an end is undecided
        assert refined(lambda rate: rate, RATE, 0.05, blur) == ([], set(RATE.steps(5)))


def test_a_range_from_0_is_looked_at_by_factors():
    loss = AxisRange("loss", 0, 0.1)
    assert loss.steps(5) == [0, *(float(f"{0.1 * 100 ** (place / 3 - 1):.4g}") for place in range(4))]
    assert AxisRange("flows", 0, 8, is_whole=True).steps(5) == [0, 2, 4, 6, 8]
    # A crossover at 1 % of the range takes a few values, because the first ones are near it.
    (turn,), values = refined(lambda at: 0.0013 - at, loss, 0.05)
    assert turn.low <= 0.0013 <= turn.high <= turn.low * 1.05
    assert len(values) <= 11


@pytest.mark.parametrize("at", [0.0031, 0.013, 1.3e-4, 2e-5])
def test_on_an_axis_from_0_a_turn_in_the_first_interval_is_found_as_nearly_as_others(at):
    (turn,), values = refined(lambda loss: at - loss, LOSS, 0.05)
    assert turn.low < at < turn.high <= 1.05 * turn.low
    assert turn.estimate == pytest.approx(at, rel=0.01)
    assert len(values) <= 5 + 13


def test_a_turn_next_to_0_has_an_upper_end():
    (turn,), _ = refined(lambda loss: 1e-6 - loss, LOSS, 0.05)
    assert (turn.low, turn.is_narrow) == (0, True)
    assert 0 < turn.high <= 0.05 * 0.0002


def test_whole_numbers_end_where_there_is_none_between_them():
    for least, to in ((0, 0.05), (1, 0.001)):
        (turn,), _ = refined(lambda flows: 6.5 - flows, AxisRange("flows", least, 40, is_whole=True), to)
        assert (turn.low, turn.is_narrow) == (6, True)
    assert turn.high == 7


WRITTEN = (
    (RATE, 3162277.66, "3.162Mbps"),
    (RATE, 1e8, "100Mbps"),
    (AxisRange("delay", 0.001, 0.2, "s"), 0.0141421356, "14.14ms"),
    (AxisRange("delay", 0.0, 0.2, "s"), 0.0, "0s"),
    (AxisRange("queue", 0.2, 8.0, "BDP"), 1.26491, "1.265bdp"),
    (AxisRange("queue", 3.0, 800.0, "packets"), 48.98979, "49p"),
    (LOSS, 0.0, 0),
    (LOSS, 0.00123456, 0.001235),
    (AxisRange("ns3::RedQueueDisc::MinTh", 1.0, 50.0, "", True, True), 7.07, "7"),
)


def test_values_are_rounded_to_what_a_person_would_write_and_read_back_as_they_are():
    for axis, number, value in WRITTEN:
        assert axis.value(number) == axis.value(axis.number(value)) == value

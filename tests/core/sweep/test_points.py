# SPDX-License-Identifier: MIT
"""Values of open axes, which are chosen from round to round, in addition to the grid of the other axes."""

import pytest

from tcpsweep.core.sweep import rounds
from tcpsweep.core.sweep.axis_range import AxisRange
from tcpsweep.core.sweepfile.asked import in_rounds
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile

DATA = {"sweep": "s", "scenario": "dumbbell", "grid": {"variant": ["TcpCubic", "TcpBbr"], "delay": ["5ms", "50ms"]}}
BANDWIDTH = AxisRange("bandwidth", 1e5, 1e8, "bit/s")


def test_a_point_goes_with_the_combinations_that_have_its_other_values():
    chosen = [{"bandwidth": "1Mbps"}, {"bandwidth": "2Mbps", "delay": "5ms"}, {"bandwidth": "3Mbps", "loss": [0, 1]}]
    of = rounds.points_agreeing(chosen, ["bandwidth"])
    assert of({"delay": "5ms", "loss": 0}) == [{"bandwidth": "1Mbps"}, {"bandwidth": "2Mbps"}]
    assert of({"delay": "50ms", "loss": [0, 1]}) == [{"bandwidth": "1Mbps"}, {"bandwidth": "3Mbps"}]


def test_each_network_of_the_grid_gets_its_own_points(monkeypatch):
    monkeypatch.setattr(in_rounds, "asked_rounds", lambda data: rounds.AskedRounds(open_axes={"bandwidth": BANDWIDTH}))
    own = [{"bandwidth": "10Mbps", "delay": "5ms"}, {"bandwidth": "800kbps", "delay": "5ms"}]
    sweep, problems = grid.expand(SweepFile(DATA), known=[*own, {"bandwidth": "2Mbps", "delay": "50ms"}])
    assert problems == []
    found = {(row["variant"], row["delay"], row["bandwidth"]) for row in sweep.combinations}
    networks = {("5ms", "10Mbps"), ("5ms", "800kbps"), ("50ms", "2Mbps")}
    assert found == {(variant, *network) for variant in DATA["grid"]["variant"] for network in networks}
    assert sweep.axes["bandwidth"] == ["800kbps", "2Mbps", "10Mbps"]
    assert sweep.open_axes == {"bandwidth": BANDWIDTH}


def test_a_round_with_new_points_is_not_decided_before_they_are_looked_at(tmp_path):
    rounds.write_rounds(
        tmp_path, "this", {"a": 3, "b": 3}, {"a": 3, "b": 3}, [{"bandwidth": "1Mbps"}, {"bandwidth": "2Mbps"}]
    )
    known = rounds.read_rounds(tmp_path, "this")
    assert known.points == [{"bandwidth": "1Mbps"}, {"bandwidth": "2Mbps"}]
    assert known.is_decided(["a", "b"])
    assert not known.is_decided(["a", "b", "of the second point"])
    assert rounds.read_rounds(tmp_path, "another wish") == rounds.Rounds("another wish")


RANGES = {"bandwidth": AxisRange("bandwidth", 1e6, 5e6, "bit/s")}
POINTS = [{"bandwidth": "1Mbps", "delay": None}, {"bandwidth": "2Mbps", "delay": None}]


@pytest.mark.parametrize(("old", "new"), [(":21", ":11"), ('"2Mbps"', '"3Mbps"'), ('"2Mbps"', "null"), ("}", "")])
def test_an_edited_state_counts_as_none(tmp_path, old, new):
    rounds.write_rounds(tmp_path, "this", {"a": 21}, {"a": 10}, POINTS)
    assert rounds.read_rounds(tmp_path, "this", RANGES).runs == {"a": 21}
    file = tmp_path / rounds.FILE
    file.write_text(file.read_text().replace(old, new))
    assert rounds.read_rounds(tmp_path, "this", RANGES) == rounds.Rounds("this")


@pytest.mark.parametrize("text", ["null", "[]", "1", "", '{"asked": "this"}', '{"asked": "this", "points": [null]}'])
def test_a_state_that_is_none_counts_as_none(tmp_path, text):
    (tmp_path / rounds.FILE).write_text(text)
    assert rounds.read_rounds(tmp_path, "this", RANGES) == rounds.Rounds("this")


@pytest.mark.parametrize("value", ["9Mbps", "1ms", None, [], {}, True, "x"])
def test_a_point_outside_the_range_counts_as_none_whatever_its_digest(tmp_path, value):
    rounds.write_rounds(tmp_path, "this", {"a": 21}, {"a": 10}, [*POINTS, {"bandwidth": value}])
    assert rounds.read_rounds(tmp_path, "this").runs == {"a": 21}
    assert rounds.read_rounds(tmp_path, "this", RANGES) == rounds.Rounds("this")

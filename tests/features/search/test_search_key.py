# SPDX-License-Identifier: MIT
"""A sweep file's `search`."""

from pathlib import Path

import pytest

from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.sweep import axis_range
from tcpsweep.core.sweep.axis_range import AxisRange
from tcpsweep.core.sweep.contrast import Contrast
from tcpsweep.core.sweepfile.combinations import grid
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile
from tcpsweep.core.words import units
from tcpsweep.features.search import search_record

OVER = {"bandwidth": "1Mbps to 50Mbps", "delay": "5ms to 200ms", "queue": "0.2bdp to 8bdp", "loss": "0 to 0.02"}
SEARCH = {"worst": "goodput_bps of bbr - TcpCubic", "over": OVER, "cells": 200}
DATA = {"sweep": "s", "scenario": "dumbbell", "grid": {"variant": ["TcpCubic", "TcpBbr"]}, "search": SEARCH}


def problems(data):
    """Where and what, for all that is wrong with a file."""
    _, found = checked_sweep.expanded(yaml_document.Document("s.yaml", data, {}, {}))
    return [(yaml_document.path_text(each.path), each.message + each.nearest) for each in found]


def test_half_of_the_cells_look_all_over_the_ranges():
    assert problems(DATA) == []
    sweep, _ = grid.expand(SweepFile(DATA))
    search = search_record.of(sweep)
    assert search.contrast == Contrast("goodput_bps", "TcpBbr", "TcpCubic")
    assert search.over["bandwidth"] == AxisRange("bandwidth", 1e6, 5e7, "bit/s")
    assert (search.rows, search.looks, search.repetitions) == (2, 50, 10)
    assert len(sweep.points) == 50
    assert sweep.counts == [1] * 100
    assert list(sweep.open_axes) == list(OVER)
    # Each quarter of each range has a quarter of the points; a Halton sequence strays from that by few.
    for name, each in list(search.over.items())[:3]:
        places = [axis_range.place_on_scale(each, point[name]) for point in sweep.points]
        quarters = [sum(place >= part / 4 for place in places) for part in range(4)]
        assert quarters == pytest.approx([50, 37.5, 25, 12.5], abs=3)
    assert grid.expand(SweepFile(DATA))[0].points == sweep.points
    assert grid.expand(SweepFile(DATA | {"seed": 2}))[0].points != sweep.points


@pytest.mark.parametrize(
    ("metric", "goal", "sign"),
    [("jain", "worst", -1), ("goodput_bps", "best", 1), ("queueing_delay_mean_s", "worst", 1)],
)
def test_worse_is_less_or_more_as_the_metric_has_it(metric, goal, sign):
    sweep, found = grid.expand(SweepFile(DATA | {"search": {goal: f"{metric} of TcpBbr", "over": OVER, "cells": 200}}))
    assert found == []
    assert search_record.of(sweep).sign == sign


@pytest.mark.parametrize(
    ("low", "high", "quantity", "is_whole", "values"),
    [
        (1e6, 5e7, "bit/s", False, ["1Mbps", "7.1Mbps", "50Mbps"]),
        (0, 0.02, "", False, [0, 0.0011, 0.02]),
        (0.5, 2, "BDP", False, ["0.5bdp", "1.2bdp", "2bdp"]),
        (1, 16, "", True, [1, 4, 16]),
        (0, 4, "", True, [0, 2, 4]),
    ],
)
def test_a_range_has_a_sensible_scale_and_values_of_two_digits(low, high, quantity, is_whole, values):
    each = AxisRange("axis", low, high, quantity, is_whole)
    assert [axis_range.value_at(each, place) for place in (0, 0.5, 1)] == values
    for step in range(101):
        value = axis_range.value_at(each, step / 100)
        assert low <= each.number(value) <= high
        assert axis_range.value_at(each, axis_range.place_on_scale(each, value)) == value


def test_a_network_that_does_not_go_with_the_rest_is_passed_over():
    # Either end goes with the middle of the other range, and a long warm-up not with a short duration.
    over = {"duration": "20s to 60s", "warmup": "5s to 33s"}
    document = yaml_document.Document("s.yaml", DATA | {"search": SEARCH | {"over": over}}, {}, {})
    sweep, found = checked_sweep.expanded(document)
    assert found == []
    whole, wrong = grid.expand(SweepFile(document.data))
    assert wrong
    assert 0 < len(sweep.points) < len(whole.points)
    seconds = [[units.si(point[name], "time") for name in ("warmup", "duration")] for point in sweep.points]
    assert all(warmup < duration for warmup, duration in seconds)


@pytest.mark.parametrize("tcp", [{"tcp": "ns-3"}, {"corrections": ["prr"], "fixed": {"preset": "none"}}])
def test_the_found_file_has_the_tcp_of_the_search(tcp):
    sweep, problems = grid.expand(SweepFile(DATA | tcp))
    assert problems == [] and tcp.items() <= search_record.of(sweep).file.items()


def test_the_found_file_keeps_the_way_to_other_files(tmp_path):
    given = DATA | {"ns3": {"prefix": "../ns-3.40/build"}, "fixed": {"flows": 2}}
    sweep, _ = grid.expand(SweepFile(given, tmp_path))
    assert Path(search_record.of(sweep).file["ns3"]["prefix"]) == tmp_path / "../ns-3.40/build"
    assert search_record.of(sweep).file["fixed"] == {"flows": 2}
    assert "search" not in search_record.of(sweep).file

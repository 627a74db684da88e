# SPDX-License-Identifier: MIT
"""A sweep's record stores shared parts of combinations once, and restores every combination in order."""

import json

import pytest

from tcpsweep.core.sweep import shared_parts, sweep_record
from tcpsweep.core.sweep.span import Span
from tcpsweep.core.sweep.sweep_record import Run
from tests.support import synthetic

PLAIN = {"variant": "TcpCubic", "loss": 0, "start": ["0s", "1s"], "ecn": False}
COMBINATIONS = [
    PLAIN,
    PLAIN | {"variant": "TcpVegas", "loss": 0.0},
    {"ns3::TcpVegas::Alpha": 2} | PLAIN,
    {"ns3::TcpVegas::Alpha": 4} | PLAIN | {"ecn": 0},
]


def test_a_record_comes_back_as_it_was_written(tmp_path):
    spans = [Span(1.0, 2.0), Span(None, 2.0)]
    cells = [Run("a-r1-5", 0, 1), Run("a-r12-6", 0, 12), Run("b-r1-7", 1, 1), Run("", 3, 2)]
    record = synthetic.record(
        combinations=COMBINATIONS,
        measures=["m", "n", "m", "m"],
        spans=[spans[number] for number in (0, 1, 0, 0)],
        cells=cells,
    )
    (tmp_path / "sweep.json").write_text(sweep_record.record_text(record))
    found = sweep_record.read(tmp_path)
    assert found == record
    assert json.dumps([dict(row) for row in found.combinations]) == json.dumps(COMBINATIONS)  # types and order too


def test_shared_parts_of_combinations_are_stored_once():
    rows = [PLAIN | {"loss": number / 1000} for number in range(1000)]
    packed = shared_parts.packed_combinations(rows)
    assert packed.values[7] == [0.007]
    assert packed.layouts[0].shared == {"variant": "TcpCubic", "ecn": False, "start": ["0s", "1s"]}


@pytest.mark.parametrize("broken", [{"of": [0, 9]}, {"values": [[1], []]}, {"of": [0]}])
def test_a_damaged_record_is_told(tmp_path, broken):
    record = json.loads(sweep_record.record_text(synthetic.record(combinations=COMBINATIONS[:2])))
    record["combinations"] |= broken
    (tmp_path / "sweep.json").write_text(json.dumps(record))
    with pytest.raises(sweep_record.Unreadable, match="is damaged"):
        sweep_record.read(tmp_path)

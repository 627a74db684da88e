# SPDX-License-Identifier: MIT
"""The attributes in force, collected from cells' records into a file next to the tables, and read again."""

import pytest

from tcpsweep.core.store import digests
from tcpsweep.core.sweep import attributes_in_force, sweep_tables
from tcpsweep.core.sweep.attributes_in_force import Alike

TEN, FOUR = b'{"ns3::TcpSocket::InitialCwnd": "10"}', b'{"ns3::TcpSocket::InitialCwnd": "4"}'


def written(folder):
    found = attributes_in_force.InForce()
    for text, combination in [(TEN, 0), (TEN, 0), (FOUR, 1), (TEN, 2)]:
        found.add(text, combination)
    found.write(folder)
    digests.write(folder)
    return folder / sweep_tables.ATTRIBUTES


def test_equal_attributes_are_stored_once_with_their_runs(tmp_path):
    folder = tmp_path / "results" / "sweeps" / "s"
    folder.mkdir(parents=True)
    assert attributes_in_force.read(folder) == []
    written(folder)
    assert attributes_in_force.read(folder) == [
        Alike({"ns3::TcpSocket::InitialCwnd": "10"}, {0: 2, 2: 1}),
        Alike({"ns3::TcpSocket::InitialCwnd": "4"}, {1: 1}),
    ]


def test_a_changed_file_is_reported(tmp_path):
    folder = tmp_path / "results" / "sweeps" / "s"
    folder.mkdir(parents=True)
    path = written(folder)
    path.write_bytes(path.read_bytes().replace(b"10", b"11"))
    with pytest.raises(digests.Differs, match=r"attributes\.json: differs from its checksum"):
        attributes_in_force.read(folder)


@pytest.mark.parametrize(
    ("record", "found"),
    [(b'{"seed": 1, "settings": {"a": "1"}}', b'{"a": "1"}'), (b'{"seed": 1}', b"{}")],
)
def test_a_cells_attributes_are_those_of_its_record(record, found):
    assert attributes_in_force.recorded(record) == found

# SPDX-License-Identifier: MIT
"""The small programs of kernels in virtual time are compiled again if any of them is missing or damaged."""

import os

import pytest

from tcpsweep.core.store import compiled_programs
from tcpsweep.features.linux import guest_programs
from tests.support.damage import turn_a_bit


@pytest.mark.parametrize("damage", [lambda path: path.unlink(), lambda path: path.write_bytes(b""), turn_a_bit])
def test_programs_that_are_missing_or_damaged_are_compiled_again(tmp_path, monkeypatch, damage):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    folder = guest_programs.folder()
    programs = [folder / guest_programs.INIT, folder / guest_programs.RANDOM]
    right = [path.read_bytes() for path in programs]
    for path in programs:
        damage(path)
        assert guest_programs.folder() == folder
        assert [path.read_bytes() for path in programs] == right
    folders = [path for path in folder.parent.iterdir() if path.is_dir()]
    assert folders == [folder]


def test_programs_are_on_the_disk_before_their_folder_has_its_name(tmp_path, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    synced = []
    monkeypatch.setattr(compiled_programs.whole_files, "sync", lambda path: synced.append(path.name))
    folder = guest_programs.folder()
    names = [guest_programs.INIT, guest_programs.RANDOM, compiled_programs.RECORD]
    assert synced == [*names, f".{folder.name}.{os.getpid()}"]

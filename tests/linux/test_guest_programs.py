# SPDX-License-Identifier: MIT
"""The small programs of kernels in virtual time are compiled again if any of them is missing or empty."""

import os

import pytest

from tcpsweep.linux import guest_programs


@pytest.mark.parametrize("damage", [lambda path: path.unlink(), lambda path: path.write_bytes(b"")])
def test_programs_that_are_missing_or_empty_are_compiled_again(tmp_path, monkeypatch, damage):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    folder = guest_programs.folder()
    programs = [folder / guest_programs.INIT, folder / guest_programs.RANDOM]
    sizes = [path.stat().st_size for path in programs]
    for path in programs:
        damage(path)
        assert guest_programs.folder() == folder
        assert [path.stat().st_size for path in programs] == sizes
    folders = [path for path in folder.parent.iterdir() if path.is_dir()]
    assert folders == [folder]


def test_programs_are_on_the_disk_before_their_folder_has_its_name(tmp_path, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    synced = []
    monkeypatch.setattr(guest_programs.whole_files, "sync", lambda path: synced.append(path.name))
    folder = guest_programs.folder()
    assert synced == [guest_programs.INIT, guest_programs.RANDOM, f".{folder.name}.{os.getpid()}"]

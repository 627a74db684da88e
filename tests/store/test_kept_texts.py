# SPDX-License-Identifier: MIT
"""Cached texts are returned unchanged or not at all; the umask sets the permissions of written files."""

import os

import pytest

from tcpsweep.store import kept_texts, whole_files


def test_a_text_comes_back_as_it_was_or_not_at_all(tmp_path):
    place = tmp_path / "x.kept"
    assert kept_texts.read(place) is None
    kept_texts.write(place, "a\r\nü\n")
    assert kept_texts.read(place) == "a\r\nü\n"
    right = place.read_bytes()
    for content in (b"", b"\n", right[:-1], right + b"b", right.partition(b"\n")[2], right.replace(b"a\r", b"b\r")):
        place.write_bytes(content)
        assert kept_texts.read(place) is None


@pytest.mark.parametrize("umask", [0o022, 0o002, 0o077])
def test_the_umask_says_who_may_read_and_write_a_file_and_a_folder(tmp_path, umask):
    before = os.umask(umask)
    try:
        whole_files.write_whole(tmp_path / "below" / "file", "text")
        with whole_files.written_whole(tmp_path / "other") as place:
            place.write_text("text")
        with whole_files.made_whole(tmp_path / "folder"):
            pass
    finally:
        os.umask(before)
    for name in ("below/file", "other"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o666 & ~umask
    for name in ("below", "folder"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o777 & ~umask
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["below", "file", "folder", "other"]

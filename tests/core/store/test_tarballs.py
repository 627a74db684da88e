# SPDX-License-Identifier: MIT
"""Tarballs of unknown origin: nothing is written outside their folder, and damage is reported."""

import bz2
import contextlib
import gzip
import io
import lzma
import os
import random
import tarfile
from pathlib import Path

import pytest
import yaml

from tcpsweep.core.store import tarballs

SYMBOLIC, HARD, PIPE = tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE
LINKS = {"symbolic": SYMBOLIC, "hard": HARD}
OUTSIDE = yaml.safe_load(Path(__file__).with_name("tarballs.yaml").read_text(encoding="utf-8"))


def packed(file, members):
    """A tarball of members: each a name and its content, or a name, a kind and the name that it leads to."""
    with tarfile.open(file, "w") as tar:
        for name, *kind, content in members:
            member = tarfile.TarInfo(name)
            member.mode = 0o4777
            if kind:
                member.type, member.linkname = kind[0], content
            member.size = 0 if kind else len(content)
            tar.addfile(member, io.BytesIO(b"" if kind else content.encode()))
    return file


@pytest.fixture
def unpacked(tmp_path, monkeypatch):
    """Unpack members, as a Python does that has no rule of its own, and return the folder."""
    monkeypatch.delattr(tarfile, "data_filter", raising=False)
    place = tmp_path / "place"
    place.mkdir()

    def unpacked(*members, below=""):
        (place / below).mkdir(exist_ok=True)
        tarballs.unpack(packed(tmp_path / "made.tar", members), place / below, str)
        return place / below

    return unpacked


@pytest.mark.parametrize("members", OUTSIDE)
def test_what_leads_outside_or_through_a_link_is_refused(unpacked, tmp_path, members):
    (tmp_path / "out").write_text("as before")
    with pytest.raises(tarballs.Unfit, match=r"made\.tar cannot be unpacked: '\S+' (is|leads) "):
        unpacked(*([LINKS.get(word, word) for word in member] for member in members))
    assert (tmp_path / "out").read_text() == "as before"
    assert {path.name for path in tmp_path.iterdir()} == {"made.tar", "out", "place"}


def test_no_tarball_of_a_few_links_leads_outside(unpacked, tmp_path):
    drawn = random.Random(1)

    def path():
        return "/".join(drawn.choices(["a", "b", "..", "."], weights=[4, 4, 2, 1], k=drawn.randint(1, 4)))

    links = 0
    for number in range(200):
        members = [(path(), *drawn.choice([[], [SYMBOLIC], [HARD]]), path()) for _ in range(4)]
        with contextlib.suppress(tarballs.Unfit, OSError):
            unpacked(*members, below=str(number))
        for each in (tmp_path / "place" / str(number)).rglob("*"):
            links += each.is_symlink()
            assert os.path.realpath(each).startswith(f"{tmp_path}/place/{number}"), members
    assert links > 20
    assert {each.name for each in tmp_path.iterdir()} == {"made.tar", "place"}


def test_harmless_links_remain_and_pipes_are_left_out(unpacked):
    links = {"scripts/nm": "ld", "doc/source/figures": "../figures", "a/b/asm.h": "../.././../top/scripts/ld"}
    others = [("top/again", HARD, "top/scripts/ld"), ("top/pipe", PIPE, "")]
    linked = [(f"top/{name}", SYMBOLIC, target) for name, target in links.items()]
    place = unpacked(("./top/scripts/ld", "x"), *linked, *others)
    assert all((place / "top" / name).read_text() == "x" for name in ("scripts/nm", "a/b/asm.h", "again"))
    assert (place / "top/doc/source/figures").readlink().as_posix() == "../figures"
    assert not (place / "top/pipe").exists()
    assert (place / "top/scripts/ld").stat().st_mode & 0o7777 == 0o755


@pytest.mark.parametrize("compress", [bz2.compress, gzip.compress, lzma.compress])
def test_damage_anywhere_is_reported(tmp_path, compress):
    noise = random.Random(1).randbytes(20_000).decode("latin-1")
    whole = compress(packed(tmp_path / "whole", [("noise", noise)]).read_bytes())
    for place in (len(whole) // 3, len(whole) - 6):
        flipped = bytearray(whole)
        flipped[place] ^= 0xFF
        for content in (bytes(flipped), whole[:place]):
            (tmp_path / "folder").mkdir(exist_ok=True)
            with pytest.raises(tarballs.Unfit, match=r"made (is damaged: [A-Z]|cannot be unpacked: file)"):
                tarballs.unpack("made", tmp_path / "folder", str, content)


def test_what_is_no_tarball_is_named_with_what_is_expected(tmp_path):
    (tmp_path / "a.yaml").write_text("sweep: s\n")
    with pytest.raises(tarballs.Unfit, match=r"a\.yaml cannot be unpacked: .*; expected a folder or one of \.tar\.bz2"):
        tarballs.unpack(tmp_path / "a.yaml", tmp_path, str)

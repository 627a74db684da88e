# SPDX-License-Identifier: MIT
"""Archives that `tcpsweep archive` did not write are refused before anything is unpacked."""

import stat
import zipfile

import pytest

from tcpsweep.features.archive import contents, unpacking


def packed(file, entries, **options):
    """A zip with these entries, each a name or a `ZipInfo`, with its content."""
    with zipfile.ZipFile(file, "w", **options) as made:
        for entry, content in entries:
            made.writestr(entry, content)
    return file


def entry(name, mode):
    """An entry of another kind than a regular file."""
    found = zipfile.ZipInfo(name)
    found.external_attr = mode << 16
    return found


@pytest.fixture
def place(tmp_path):
    """An empty folder to unpack into."""
    (tmp_path / "place").mkdir()
    return tmp_path / "place"


SOUND = (contents.METADATA, "{}")
ELSEWHERE = [(path, "x") for path in ("../out", "/tmp/out", "a/../../out", "a\\..\\out", "a\nb")]
MODES = (stat.S_IFLNK | 0o777, stat.S_IFIFO | 0o644, stat.S_IFCHR | 0o644)
BAD = [
    *((bad, "is not a path below the archive's root") for bad in ELSEWHERE),
    *(((entry("special", mode), "/etc/passwd"), "is no regular file") for mode in MODES),
    (SOUND, "is there twice"),
]


@pytest.mark.parametrize(("bad", "why"), BAD)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_what_would_lie_elsewhere_or_is_no_file_is_refused(tmp_path, place, bad, why):
    with pytest.raises(unpacking.Unfit, match=why):
        unpacking.unpack(packed(tmp_path / "bad.zip", [SOUND, bad]), place)
    assert not list(place.iterdir())
    assert {path.name for path in tmp_path.iterdir()} == {"bad.zip", "place"}


@pytest.mark.long
def test_a_bomb_is_refused_before_anything_is_written(tmp_path, place):
    file = packed(tmp_path / "bomb.zip", [SOUND, ("zeros", bytes(300_000_000))], compression=zipfile.ZIP_DEFLATED)
    assert file.stat().st_size < 1_000_000
    with pytest.raises(unpacking.Unfit, match=r"unpacks to 300 MB, more than 10[0-9] MB; .* give --most 301MB"):
        unpacking.unpack(file, place)
    assert not list(place.iterdir())
    unpacking.unpack(file, place, most=300_000_100)
    assert (place / "zeros").stat().st_size == 300_000_000


def test_a_file_that_is_longer_than_it_says_is_refused(tmp_path, place):
    file = packed(tmp_path / "lies.zip", [SOUND, ("zeros", bytes(1000))], compression=zipfile.ZIP_DEFLATED)
    sizes = [size.to_bytes(4, "little") for size in (1000, 10)]
    file.write_bytes(file.read_bytes().replace(*sizes))  # in both headers
    with pytest.raises(unpacking.Unfit, match="expected a file that `tcpsweep archive` wrote"):
        unpacking.unpack(file, place)
    assert sum(path.stat().st_size for path in place.iterdir()) < 100

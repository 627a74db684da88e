# SPDX-License-Identifier: MIT
"""Unpack an archive of unknown origin: within bounds, regular files only, nothing outside its folder."""

import re
import shutil
import stat
import struct
import zipfile
import zlib
from pathlib import Path

from tcpsweep.core.store import tarballs
from tcpsweep.core.words.sizes_and_times import bytes_text
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.archive import contents

# Most of an archive is Parquet, which does not shrink; its texts shrink to a tenth.
_MOST_GROWTH, _ALWAYS_ALLOWED = 10, 100_000_000
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1
_WINDOW = 1 << 20
_UNFIT = re.compile(r"[\x00-\x1f\x7f\\:]|[\ud800-\udfff]")
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, ValueError)


class Unfit(UserError):
    """A file that `tcpsweep archive` did not write; the error is shown to the user."""


def unpack(file: Path, folder: Path, most: int | None = None) -> None:
    """Unpack an archive into an empty folder.

    ``most`` limits the unpacked size in bytes. Default: ten times its size, and 100 MB more. All names, kinds and
    sizes are checked before anything is written.

    Raises
    ------
    Unfit
    """
    try:
        with zipfile.ZipFile(file) as packed:
            entries = packed.infolist()
            _check(file, entries, folder, most)
            for entry in entries:
                _extract(packed, entry, folder)
    except OSError as error:
        raise Unfit(f"{file}: {error.strerror or error}; expected a file that `tcpsweep archive` wrote") from None
    except _BROKEN as error:
        raise Unfit(f"{file}: {error}; expected a file that `tcpsweep archive` wrote") from None


def _check(file: Path, entries: list[zipfile.ZipInfo], folder: Path, most: int | None) -> None:
    seen: set[str] = set()
    for entry in entries:
        if why := _why_unfit(entry) or ("is there twice" if entry.filename in seen else ""):
            raise Unfit(f"{file}: {entry.filename[:200]!r} {why}; expected a file that `tcpsweep archive` wrote")
        seen.add(entry.filename)
    if contents.METADATA not in seen:
        raise Unfit(f"{file}: has no {contents.METADATA}; expected a file that `tcpsweep archive` wrote")
    size = sum(entry.file_size for entry in entries)
    bound = file.stat().st_size * _MOST_GROWTH + _ALWAYS_ALLOWED if most is None else most
    if size > bound:
        raise Unfit(
            f"{file}: unpacks to {bytes_text(size)}, more than {bytes_text(bound)}; "
            f"if you expect that, give --most {-(-size // 1_000_000)}MB"
        )
    if size > (free := shutil.disk_usage(folder).free):
        raise Unfit(f"{file}: unpacks to {bytes_text(size)}, and {folder} has {bytes_text(free)} free; set TMPDIR")


def _why_unfit(entry: zipfile.ZipInfo) -> str:
    """Why an entry is not unpacked, after its name; empty if it is."""
    name, kind = entry.filename, stat.S_IFMT(entry.external_attr >> 16)
    if _UNFIT.search(name) or not tarballs.is_below(name.removesuffix("/")):
        return "is not a path below the archive's root"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is no regular file"
    if entry.flag_bits & _ENCRYPTED or entry.compress_type not in _METHODS:
        return "is encrypted or compressed in another way"
    return ""


def _extract(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path) -> None:
    place = folder / entry.filename
    if entry.is_dir():
        place.mkdir(parents=True, exist_ok=True)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    left = entry.file_size
    with packed.open(entry) as source, place.open("xb") as out:
        while part := source.read(_WINDOW):
            left -= len(part)
            if left < 0:
                raise zipfile.BadZipFile(f"{entry.filename} is longer than it says")
            out.write(part)
    if left:
        raise zipfile.BadZipFile(f"{entry.filename} is shorter than it says")

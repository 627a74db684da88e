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
from tcpsweep.core.words.rounding import bytes_text
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.archive import contents

# Most of an archive is Parquet, which does not shrink; its texts shrink to a tenth.
_MOST_GROWTH, _ALWAYS_ALLOWED = 10, 100_000_000
_COMPRESSION_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1
_BLOCK_BYTES = 1 << 20
_UNFIT_NAME = re.compile(r"[\x00-\x1f\x7f\\:]|[\ud800-\udfff]")
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
    seen_names: set[str] = set()
    for entry in entries:
        if fault := _why_unfit(entry) or ("is there twice" if entry.filename in seen_names else ""):
            raise Unfit(f"{file}: {entry.filename[:200]!r} {fault}; expected a file that `tcpsweep archive` wrote")
        seen_names.add(entry.filename)
    if contents.METADATA not in seen_names:
        raise Unfit(f"{file}: has no {contents.METADATA}; expected a file that `tcpsweep archive` wrote")
    unpacked = sum(entry.file_size for entry in entries)
    most_bytes = file.stat().st_size * _MOST_GROWTH + _ALWAYS_ALLOWED if most is None else most
    if unpacked > most_bytes:
        raise Unfit(
            f"{file}: unpacks to {bytes_text(unpacked)}, more than {bytes_text(most_bytes)}; "
            f"if you expect that, give --most {-(-unpacked // 1_000_000)}MB"
        )
    if unpacked > (free := shutil.disk_usage(folder).free):
        raise Unfit(f"{file}: unpacks to {bytes_text(unpacked)}, and {folder} has {bytes_text(free)} free; set TMPDIR")


def _why_unfit(entry: zipfile.ZipInfo) -> str:
    """Why an entry is not unpacked, after its name; empty if it is."""
    name, kind = entry.filename, stat.S_IFMT(entry.external_attr >> 16)
    if _UNFIT_NAME.search(name) or not tarballs.is_below(name.removesuffix("/")):
        return "is not a path below the archive's root"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is no regular file"
    if entry.flag_bits & _ENCRYPTED or entry.compress_type not in _COMPRESSION_METHODS:
        return "is encrypted or compressed in another way"
    return ""


def _extract(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path) -> None:
    target = folder / entry.filename
    if entry.is_dir():
        target.mkdir(parents=True, exist_ok=True)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    remaining_bytes = entry.file_size
    with packed.open(entry) as source, target.open("xb") as out:
        while block := source.read(_BLOCK_BYTES):
            remaining_bytes -= len(block)
            if remaining_bytes < 0:
                raise zipfile.BadZipFile(f"{entry.filename} is longer than it says")
            out.write(block)
    if remaining_bytes:
        raise zipfile.BadZipFile(f"{entry.filename} is shorter than it says")

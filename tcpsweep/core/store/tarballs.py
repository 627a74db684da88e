# SPDX-License-Identifier: MIT
"""Unpack a tarball of unknown origin: nothing in it is written outside its folder, or leads there by a link.

The rule is the same with each Python: before 3.11.4, Python's `tarfile` has none.
"""

import io
import itertools
import lzma
import os
import posixpath
import re
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tcpsweep.core.words.user_error import UserError

ENDINGS = (".tar.bz2", ".tar.gz", ".tar.xz", ".tbz2", ".tgz", ".txz", ".tar")
_BROKEN = (lzma.LZMAError, zlib.error, EOFError, ValueError, OverflowError)


class Unfit(UserError):
    """A tarball is damaged, or has a path or link that leads outside. The message names the tarball."""


def is_below(name: str) -> bool:
    """Whether a path is relative and consists of plain names only, without ``.`` and ``..``."""
    return all(part not in ("", ".", "..") for part in name.split("/"))


@contextmanager
def opened(tarball: Path | str, content: bytes | None = None) -> Iterator[tarfile.TarFile]:
    """Open a tarball, or its ``content``. Raises `Unfit` if it is damaged, also while the block reads it."""
    try:
        with tarfile.open(tarball) if content is None else tarfile.open(fileobj=io.BytesIO(content)) as tar:
            yield tar
    except tarfile.TarError as error:
        # The error lists a reason for each kind of tarball. Only a missing Python module is worth reporting.
        missing_module = re.search(r"\w+ module is not available", str(error))
        reason = missing_module[0] if missing_module else re.split("[\n:]", str(error), maxsplit=1)[0]
        endings = ", ".join(ENDINGS)
        raise Unfit(f"{tarball} cannot be unpacked: {reason}; expected a folder or one of {endings}") from None
    except _BROKEN as error:
        raise Unfit(f"{tarball} is damaged: {error}") from None
    except OSError as error:
        if error.errno is not None:
            raise
        raise Unfit(f"{tarball} is damaged: {error}") from None  # how bz2 and gzip report damage


def unpack(tarball: Path | str, folder: Path, renamed: Callable[[str], str], content: bytes | None = None) -> None:
    """Unpack a tarball, or its ``content``, into an empty folder, and read it to the end, which has the checksum.

    ``renamed`` returns a member's path in the folder, or an empty text to leave the member out. Devices and pipes are
    left out. Symbolic links below the folder remain. Raises `Unfit`.
    """
    files: set[str] = set()
    links: set[str] = set()
    with opened(tarball, content) as tar:
        tar.extraction_filter = lambda member, _: member  # `_why_unfit` is stricter
        for member in tar:
            name = renamed(posixpath.normpath(member.name))
            if name in ("", ".") or not (member.isreg() or member.isdir() or member.issym() or member.islnk()):
                continue
            if member.islnk():
                member.linkname = renamed(posixpath.normpath(member.linkname))
            if why := _why_unfit(name, member, files, links):
                raise Unfit(f"{tarball} cannot be unpacked: {member.name[:200]!r} {why}")
            if not member.isdir():
                (links if member.issym() else files).add(name)
            _extract(tar, member, name, folder)
        while tar.fileobj and tar.fileobj.read(1 << 20):
            pass


def _why_unfit(name: str, member: tarfile.TarInfo, files: set[str], links: set[str]) -> str:
    """Why a member is not unpacked, after its name; empty if it is. ``files`` and ``links`` were unpacked before it."""
    if not is_below(name):
        return "is not a path below the tarball's root"
    if not links.isdisjoint(itertools.accumulate(name.split("/"), "{}/{}".format)):
        return "leads through a symbolic link"
    if member.islnk():
        is_file = member.linkname in files - links - {name}
        return "" if is_file else "is a hard link, but to no file before it in the tarball"
    if member.issym() and not _stays_below(name, member.linkname):
        return f"is a link to {member.linkname[:200]!r}, which is not below the tarball's root"
    return ""


def _stays_below(name: str, target: str) -> bool:
    """Whether a symbolic link leads below the root, if its folders are no links and all other links lead there, too."""
    parts = [part for part in target.split("/") if part not in ("", ".")]
    ups = parts.count("..")
    # After the name of another link, ".." would lead up from an unknown folder.
    return not target.startswith("/") and ups <= name.count("/") and ".." not in parts[ups:]


def _extract(tar: tarfile.TarFile, member: tarfile.TarInfo, name: str, folder: Path) -> None:
    """Extract a member as a file of this user that others cannot write."""
    member.name = name
    member.uid, member.gid, member.uname, member.gname = os.getuid(), os.getgid(), "", ""
    member.mode = 0o755 if member.isdir() else member.mode & 0o755 | 0o600
    tar.extract(member, folder)

# SPDX-License-Identifier: MIT
"""Digests of a folder's files, written with the files and checked when they are read.

They are in the file `SHA256SUMS`, which ``sha256sum -c`` can read. Its first line is a comment that names the folder,
so that files copied from another cell do not match, and has a digest of the lines below. The first of these lines may
be a digest of the data that the files were made from.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tcpsweep.core.store import layout, whole_files
from tcpsweep.core.words.user_error import UserError

FILE = layout.SUMS
_HEAD = re.compile(r"# files of ([^\n]+), ([0-9a-f]{64})")
_LINE = re.compile(r"^([0-9a-f]{64})  ([A-Za-z0-9_][A-Za-z0-9_.-]*)$", re.MULTILINE)
_MADE_OF = "# made of "
_FIRST_BYTES, _MORE_BYTES = 1 << 16, 1 << 20  # bytes to read at once: most files are small


class Differs(UserError):
    """A file differs from the file that was written. The user reads the message."""


@contextmanager
def made_whole(place: Path, above: Path | None = None, replaces: bool = False) -> Iterator[Path]:
    """As `whole_files.made_whole`, and write the digests of the files that the block made."""
    with whole_files.made_whole(place, above, replaces) as folder:
        yield folder
        write(folder, place=place)


def write(
    folder: Path, names: Iterable[str] | None = None, *, place: Path | None = None, made_of: str | None = None
) -> None:
    """Write the digests of the named files of a folder, or else of all files directly in it.

    ``place`` is the folder's future place in ``results/``, if it is not there yet. ``made_of`` is a digest of the data
    that these files were made from.
    """
    with os.scandir(folder) as entries:
        file_names = [entry.name for entry in entries if entry.is_file()] if names is None else names
    sums = {name: file_digest(f"{os.fspath(folder)}/{name}") for name in sorted(file_names) if name != FILE}
    lines = [*([f"{_MADE_OF}{made_of}"] if made_of else []), *(f"{digest}  {name}" for name, digest in sums.items())]
    head = f"# files of {_portable_name(place or folder)}, {texts_digest(lines)}"
    text = "".join(f"{line}\n" for line in [head, *lines])
    if place:  # the folder is not at its place yet
        with open(f"{os.fspath(folder)}/{FILE}", "wb") as file:  # noqa: PTH123 (faster)
            file.write(text.encode("ascii"))
    else:
        whole_files.write_whole(folder / FILE, text, is_lasting=True)


def read(folder: Path) -> dict[str, str]:
    """The digests of a folder's files, by their names.

    Raises `Differs` if the digests are missing or damaged, or belong to another folder.
    """
    head, lines = _head_and_lines(folder)
    if not _lies_at(folder, head):
        raise Differs(f"{folder / FILE}: the folder's files are of {head}")
    return {line[66:]: line[:64] for line in lines if not line.startswith(_MADE_OF)}


def made_of(folder: Path) -> str | None:
    """The digest of the data that a folder's files were made from; None if it was not recorded."""
    try:
        _, lines = _head_and_lines(folder)
    except Differs:
        return None
    return next((line.removeprefix(_MADE_OF) for line in lines if line.startswith(_MADE_OF)), None)


def _head_and_lines(folder: Path) -> tuple[str, list[str]]:
    """The name of the folder that the digests were written for, and the lines below it."""
    path = f"{os.fspath(folder)}/{FILE}"
    try:
        with open(path, "rb") as file:  # noqa: PTH123 (faster)
            head, *lines = file.read().decode("ascii").splitlines()
    except OSError as error:
        raise Differs(f"{path}: {'missing' if isinstance(error, FileNotFoundError) else error.strerror}") from None
    except ValueError:
        raise Differs(f"{path}: differs from its checksum") from None
    match = _HEAD.fullmatch(head)
    # `write` never writes the path of a file in another folder.
    if not match or texts_digest(lines) != match[2] or any("/" in line[64:] for line in lines):
        raise Differs(f"{path}: differs from its checksum")
    return match[1], lines


def file_problems(folder: Path) -> list[str]:
    """The problems with a folder's files: the path of each file that differs from the written one, and a reason.

    If the digests themselves are damaged, the readable ones are used.
    """
    try:
        return differing(folder, read(folder))
    except Differs as error:
        return [str(error), *differing(folder, legible(folder))]


def legible(folder: Path) -> dict[str, str]:
    """The readable digests in a damaged `SHA256SUMS`, by the files' names."""
    path = f"{os.fspath(folder)}/{FILE}"
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116 (faster)
            return {}
        with open(path, "rb") as file:  # noqa: PTH123 (faster)
            text = file.read().decode("ascii", errors="replace")
    except OSError:
        return {}
    return {name: digest for digest, name in _LINE.findall(text)}


def differing(
    folder: Path, sums: Mapping[str, str], names: Iterable[str] | None = None, but: Container[str] = ()
) -> list[str]:
    """The problems with a folder's files, given the digests from `read`.

    ``names`` are the files to check (default: all that were written), except those in ``but``. A named file that was
    not written must not exist.
    """
    differences, place = [], os.fspath(folder)
    for name in sums if names is None else names:
        if name in but:
            continue
        path, digest = f"{place}/{name}", sums.get(name)
        try:
            if file_digest(path) != digest:
                is_new = digest is None
                differences.append(
                    f"{path}: {'was not written with the other files' if is_new else 'differs from its checksum'}"
                )
        except FileNotFoundError:
            if digest is not None:
                differences.append(f"{path}: missing")
        except OSError as error:
            differences.append(f"{path}: {error.strerror}")
    return differences


def missing_files(folder: str) -> list[str]:
    """The names of a folder's files that were written and do not exist; the digests' if these cannot be read.

    It is much faster than `file_problems`, which reads the files.
    """
    try:
        with open(f"{folder}/{FILE}", "rb") as file:  # noqa: PTH123 (faster)
            lines = file.read().decode("ascii").splitlines()
        present = set(os.listdir(folder))  # noqa: PTH208 (faster)
    except (OSError, ValueError):
        return [FILE]
    return [line[66:] for line in lines if line[66:] not in present and not line.startswith("#")]


def check(folder: Path, name: str) -> None:
    """Check one file of a folder. A file that was not written must not exist. Raises `Differs`."""
    if differences := differing(folder, read(folder), [name]):
        raise Differs("\n".join(differences))


def file_digest(path: Path | str) -> str:
    """The digest of a file. Raises `OSError` if it is unreadable or no regular file (a pipe might never end)."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "is no regular file")
        digest = hashlib.sha256(part := os.read(file, _FIRST_BYTES))
        if len(part) == _FIRST_BYTES:
            while part := os.read(file, _MORE_BYTES):
                digest.update(part)
        return digest.hexdigest()
    finally:
        os.close(file)


def texts_digest(texts: Iterable[str]) -> str:
    """One digest of several texts without line breaks."""
    return hashlib.sha256("".join(f"{text}\n" for text in texts).encode()).hexdigest()


def joint_digest(sums: Mapping[str, str], names: Iterable[str]) -> str:
    """One digest of several files in the order of ``names``, from their digests; files without a digest are skipped."""
    return texts_digest(f"{sums[name]}  {name}" for name in names if name in sums)


def _portable_name(place: Path) -> str:
    """A folder's name that does not depend on the place of ``results/``."""
    names = _absolute_parts(place)
    results_at = [number for number, part in enumerate(names[:-2]) if part == layout.RESULTS.name]
    return "/".join(names[results_at[-1] + 1 :] if results_at else names[-2:])


def _lies_at(folder: Path, name: str) -> bool:
    """Whether a folder's path, as given or absolute, ends in a name from `_portable_name`."""
    place = os.fspath(folder)
    return "/" in name and any(f"/{path}".endswith(f"/{name}") for path in (place, os.path.abspath(place)))  # noqa: PTH100


def _absolute_parts(path: Path) -> tuple[str, ...]:
    return Path(os.path.abspath(path)).parts  # noqa: PTH100 (keep the names of symbolic links)

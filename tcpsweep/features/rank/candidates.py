# SPDX-License-Identifier: MIT
"""The candidates of a ranking: C++ files, each with one congestion control of the file's name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tcpsweep.core.identity import hashing
from tcpsweep.core.words import spelling
from tcpsweep.core.words.user_error import UserError

ENDING = ".cc"
_CLASS_NAME = re.compile(r"[A-Z]\w*")


@dataclass(frozen=True)
class Candidate:
    """A candidate: its name, which is that of its class and its file, the file, and the digest of the file's bytes."""

    name: str
    file: Path
    digest: str


def read(paths: Sequence[Path]) -> list[Candidate]:
    """The candidates in these files, in the given order; a folder stands for the ``.cc`` files in it.

    Raises `UserError` if a file is missing, has a name that no class can have, or has the name of another one.
    """
    files = [file for path in paths for file in (sorted(path.glob(f"*{ENDING}")) if path.is_dir() else [path])]
    candidates: dict[str, Candidate] = {}
    for file in files:
        candidate = _candidate(file)
        earlier = candidates.setdefault(candidate.name, candidate)
        if not earlier.file.samefile(file):
            raise UserError(
                f"{earlier.file} and {file} are two candidates of one name; rename one file, and the class in it"
            )
    if not candidates:
        raise UserError("there is no candidate: expected C++ files, such as candidates/*.cc")
    return list(candidates.values())


def _candidate(file: Path) -> Candidate:
    if file.suffix != ENDING or not _CLASS_NAME.fullmatch(file.stem):
        raise UserError(f"{file}: expected a C++ file named as its class, such as TcpMine.cc")
    try:
        return Candidate(file.stem, file.absolute(), hashing.short_hash(file.read_bytes()))
    except FileNotFoundError:
        others = [path.name for path in file.parent.glob(f"*{ENDING}")]
        raise UserError(f"there is no file {file}{spelling.did_you_mean(file.name, others)}") from None
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}") from None

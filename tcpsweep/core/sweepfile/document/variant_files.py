# SPDX-License-Identifier: MIT
"""Variants that a sweep file names by their C++ files, such as ``./TcpMine.cc``: the files, and the variants' names."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from tcpsweep.core.sweepfile.document.yaml_document import Document, KeyPath, Problem
from tcpsweep.core.words.mixes import JOINT

ENDING = ".cc"
_FILE = re.compile(r"(?:.*/)?([^/+]+)\.cc")
_CLASS = re.compile(r"[A-Z]\w*")
_WORDS = ("title", "description")  # keys whose texts name nothing


def named(document: Document) -> Document:
    """The document with the names of variants in the place of their files, and with these ``files``.

    Raises `Mistakes` if a file is missing, has a name that no class can have, or shares its name with another.
    """
    files: dict[str, Path] = {}
    problems: list[Problem] = []
    data = _replaced(document.data, (), Path(document.name).parent, files, problems)
    if problems:
        raise document.mistakes(problems)
    return replace(document, data=data, files=files)


def _replaced(value: Any, path: KeyPath, folder: Path, files: dict[str, Path], problems: list[Problem]) -> Any:
    if isinstance(value, dict):
        return {
            key: entry if key in _WORDS else _replaced(entry, (*path, key), folder, files, problems)
            for key, entry in value.items()
        }
    if isinstance(value, list):
        return [_replaced(entry, (*path, place), folder, files, problems) for place, entry in enumerate(value)]
    if not isinstance(value, str) or ENDING not in value:
        return value
    return JOINT.join(variant_name(part, path, folder, files, problems) for part in value.split(JOINT))


def variant_name(part: str, path: KeyPath, folder: Path, files: dict[str, Path], problems: list[Problem]) -> str:
    """The name of a variant in the place of its file, which is added to ``files``; another text stays as it is."""
    match = _FILE.fullmatch(part.strip())
    if not match:
        return part
    file = (folder / Path(part.strip()).expanduser()).absolute()
    name, stems = match[1], {Path(text).stem: text for text in files}
    other = stems.get(name, part.strip())
    if not _CLASS.fullmatch(name):
        problems.append(Problem(path, f"{part}: expected a file named as its class, such as ./TcpMine.cc"))
    elif not exists(file):
        near = f"; did you mean ./{name}.cc?" if exists(folder / f"{name}.cc") else ""
        problems.append(Problem(path, f"there is no file {file}{near or f'; `tcpsweep new {name}.cc` writes one'}"))
    elif other != part.strip() and not files[other].samefile(file):
        problems.append(Problem(path, f"{part} and {other} are two files of one name; rename one, and its class"))
    else:
        files.setdefault(other, file)
    return name


def exists(path: Path) -> bool:
    """Whether a path is a file. A text that is too long for a path is none, where `Path.is_file` raises `OSError`."""
    try:
        return path.is_file()
    except OSError:
        return False

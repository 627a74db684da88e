# SPDX-License-Identifier: MIT
"""Variants that a sweep file names by their C++ files, such as ``./TcpMine.cc``: the files, and the variants' names."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from tcpsweep.core.sweepfile.document.yaml_document import Document, KeyPath, Problem
from tcpsweep.core.words.mixes import JOINT

ENDING = ".cc"
_CPP_FILE = re.compile(r"(?:.*/)?([^/+]+)\.cc")
_CLASS_NAME = re.compile(r"[A-Z]\w*")
_FREE_TEXT_KEYS = ("title", "description")  # keys whose texts name nothing


def named(document: Document) -> Document:
    """The document with the names of variants in the place of their files, and with these ``files``.

    Raises `Mistakes` if a file is missing, has a name that no class can have, or shares its name with another.
    """
    files: dict[str, Path] = {}
    problems: list[Problem] = []
    data = _with_variant_names(document.data, (), Path(document.name).parent, files, problems)
    if problems:
        raise document.mistakes(problems)
    return replace(document, data=data, files=files)


def _with_variant_names(
    value: Any, path: KeyPath, folder: Path, files: dict[str, Path], problems: list[Problem]
) -> Any:
    """A value in which variants' names replace their files; adds to ``files`` and ``problems``."""
    if isinstance(value, dict):
        return {
            key: entry if key in _FREE_TEXT_KEYS else _with_variant_names(entry, (*path, key), folder, files, problems)
            for key, entry in value.items()
        }
    if isinstance(value, list):
        return [
            _with_variant_names(entry, (*path, index), folder, files, problems) for index, entry in enumerate(value)
        ]
    if not isinstance(value, str) or ENDING not in value:
        return value
    return JOINT.join(variant_name(part, path, folder, files, problems) for part in value.split(JOINT))


def variant_name(part: str, path: KeyPath, folder: Path, files: dict[str, Path], problems: list[Problem]) -> str:
    """The name of a variant in the place of its file, which is added to ``files``; another text stays as it is."""
    match = _CPP_FILE.fullmatch(part.strip())
    if not match:
        return part
    file = (folder / Path(part.strip()).expanduser()).absolute()
    name, text_by_class = match[1], {Path(text).stem: text for text in files}
    earlier_text = text_by_class.get(name, part.strip())
    if not _CLASS_NAME.fullmatch(name):
        problems.append(Problem(path, f"{part}: expected a file named as its class, such as ./TcpMine.cc"))
    elif not exists(file):
        near = f"; did you mean ./{name}.cc?" if exists(folder / f"{name}.cc") else ""
        problems.append(Problem(path, f"there is no file {file}{near or f'; `tcpsweep new {name}.cc` writes one'}"))
    elif earlier_text != part.strip() and not files[earlier_text].samefile(file):
        message = f"{part} and {earlier_text} are two files of one name; rename one, and its class"
        problems.append(Problem(path, message))
    else:
        files.setdefault(earlier_text, file)
    return name


def exists(path: Path) -> bool:
    """Whether a path is a file. A text that is too long for a path is none, where `Path.is_file` raises `OSError`."""
    try:
        return path.is_file()
    except OSError:
        return False

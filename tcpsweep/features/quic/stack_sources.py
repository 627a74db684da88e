# SPDX-License-Identifier: MIT
"""The files that a QUIC stack is compiled from, and a check that the compiler read no others.

Cargo reads more than a package's folder: packages that `Cargo.toml` names by ``path``, the configuration of all folders
above (The Cargo Book, "Configuration") and a workspace's files. Registry packages are in `Cargo.lock` with checksums.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tcpsweep.core.identity import source_folders
from tcpsweep.core.store import digests

INTERFACE = source_folders.ROOT / "ns3-scenarios" / "lib" / "quic" / "quic-stack.h"
_MANIFEST = "Cargo.toml"
_CONFIGURATION = (".cargo/config.toml", ".cargo/config")
_FILES_ABOVE = (_MANIFEST, "Cargo.lock", "rust-toolchain.toml", "rust-toolchain")
# Tables of a configuration that say where packages come from and what is printed, not how they are compiled.
_OTHER_TABLES = ("alias", "cache", "http", "install", "net", "registries", "registry", "term")
_LINE_END = re.compile(r"\\\n|\n[^\n]*?:(?= |\n|$)")  # a continued line, or the target of the next rule
_SPACE = re.compile(r"(?<!\\)\s+")


def texts(folder: Path) -> list[str]:
    """The names of all files that a stack is compiled from, each with a hash or its content.

    Raises `OSError`.
    """
    entries: list[str] = []
    for number, package in enumerate(_packages(folder)):
        for path in _files(package):
            entries += [f"{number}/{path.relative_to(package).as_posix()}", digests.file_digest(path)]
    paths_above = (place / name for place in folder.absolute().parents for name in _FILES_ABOVE)
    for path in (path for path in paths_above if path.is_file()):
        entries += [path.name, digests.file_digest(path)]
    for path in _configurations(folder):
        entries += ["configuration", json.dumps(_compile_settings(path), sort_keys=True, default=str)]
    return entries


def foreign(folder: Path, rules: Iterable[Path]) -> list[Path]:
    """The files that the compiler read and `texts` leaves out, from the rules for make that the compiler wrote."""
    identified = {path.resolve() for package in _packages(folder) for path in _files(package)} | {INTERFACE.resolve()}
    read = {Path(name).resolve() for rule in rules for name in _prerequisites(rule.read_text(encoding="utf-8"))}
    return sorted(read - identified)


def _prerequisites(text: str) -> list[str]:
    """The prerequisites in rules for make; a space in a name follows a backslash."""
    joined = _LINE_END.sub(" ", f"\n{text}")
    return [name.replace("\\ ", " ") for name in _SPACE.split(joined) if name]


def _packages(folder: Path) -> list[Path]:
    """A stack's folder and the folders of all packages that it depends on by ``path``, at any depth."""
    packages: list[Path] = []
    workspaces = (_packages_in(above, _toml(above / _MANIFEST).get("workspace")) for above in folder.absolute().parents)
    to_visit = [folder.absolute(), *(path for paths in workspaces for path in paths)]
    while to_visit:
        if (package := to_visit.pop(0)) not in packages:
            packages.append(package)
            to_visit += _packages_in(package, _toml(package / _MANIFEST))
    return packages


def _packages_in(folder: Path, manifest: Any) -> list[Path]:
    """The folders of packages that a part of the manifest in a folder names by ``path``."""
    paths = [Path(os.path.normpath(folder / path)) for path in _paths(manifest)]
    return [path for path in paths if (path / _MANIFEST).is_file()]


def _files(package: Path) -> Iterator[Path]:
    """The files of a package, without hidden ones and what cargo made."""
    for root, folders, names in os.walk(package):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "target")
        yield from (Path(root, name) for name in sorted(names) if not name.startswith("."))


def _configurations(folder: Path) -> Iterator[Path]:
    """The files with the configuration of cargo in a folder."""
    paths = [above / name for above in (folder.absolute(), *folder.absolute().parents) for name in _CONFIGURATION]
    home = Path(os.environ.get("CARGO_HOME") or os.path.expanduser("~/.cargo"))  # noqa: PTH111 (there may be no home)
    paths += [home / name.removeprefix(".cargo/") for name in _CONFIGURATION]
    yield from (path for path in dict.fromkeys(paths) if path.is_file())


def _compile_settings(configuration: Path) -> Mapping[str, Any]:
    return {name: value for name, value in _toml(configuration).items() if name not in _OTHER_TABLES}


def _toml(path: Path) -> Mapping[str, Any]:
    """A file's content; its text if it is no TOML, which cargo then says; nothing if it is missing."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {"text": text}


def _paths(part: Any) -> Iterator[str]:
    """All values of ``path`` in a part of a manifest."""
    if isinstance(part, dict):
        for name, value in part.items():
            if name == "path" and isinstance(value, str):
                yield value
            yield from _paths(value)
    elif isinstance(part, list):
        for entry in part:
            yield from _paths(entry)

# SPDX-License-Identifier: MIT
"""The source of an ns-3, as a folder or tarball: its version, the files that a build needs, and its identity."""

import hashlib
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tcpsweep.core.identity import hashing, source_folders
from tcpsweep.core.ns3 import ns3_commit, ns3_modules
from tcpsweep.core.ns3.installation import EngineError
from tcpsweep.core.store import tarballs
from tcpsweep.core.words import spelling

_MODULES = re.compile(r"^set\(NS3_MODULES\s+([^)]*)\)", re.M)
_UNRELEASED = re.compile(r"^## Changes from ns-3\.([0-9]+)(?:\.[0-9]+)? to ns-3-dev", re.M)


@dataclass(frozen=True)
class Source:
    """An ns-3's source: its folder, its version such as 3.44, and ``name``, the version in its libraries' names.

    ``modules`` are the modules that a scenario links. ``files`` are the source files of these modules and of their
    dependencies, as paths relative to the folder. ``id`` is a hash over the files' names and bytes.
    """

    folder: Path
    version: str
    name: str
    modules: tuple[str, ...]
    files: tuple[str, ...] = field(repr=False)
    id: str


def find(path: Path | str, unpacked: Path | str, own_modules: Sequence[str] = (), commit: str | None = None) -> Source:
    """The part of the source at a path that a scenario needs.

    ``path`` is the folder of an ns-3, an ns-allinone folder above it, or a tarball of either. Each tarball is unpacked
    once, in the folder ``unpacked``. With ``commit``, ``path`` is a git repository, whose files at this commit are
    written there, too. ``own_modules`` are the modules that only this scenario links, in addition to the modules that
    all scenarios link. Raises `EngineError` if the path does not exist, or has no ns-3 that can be built.
    """
    path, linked = Path(path), (*modules(), *own_modules)
    try:
        if path.is_dir():
            return _read(_root(ns3_commit.exported(path, commit, linked, Path(unpacked)) if commit else path), linked)
        if path.is_file() and commit:
            raise EngineError(f"{path} is no git repository, so it has no commit {commit!r}; expected a folder")
        if path.is_file():
            return _read(_root(_unpack(path, Path(unpacked)), path), linked)
        names = [other.name for other in path.parent.iterdir()] if path.parent.is_dir() else []
    except tarballs.Unfit as error:
        raise EngineError(str(error)) from None
    except UnicodeDecodeError as error:
        raise EngineError(f"{path} cannot be read: {error}") from None
    except OSError as error:
        where = Path(error.filename or path)
        verb = "written" if where.is_relative_to(unpacked) else "read"
        raise EngineError(f"{where} cannot be {verb}: {error.strerror or error}") from None
    raise EngineError(f"there is no folder or file {path}{spelling.did_you_mean(path.name, names)}")


def modules() -> list[str]:
    """The modules that all scenarios link, from `ns3-scenarios/CMakeLists.txt`."""
    text = (source_folders.SCENARIOS / "CMakeLists.txt").read_text(encoding="utf-8")
    [listed] = _MODULES.findall(text)
    names: list[str] = listed.split()
    return names


def _is_root(folder: Path) -> bool:
    return (folder / "VERSION").is_file() and (folder / "src" / "core").is_dir()


def _root(folder: Path, given: Path | None = None) -> Path:
    """The folder of ns-3, ``folder`` or below it. ``given`` is the path that the user gave, if it is another one."""
    given = given or folder
    # A tarball's files are in a folder of its name.
    roots_below = [child for depth in ("ns-3*/", "*/ns-3*/") for child in sorted(folder.glob(depth)) if _is_root(child)]
    if not _is_root(folder) and len(roots_below) != 1:
        root_above = next((parent for parent in folder.parents if _is_root(parent)), None)
        hint = f"; did you mean '{root_above}'?" if root_above else ""
        raise EngineError(
            f"{given} is not an ns-3 source: expected VERSION and src/core in it, or in one ns-3* folder below{hint}"
        )
    root = folder if _is_root(folder) else roots_below[0]
    if not (root / "CMakeLists.txt").is_file():
        raise EngineError(f"{given} is ns-3 {(root / 'VERSION').read_text().strip()}; expected 3.36 or later")
    return root


def _read(root: Path, linked: tuple[str, ...]) -> Source:
    name = (root / "VERSION").read_text(encoding="utf-8").strip()
    files = tuple(sorted(_files(root, linked)))
    return Source(root, _version(root, name), name, linked, files, _id(root, files))


def _id(root: Path, files: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for file in files:
        hashing.add_file(digest, file, root / file)
    return digest.hexdigest()[: hashing.DIGITS]


def _version(root: Path, name: str) -> str:
    """A release's number. For a tree between two releases, the number of the next release."""
    if re.fullmatch(r"3\.[0-9]+(\.[0-9]+)?", name):
        return name
    changes = root / "CHANGES.md"
    latest = _UNRELEASED.search(changes.read_text(encoding="utf-8")) if changes.is_file() else None
    if not latest:
        raise EngineError(f"{root / 'VERSION'}: expected a version such as 3.44, got {name!r}")
    return f"3.{int(latest[1]) + 1}"


def _files(root: Path, linked: Sequence[str]) -> Iterator[str]:
    """The files that ns-3's CMake needs to build the modules, as paths relative to ``root``."""
    yield from ("VERSION", "CMakeLists.txt")
    yield from (name for name in ns3_modules.LISTS if (root / name).is_file())

    def cmake(folder: str) -> str | None:
        file = root / folder / "CMakeLists.txt"
        return file.read_text(encoding="utf-8") if file.is_file() else None

    for folder in ("build-support", "utils", *ns3_modules.folders(linked, cmake, root)):
        for path in (root / folder).rglob("*"):
            file = path.relative_to(root)
            is_hidden = any(part.startswith(".") or part.endswith(("~", ".pyc")) for part in file.parts)
            if path.is_file() and not is_hidden and not ns3_modules.ASIDE.search(file.as_posix()):
                yield file.as_posix()


def _unpack(tarball: Path, above: Path) -> Path:
    """Unpack a tarball without files that no build needs. Returns the folder, which is named by the tarball's hash."""
    from tcpsweep.core.store import whole_files

    with tarball.open("rb") as file:
        place = above / hashlib.file_digest(file, "sha256").hexdigest()[: hashing.DIGITS]
    if place.is_dir():
        return place
    with whole_files.made_whole(place) as folder:
        tarballs.unpack(tarball, folder, ns3_modules.needed)
    return place


def copy(source: Source, folder: Path) -> None:
    """Copy the files that a build needs into a folder.

    Raises `EngineError` if they are no longer those of the source's identity.
    """
    for file in source.files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source.folder / file, folder / file)
    if _id(folder, source.files) != source.id:
        raise EngineError(f"{source.folder} has changed since it was read; run the command again to build it")

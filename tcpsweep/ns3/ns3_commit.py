# SPDX-License-Identifier: MIT
"""The source of an ns-3 at a commit of a git repository, read without touching the repository's own files."""

import functools
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tcpsweep.identity import hashing
from tcpsweep.ns3 import ns3_modules
from tcpsweep.ns3.installation import EngineError


def git(repository: Path, *arguments: str) -> str:
    """The output of a command of git in a repository, which may be bare. Raises `EngineError`."""
    return _run(repository, arguments).decode(errors="replace").strip()


def resolved(repository: Path, commit: str) -> str:
    """The hash of a commit that is named by a hash, a tag or a branch. Raises `EngineError`."""
    git(repository, "rev-parse", "--git-dir")  # says what is wrong if it is no repository
    try:
        return git(repository, "rev-parse", "--verify", "--end-of-options", f"{commit}^{{commit}}").splitlines()[-1]
    except EngineError:
        raise EngineError(f"{repository} has no commit {commit!r}; expected a hash, a tag or a branch") from None


def paths(repository: Path, commit: str, modules: Sequence[str]) -> list[str]:
    """The files and folders of a commit that a build of these modules reads."""
    names = set(git(repository, "ls-tree", "-r", "--name-only", "--full-tree", commit).splitlines())
    if not {"VERSION", "CMakeLists.txt"} <= names:
        raise EngineError(f"{repository} at {commit}: expected the source of ns-3, 3.36 or later")

    @functools.cache
    def cmake(folder: str) -> str | None:
        file = f"{folder}/CMakeLists.txt"
        return git(repository, "show", f"{commit}:{file}") if file in names else None

    found = ns3_modules.folders(modules, cmake, f"{repository} at {commit}")
    common = [name for name in ("VERSION", "CMakeLists.txt", "CHANGES.md", *ns3_modules.LISTS) if name in names]
    return [*common, "build-support", "utils", *sorted(found)]


def exported(repository: Path, commit: str, modules: Sequence[str], below: Path) -> Path:
    """Write the files of a commit that a build of these modules reads, once; returns their folder in ``below``.

    Raises `EngineError`.
    """
    from tcpsweep.store import tarballs, whole_files

    found = resolved(repository, commit)
    place = below / f"{found[:12]}-{hashing.short_hash(found, *modules)}"
    if not place.is_dir():
        given = paths(repository, found, modules)
        there = set(git(repository, "ls-tree", "--name-only", "--full-tree", found, *given).splitlines())
        content = _run(repository, ("archive", "--format=tar", found, *(path for path in given if path in there)))
        with whole_files.made_whole(place) as folder:
            tarballs.unpack(f"{repository} at {commit}", folder, ns3_modules.needed, content)
    return place


def _run(repository: Path, arguments: Sequence[str]) -> bytes:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {"LC_ALL": "C"}
    command = ["git", "-C", str(repository), *arguments]
    try:
        ended = subprocess.run(command, capture_output=True, check=False, env=environment)
    except FileNotFoundError:
        raise EngineError("git is not installed; to install it: `apt-get install git`") from None
    if ended.returncode:
        said = ended.stderr.decode(errors="replace").strip().splitlines() or ["failed"]
        raise EngineError(f"{repository}: git {arguments[0]}: {said[-1].removeprefix('fatal: ')}")
    return ended.stdout

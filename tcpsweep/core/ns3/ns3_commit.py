# SPDX-License-Identifier: MIT
"""The source of an ns-3 at a commit of a git repository, read without touching the repository's own files."""

import functools
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tcpsweep.core.identity import hashing
from tcpsweep.core.ns3 import ns3_modules
from tcpsweep.core.ns3.installation import EngineError


def _git(repository: Path, *arguments: str) -> str:
    """The output of a command of git that asks only for names and paths. Raises `EngineError`."""
    return text(_run(repository, arguments))


def resolved(repository: Path, commit: str) -> str:
    """The hash of a commit that is named by a hash, a tag or a branch. Raises `EngineError`."""
    _git(repository, "rev-parse", "--git-dir")  # says what is wrong if it is no repository
    try:
        return _git(repository, "rev-parse", "--verify", "--end-of-options", f"{commit}^{{commit}}").splitlines()[-1]
    except EngineError:
        raise EngineError(f"{repository} has no commit {commit!r}; expected a hash, a tag or a branch") from None


def paths(repository: Path, commit: str, modules: Sequence[str]) -> list[str]:
    """The files and folders of a commit that a build of these modules reads."""
    with objects(repository, commit) as read:
        names = set(text(read("ls-tree", "-r", "--name-only", "--full-tree", commit)).splitlines())
        if not {"VERSION", "CMakeLists.txt"} <= names:
            raise EngineError(f"{repository} at {commit}: expected the source of ns-3, 3.36 or later")

        @functools.cache
        def cmake(folder: str) -> str | None:
            file = f"{folder}/CMakeLists.txt"
            return text(read("show", f"{commit}:{file}")) if file in names else None

        folders = ns3_modules.folders(modules, cmake, f"{repository} at {commit}")
    common = [name for name in ("VERSION", "CMakeLists.txt", "CHANGES.md", *ns3_modules.LISTS) if name in names]
    return [*common, "build-support", "utils", *sorted(folders)]


def exported(repository: Path, commit: str, modules: Sequence[str], below: Path) -> Path:
    """Write the files of a commit that a build of these modules reads, once; returns their folder in ``below``.

    Raises `EngineError`.
    """
    from tcpsweep.core.store import tarballs, whole_files

    full_id = resolved(repository, commit)
    place = below / f"{full_id[:12]}-{hashing.short_hash(full_id, *modules)}"
    if not place.is_dir():
        needed = paths(repository, full_id, modules)
        with objects(repository, full_id) as read:
            existing = set(text(read("ls-tree", "--name-only", "--full-tree", full_id, *needed)).splitlines())
            content = read("archive", "--format=tar", full_id, *(path for path in needed if path in existing))
        with whole_files.made_whole(place) as folder:
            tarballs.unpack(f"{repository} at {commit}", folder, ns3_modules.needed, content)
    return place


@contextmanager
def objects(repository: Path, commit: str) -> Iterator[Callable[..., bytes]]:
    """A function that runs git on a repository's objects, without any configuration, which can name programs to run."""
    folder = repository.absolute()
    objects_folder, shallow = (
        folder / _git(repository, "rev-parse", "--git-path", name) for name in ("objects", "shallow")
    )
    with tempfile.TemporaryDirectory() as empty:
        object_format = ("--object-format=sha256",) if len(commit) == 64 else ()
        git_env = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        _run(repository, ("init", "--bare", "--quiet", "--template=", *object_format, empty), git_env)
        git_env |= {"GIT_DIR": empty, "GIT_OBJECT_DIRECTORY": str(objects_folder)}
        git_env |= (
            {"GIT_SHALLOW_FILE": str(shallow)} if shallow.is_file() else {}
        )  # where a shallow clone's history ends
        yield lambda *arguments: _run(repository, arguments, git_env)


def text(output: bytes) -> str:
    """The output of git as text."""
    return output.decode(errors="replace").strip()


def _run(repository: Path, arguments: Sequence[str], git_env: Mapping[str, str] | None = None) -> bytes:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {"LC_ALL": "C"}
    # Without a protocol, a partial clone cannot fetch files with programs that its configuration names.
    environment |= {"GIT_ALLOW_PROTOCOL": "none", **(git_env or {})}
    command = ["git", "-C", str(repository), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, check=False, env=environment)
    except FileNotFoundError:
        raise EngineError("git is not installed; to install it: `apt-get install git`") from None
    if done.returncode:
        lines = [line.strip() for line in text(done.stderr).splitlines()] or ["failed"]
        why = next((line for line in lines if line.startswith("fatal: ")), lines[-1]).removeprefix("fatal: ")
        advice = next((line for line in lines if line.startswith("git config ")), None)
        trust = f"; if you trust its owner, run `{advice}`" if advice else ""
        raise EngineError(f"{repository}: git {arguments[0]}: {why}{trust}")
    return done.stdout

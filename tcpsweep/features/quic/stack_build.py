# SPDX-License-Identifier: MIT
"""Compile a QUIC stack, once for a user, from its folder in ``quic-stacks/``."""

from __future__ import annotations

import fcntl
import functools
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tcpsweep.core.contact.build import Build
from tcpsweep.core.identity import hashing, source_folders
from tcpsweep.core.store import compiled_programs
from tcpsweep.core.words import field_names
from tcpsweep.core.words.mixes import Mix
from tcpsweep.features.quic import quic_names, recipes, stack_sources
from tcpsweep.features.quic.recipes import NoStack


def used(row: Mapping[str, Any]) -> list[str]:
    """The QUIC stacks of a combination's flows, sorted. Raises `ValueError` for one that tcpsweep does not have."""
    names = Mix.parse(str(row.get("variant", ""))).variants
    checked_names = (quic_names.checked(name) for name in names if quic_names.is_quic(name))
    return sorted({field_names.stack_and_control(name)[0] for name in checked_names})


def identity(stack: str) -> str:
    """A hash over the sources of a stack, with the versions of all that they are compiled with."""
    return _identity(source_folders.quic_stacks() / stack)


@functools.cache
def _identity(folder: Path) -> str:
    return hashing.short_hash(*stack_sources.texts(folder), *recipes.versions(folder.name, folder))


def library(stack: str) -> Path:
    """The path of the library that a stack is compiled to."""
    return compiled_programs.folder() / f"quic-{stack}-{identity(stack)}" / f"libtcpsweep_{stack}.so"


def argument(stacks: Iterable[str]) -> list[str]:
    """The simulator's argument, in a list, that names the libraries of stacks. Without stacks, the list is empty."""
    libraries = ",".join(f"{stack}={library(stack)}" for stack in stacks)
    return [f"--quic={libraries}"] if libraries else []


def make(stack: str) -> Path:
    """Compile a stack, unless that is done, and return its library. Other processes that need it wait.

    Raises `NoStack` if the machine lacks what this needs, or with the last errors and the log's path.
    """
    path = library(stack)
    if compiled_programs.is_there(path):
        return path
    recipe = recipes.recipe(stack)
    folder = path.parent
    try:
        compiled_programs.made_folder()
        with Path(f"{folder}.log").open("a", encoding="utf-8") as log:
            fcntl.flock(log, fcntl.LOCK_EX)
            if not compiled_programs.is_there(path):
                words = f"compiling the QUIC stack {stack}, once, {recipe.what}"
                print(f"tcpsweep: {words}; log: {log.name}", file=sys.stderr, flush=True)
                log.truncate(0)
                compiled_programs.clear(folder)
                _compile(stack, recipe, path, Path(log.name))
    except OSError as error:
        raise NoStack(f"{error.filename or folder} cannot be written: {error.strerror}") from None
    return path


def _compile(stack: str, recipe: recipes.Recipe, path: Path, log: Path) -> None:
    """Compile a stack in a scratch folder, which becomes the folder of the library, ``path``. Raises `NoStack`."""
    source, folder, began_s = source_folders.quic_stacks() / stack, path.parent, time.monotonic()
    work = folder.with_name(f".{folder.name}.{os.getpid()}")
    shutil.rmtree(work, ignore_errors=True)
    for name in ("made", "release"):
        (work / name).mkdir(parents=True)
    try:
        with log.open("a", encoding="utf-8") as out:
            process = subprocess.run(
                recipe.command(work),
                cwd=source,
                env=recipe.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                check=False,
            )
        if process.returncode:
            raise NoStack(
                f"the QUIC stack {stack} does not compile; it needs {recipe.needs}; {log} ends with\n{_tail(log)}"
            )
        if foreign := stack_sources.foreign(source, (work / "release").glob("*.d")):
            raise NoStack(
                f"the QUIC stack {stack} is compiled with {foreign[0]}, which is in no simulation's id: move it "
                f"below {source}, or into a package that {source / 'Cargo.toml'} names by `path`"
            )
        if _identity.__wrapped__(source) != _identity(source):
            raise NoStack(f"the QUIC stack {stack} has changed while it was compiled; run the command again")
        shutil.copy(work / "release" / path.name, work / "made")
        compiled_programs.write_record(work / "made", source, [], time.monotonic() - began_s)
        (work / "made").rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _tail(log: Path) -> str:
    return compiled_programs.tail(log, lines=6)


def _unneeded() -> dict[str, list[Path]]:
    """The folders of stacks whose code or compiler has changed, or whose code is gone."""
    return {"programs": [folder for folder in compiled_programs.folder().glob("quic-*/") if _is_outdated(folder)]}


def _is_outdated(folder: Path) -> bool:
    record = compiled_programs.record(folder)
    source = Path(record.source) if record else folder
    is_ours = source.parent == source_folders.quic_stacks()
    return not source.exists() or (is_ours and folder.name != library(source.name).parent.name)


BUILD = Build(_unneeded)

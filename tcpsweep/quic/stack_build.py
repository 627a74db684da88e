# SPDX-License-Identifier: MIT
"""Compile a QUIC stack, once for a user, from its folder in ``quic-stacks/``."""

from __future__ import annotations

import fcntl
import functools
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tcpsweep.identity import hashing, source_folders
from tcpsweep.store import compiled_programs, digests, whole_files
from tcpsweep.words import quic_names
from tcpsweep.words.mixes import Mix
from tcpsweep.words.user_error import UserError

_FILES = ("Cargo.toml", "Cargo.lock", "config.toml", "src/*.rs")
_HOW = "install Rust 1.88 or later, with rustup or your system's packages"


class NoStack(UserError):
    """A QUIC stack cannot be compiled. The message says why and what to do, and the user reads it."""


def used(row: Mapping[str, Any]) -> list[str]:
    """The QUIC stacks of a combination's flows, sorted."""
    named = Mix.parse(str(row.get("variant", ""))).variants
    return sorted({quic_names.stack_of(variant) for variant in named if quic_names.is_quic(variant)})


@functools.cache
def identity(stack: str) -> str:
    """A hash over the sources of a stack, with the versions and hashes of all its crates."""
    folder = source_folders.QUIC_STACKS / stack
    paths = sorted(path for pattern in _FILES for path in folder.glob(pattern))
    return hashing.short_hash(*(path.read_text(encoding="utf-8") for path in paths))


def library(stack: str) -> Path:
    """The path of the library that a stack is compiled to."""
    return compiled_programs.folder() / f"quic-{stack}-{identity(stack)}" / f"libtcpsweep_{stack}.so"


def argument(stacks: Iterable[str]) -> list[str]:
    """The simulator's argument, in a list, that names the libraries of stacks. Without stacks, the list is empty."""
    named = ",".join(f"{stack}={library(stack)}" for stack in stacks)
    return [f"--quic={named}"] if named else []


def make(stack: str) -> Path:
    """Compile a stack, unless that is done, and return its library. Other processes that need it wait.

    Raises `NoStack` if there is no Rust, or with the first errors and the log's path.
    """
    made = library(stack)
    if compiled_programs.is_there(made):
        return made
    cargo = shutil.which("cargo") or shutil.which(Path.home() / ".cargo" / "bin" / "cargo")
    if not cargo:
        raise NoStack(f"the QUIC stack {stack} is compiled once, which needs Rust: {_HOW}")
    compiled_programs.made_folder()
    place = made.parent
    try:
        with Path(f"{place}.log").open("a", encoding="utf-8") as log:
            fcntl.flock(log, fcntl.LOCK_EX)
            if not compiled_programs.is_there(made):
                words = f"compiling the QUIC stack {stack}, once, with crates that cargo downloads; about 1 min"
                print(f"tcpsweep: {words}; log: {log.name}", file=sys.stderr, flush=True)
                log.truncate(0)
                shutil.rmtree(place, ignore_errors=True)
                _compile(stack, cargo, made, Path(log.name))
    except OSError as error:
        raise NoStack(f"{error.filename or place} cannot be written: {error.strerror}") from None
    return made


def _compile(stack: str, cargo: str, made: Path, log: Path) -> None:
    source, place, began_s = source_folders.QUIC_STACKS / stack, made.parent, time.monotonic()
    work = place.with_name(f".{place.name}.{os.getpid()}")
    shutil.rmtree(work, ignore_errors=True)
    # Rust's compiler is next to cargo, which may not be in PATH.
    environment = os.environ | {"PATH": f"{os.environ.get('PATH', '')}:{Path(cargo).parent}"}
    command: list[str | Path] = [
        cargo,
        "build",
        "--release",
        "--locked",
        "--config",
        "config.toml",
        "--target-dir",
        work,
    ]
    try:
        with log.open("a", encoding="utf-8") as out:
            done = subprocess.run(
                command,
                cwd=source,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                check=False,
            )
        if done.returncode:
            raise NoStack(f"the QUIC stack {stack} does not compile: {_HOW}; {log} ends with\n{_tail(log)}")
        (work / "made").mkdir()
        shutil.copy(work / "release" / made.name, work / "made")
        record = {"source": str(source), "needs": [], "seconds": time.monotonic() - began_s}
        record["digest"] = digests.file_digest(work / "made" / made.name)
        (work / "made" / compiled_programs.RECORD).write_text(json.dumps(record), encoding="utf-8")
        for path in (work / "made" / made.name, work / "made" / compiled_programs.RECORD, work / "made"):
            whole_files.sync(path)
        (work / "made").rename(place)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _tail(log: Path) -> str:
    return compiled_programs.tail(log, lines=6)

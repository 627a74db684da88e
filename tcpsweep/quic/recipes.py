# SPDX-License-Identifier: MIT
"""How a QUIC stack is compiled: with cargo, or with a C compiler against a library that the machine has."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tcpsweep.identity import source_folders
from tcpsweep.words.user_error import UserError

# Of stacks in C, the packages of Debian and Ubuntu with the library of the stack's name.
_PACKAGES = {"ngtcp2": "libngtcp2-dev (0.12)"}
_INCLUDED = source_folders.ROOT / "ns3-scenarios" / "lib"


class NoStack(UserError):
    """A QUIC stack cannot be compiled. The message says why and what to do, and the user reads it."""


@dataclass(frozen=True)
class Recipe:
    """How a stack is compiled."""

    command: Callable[[Path], list[str | Path]]  # it leaves the library in `release`, in this folder
    environment: Mapping[str, str]
    how: str  # what to install
    what: str  # what else happens, for the user


def recipe(stack: str) -> Recipe:
    """How a stack is compiled. Raises `NoStack` if the machine lacks what this needs."""
    return _in_c(stack) if stack in _PACKAGES else _in_rust(stack)


def versions(stack: str) -> list[str]:
    """What a stack in C is compiled with: the interface and the versions of compiler and library; none if missing."""
    if stack not in _PACKAGES:
        return []
    interface = (_INCLUDED / "quic" / "quic-stack.h").read_text(encoding="utf-8")
    return [interface, *_versions(stack, shutil.which("cc"))]


def _versions(stack: str, compiler: str | None) -> list[str]:
    command = [str(compiler), "-dM", "-E", "-include", f"{stack}/version.h", "-x", "c", os.devnull]
    done = subprocess.run(command, capture_output=True, text=True, check=False) if compiler else None
    names = ("__VERSION__", f"{stack.upper()}_VERSION")
    defined = done.stdout.splitlines() if done and not done.returncode else []
    return sorted(line for line in defined if line.split()[1] in names)


def _in_rust(stack: str) -> Recipe:
    how = "install Rust 1.88 or later, with rustup or your system's packages"
    cargo = shutil.which("cargo")
    with contextlib.suppress(RuntimeError):  # there may be no home folder
        cargo = cargo or shutil.which(Path.home() / ".cargo" / "bin" / "cargo")
    if not cargo:
        raise NoStack(f"the QUIC stack {stack} is compiled once, which needs Rust: {how}")
    build: list[str | Path] = [cargo, "build", "--release", "--locked", "--config", "config.toml", "--target-dir"]
    # Rust's compiler is next to cargo, which may not be in PATH.
    environment = os.environ | {"PATH": f"{os.environ.get('PATH', '')}:{Path(cargo).parent}"}
    return Recipe(lambda work: [*build, work], environment, how, "with crates that cargo downloads; about 1 min")


def _in_c(stack: str) -> Recipe:
    how = f"install the packages {_PACKAGES[stack]} and gcc"
    compiler = shutil.which("cc")
    if not compiler or not _versions(stack, compiler):
        raise NoStack(f"the QUIC stack {stack} is compiled once, which needs its library and a C compiler: {how}")
    sources = sorted((source_folders.quic_stacks() / stack / "src").glob("*.c"))
    options = ["-std=c11", "-O2", "-Wall", "-Wextra", "-fPIC", "-shared", "-fvisibility=hidden", f"-I{_INCLUDED}"]
    made = f"release/libtcpsweep_{stack}.so"
    command: list[str | Path] = [compiler, *options, *sources, f"-l{stack}", "-o"]
    return Recipe(lambda work: [*command, work / made], os.environ, how, "a few seconds")

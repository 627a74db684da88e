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

from tcpsweep.core.identity import source_folders
from tcpsweep.core.store import compiled_programs, digests
from tcpsweep.core.words.user_error import UserError
from tcpsweep.features.quic import stack_sources

# Of stacks in C, the packages of Debian and Ubuntu with the library of the stack's name.
_PACKAGES = {"ngtcp2": "libngtcp2-dev (0.12)"}
_INCLUDED = stack_sources.INTERFACE.parents[1]


class NoStack(UserError):
    """A QUIC stack cannot be compiled. The message says why and what to do, and the user reads it."""


@dataclass(frozen=True)
class Recipe:
    """How a stack is compiled."""

    command: Callable[[Path], list[str | Path]]  # it leaves the library in `release`, in this folder
    environment: Mapping[str, str]
    needs: str
    what: str  # what else happens, for the user


def recipe(stack: str) -> Recipe:
    """How a stack is compiled. Raises `NoStack` if the machine lacks what this needs."""
    return _c_recipe(stack) if stack in _PACKAGES else _rust_recipe(stack)


def versions(stack: str, folder: Path) -> list[str]:
    """What identifies everything outside of its folder that a stack is compiled with; none if it is missing.

    These are versions, and the text of the header between stacks and scenarios.
    """
    if stack not in _PACKAGES:
        return _rust_versions(folder)
    compiler = shutil.which("cc")
    return [
        stack_sources.INTERFACE.read_text(encoding="utf-8"),
        *_c_versions(stack, compiler),
        *_linked(stack, compiler),
    ]


def _c_versions(stack: str, compiler: str | None) -> list[str]:
    command = [str(compiler), "-dM", "-E", "-include", f"{stack}/version.h", "-x", "c", os.devnull]
    process = subprocess.run(command, capture_output=True, text=True, check=False) if compiler else None
    names = ("__VERSION__", f"{stack.upper()}_VERSION")
    macros = process.stdout.splitlines() if process and not process.returncode else []
    return sorted(line for line in macros if line.split()[1] in names)


def _linked(stack: str, compiler: str | None) -> list[str]:
    """A hash of the library that a stack in C is linked to."""
    command = [str(compiler), f"-print-file-name=lib{stack}.so"]
    process = subprocess.run(command, capture_output=True, text=True, check=False) if compiler else None
    path = Path(process.stdout.strip()) if process else Path()
    return [digests.file_digest(path)] if path.is_absolute() and path.is_file() else []


def _rust_versions(folder: Path) -> list[str]:
    """What Rust's compiler says about itself in a stack's folder, where a file may choose another one."""
    cargo = _cargo()
    if not cargo:
        return []
    environment = _rust_environment(cargo)
    with contextlib.suppress(OSError):
        process = subprocess.run(
            ["rustc", "-vV"], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        return process.stdout.splitlines()
    return []


def _cargo() -> str | None:
    cargo = shutil.which("cargo")
    with contextlib.suppress(RuntimeError):  # there may be no home folder
        cargo = cargo or shutil.which(Path.home() / ".cargo" / "bin" / "cargo")
    return cargo


def _rust_environment(cargo: str) -> dict[str, str]:
    """The environment without variables that change how cargo compiles: no identity has them."""
    left_out = (
        "RUSTC",
        "RUSTFLAGS",
        "RUSTDOC",
        *(f"CARGO_{name}" for name in ("BUILD", "ENCODED", "PROFILE", "TARGET")),
    )
    kept = {name: value for name, value in compiled_programs.environment().items() if not name.startswith(left_out)}
    # Rust's compiler is next to cargo, which may not be in PATH.
    return kept | {"PATH": f"{os.environ.get('PATH', '')}:{Path(cargo).parent}"}


def _rust_recipe(stack: str) -> Recipe:
    needs = "Rust 1.88 or later"
    cargo = _cargo()
    if not cargo:
        raise NoStack(
            f"the QUIC stack {stack} is compiled once, which needs Rust: install {needs}, with rustup or your system's "
            "packages"
        )
    build: list[str | Path] = [cargo, "build", "--release", "--locked", "--config", "config.toml", "--target-dir"]
    return Recipe(
        lambda work: [*build, work], _rust_environment(cargo), needs, "with crates that cargo downloads; about 1 min"
    )


def _c_recipe(stack: str) -> Recipe:
    needs = f"the packages {_PACKAGES[stack]} and gcc"
    compiler = shutil.which("cc")
    if not compiler or not _c_versions(stack, compiler):
        raise NoStack(
            f"the QUIC stack {stack} is compiled once, which needs its library and a C compiler: install {needs}"
        )
    sources = sorted((source_folders.quic_stacks() / stack / "src").glob("*.c"))
    options = [
        "-std=c11",
        "-O2",
        "-Wall",
        "-Wextra",
        "-fPIC",
        "-shared",
        "-fvisibility=hidden",
        "-MMD",
        f"-I{_INCLUDED}",
    ]
    library = f"release/libtcpsweep_{stack}.so"
    command: list[str | Path] = [compiler, *options, *sources, f"-l{stack}", "-o"]
    return Recipe(lambda work: [*command, work / library], compiled_programs.environment(), needs, "a few seconds")

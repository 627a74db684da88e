# SPDX-License-Identifier: MIT
"""The two small programs that a kernel in virtual time needs: its first process, and its random numbers."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

from tcpsweep.core.identity import hashing
from tcpsweep.core.store import compiled_programs
from tcpsweep.features.linux.kernel_source import NoKernel

SOURCES = Path(__file__).with_name("guest")
INIT, RANDOM = "init", "random.so"
_ARGUMENTS_BY_PROGRAM = {INIT: ("init.c",), RANDOM: ("-shared", "-fPIC", "random.c")}


def compiler() -> list[str]:
    """The command of the C compiler: ``CC``, or GCC."""
    return shlex.split(os.environ.get("CC") or "gcc")


def identity() -> str:
    """A hash over the programs, which influence a simulation's bytes."""
    return hashing.short_hash(*(path.read_text(encoding="utf-8") for path in sorted(SOURCES.glob("*.c"))))


@compiled_programs.written()
def folder() -> Path:
    """The folder with the programs, compiled if they are not there. Raises `NoKernel` if they do not compile."""
    compiled_folder = compiled_programs.made_folder() / f"linux-guest-{identity()}"
    if compiled_programs.is_intact(compiled_folder):
        return compiled_folder
    temporary_folder = compiled_folder.with_name(f".{compiled_folder.name}.{os.getpid()}")
    shutil.rmtree(temporary_folder, ignore_errors=True)
    temporary_folder.mkdir()
    try:
        for name, arguments in _ARGUMENTS_BY_PROGRAM.items():
            command = [*compiler(), "-O2", "-o", str(temporary_folder / name), *arguments]
            compiled = subprocess.run(command, cwd=SOURCES, capture_output=True, text=True, check=False)
            if compiled.returncode:
                raise NoKernel(f"`{shlex.join(command)}` failed\n{compiled.stderr.strip()}")
        compiled_programs.write_record(temporary_folder, SOURCES, [], 0.0)
        if not compiled_programs.is_intact(compiled_folder):
            compiled_programs.clear(compiled_folder)
            temporary_folder.rename(compiled_folder)
    except FileNotFoundError:
        raise NoKernel(f"{compiler()[0]} is not installed; to install it: `apt-get install gcc`") from None
    except OSError:
        if not compiled_programs.is_intact(compiled_folder):  # otherwise another process was first
            raise
    finally:
        shutil.rmtree(temporary_folder, ignore_errors=True)
    return compiled_folder

# SPDX-License-Identifier: MIT
"""Command lines that run a command in a sandbox of bubblewrap.

There are three sandboxes: of a whole ranking, of one simulation inside it, and of a compiler. None has a network, a
home folder, or the processes of others. Each ends with the process that started it.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from tcpsweep.core.identity import source_folders
from tcpsweep.core.ns3 import simulator_environment
from tcpsweep.core.store import compiled_programs
from tcpsweep.features.rank import system_calls

MOST_BYTES = 3_000_000_000  # of a simulator's memory
MOST_FILE_BYTES = 2_000_000_000
MOST_COMPILER_BYTES = 2_000_000_000
MOST_CPU_S = 3600
COMPILER_S = 60
PATIENCE = 10  # times a limit of CPU time: the limit of the clock, because a busy machine makes nothing wrong
_MOST_OBJECT_BYTES = 100_000_000
_SCRATCH_BYTES = 16_000_000  # of a simulator's /tmp, where ns-3's messages go
_APART = ("--unshare-all", "--new-session", "--die-with-parent", "--clearenv", "--cap-drop", "ALL")
# Root needs it to make the sandbox inside the sandbox.
_FOR_NESTED = ("--cap-add", "CAP_SETFCAP") if os.getuid() == 0 else ()
_PROGRAMS = "/usr/local/bin:/usr/bin:/bin"
_FILTER = 9


@functools.cache
def hindrance() -> str | None:
    """Why no sandbox is possible here, in words for the user; None if a sandbox inside a sandbox works."""
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed; `apt-get install bubblewrap`"
    if not shutil.which("prlimit"):
        return "prlimit is not installed; `apt-get install util-linux`"
    if why := system_calls.hindrance():
        return why
    with tempfile.TemporaryDirectory() as folder:
        inner = ["bwrap", *_APART, *_system(), "--remount-ro", "/", "true"]
        for command in (campaign(Path(folder), inner), simulation(Path(folder), ["true"])):
            ended = subprocess.run(command, capture_output=True, text=True, check=False)
            if ended.returncode:
                said = (ended.stderr.strip() or "it says nothing").splitlines()[-1]
                return f"this machine or container forbids the sandboxes of bubblewrap: {said}"
    return None


def campaign(folder: Path, command: Sequence[str], readable: Iterable[Path] = ()) -> list[str]:
    """The command, run where only ``folder`` can be written.

    It can read the project, the Python environment and ``readable``. Its home and its compiled programs are below
    ``folder``. Makes these folders.
    """
    folder = folder.resolve()
    home, users = folder / "home", folder / "home" / ".passwd"
    home.mkdir(parents=True, exist_ok=True)
    (folder / "build").mkdir(mode=0o700, exist_ok=True)
    users.write_text(f"user:x:{os.getuid()}:{os.getgid()}::{home}:/bin/sh\n", encoding="utf-8")
    python = [Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parent.parent]
    project = [source_folders.PACKAGE.parent, source_folders.ROOT, source_folders.SCENARIOS]
    environment = {
        "HOME": str(home),
        "TMPDIR": "/tmp",
        "PATH": f"{sys.prefix}/bin:{_PROGRAMS}",
        "PYTHONPATH": source_folders.python_path(),
        compiled_programs.ELSEWHERE: str(folder / "build"),
        source_folders.ELSEWHERE: str(source_folders.SCENARIOS),
        "LC_ALL": "C.UTF-8",
    }
    return [
        *("bwrap", *_APART, *_FOR_NESTED, *_system(), "--ro-bind", str(users), "/etc/passwd"),
        *("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"),
        *_read_only([*python, *project, *readable]),
        *("--bind", str(folder), str(folder), "--remount-ro", "/", "--chdir", str(folder)),
        *_variables(environment),
        *("--", *command),
    ]


def simulation(out: Path, command: Sequence[str], cpu_s: int = MOST_CPU_S) -> list[str]:
    """The command of a simulator, run where only ``out`` can be written, with limits; SIGXCPU ends it after ``cpu_s``.

    It can read its program, the libraries of it, and the files that its arguments name. It has no /proc, because a
    process can read its own command line there, which names the network.
    """
    out = out.absolute()
    preloaded = simulator_environment.environment().get("LD_PRELOAD", "").split()
    allocator = [name for name in preloaded if name.endswith(f"/{simulator_environment.ALLOCATOR}")]
    kept = {"LD_PRELOAD": allocator[0]} if allocator else {}
    limits = [
        f"--as={MOST_BYTES}",
        f"--cpu={cpu_s}:{cpu_s + 5}",
        f"--fsize={MOST_FILE_BYTES}",
        "--nofile=256",
        "--core=0",
    ]
    # sh opens the filter's file again, so that bubblewrap reads it from its begin.
    opening = ["sh", "-c", f'exec {_FILTER}<"$0"; exec "$@"', _filter_path()]
    return [
        *(*opening, "prlimit", *limits, "bwrap", *_APART, "--seccomp", str(_FILTER), *_system(), "--dev", "/dev"),
        *("--size", str(_SCRATCH_BYTES), "--tmpfs", "/tmp"),
        *_read_only(_needed(command, out)),
        *("--dir", str(Path.cwd()), "--bind", str(out), str(out), "--remount-ro", "/dev", "--remount-ro", "/"),
        *("--chdir", str(Path.cwd()), *_variables(kept | {"PATH": _PROGRAMS, "LC_ALL": "C.UTF-8"})),
        *("--", *command),
    ]


def compilation(folder: Path, command: Sequence[str], readable: Iterable[Path] = ()) -> list[str]:
    """The command of a compiler, run in ``folder``, the only one that can be written, with limits.

    Compilers start processes, so only their time and memory are limited.
    """
    place = str(folder.resolve())
    limits = [f"--as={MOST_COMPILER_BYTES}", f"--cpu={COMPILER_S}", f"--fsize={_MOST_OBJECT_BYTES}", "--core=0"]
    return [
        *("prlimit", *limits, "bwrap", *_APART, *_system(), "--dev", "/dev", *_read_only(readable)),
        *("--bind", place, place, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", place),
        *_variables({"PATH": _PROGRAMS, "TMPDIR": place, "LC_ALL": "C.UTF-8"}),
        *("--", *command),
    ]


def _system() -> list[str]:
    """The options that show this system's programs and libraries at their usual places."""
    options = ["--ro-bind", "/usr", "/usr"]
    for path in (Path("/bin"), Path("/sbin"), Path("/lib"), *sorted(Path("/").glob("lib[0-9x]*"))):
        if path.is_symlink():
            options += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            options += ["--ro-bind", str(path), str(path)]
    for name in ("/etc/ld.so.cache", "/etc/alternatives"):
        options += ["--ro-bind-try", name, name]
    return options


def _read_only(paths: Iterable[Path]) -> list[str]:
    """The options that show these paths, and what their links lead to. Links inside a shown folder are there anyway."""
    existing = [path for path in paths if path.exists()]
    places = {path.resolve() for path in existing}
    links = {path.absolute() for path in existing if not places.intersection(path.absolute().parents)}
    return [word for place in sorted(map(str, places | links)) for word in ("--ro-bind", place, place)]


def _variables(environment: dict[str, str]) -> list[str]:
    return [word for name, value in environment.items() for word in ("--setenv", name, value)]


def _needed(command: Sequence[str], out: Path) -> list[Path]:
    """The files that a simulator reads: the folders of its program and of ns-3, and files in its arguments."""
    values = [value for argument in command[1:] for value in argument.partition("=")[2].split(",") if "/" in value]
    named = [path for value in values if (path := Path(value).absolute()).exists() and path != out]
    program = Path(command[0])
    compiled = [program.parent] if program.is_absolute() else []
    notes = [note for path in (*compiled, *(path.parent for path in named)) if (note := compiled_programs.record(path))]
    return [*compiled, *named, *(Path(path).parent for note in notes for path in note.needs if path.endswith(".so"))]


def _filter_path() -> str:
    return f"/proc/{os.getpid()}/fd/{system_calls.forbidding_file()}"

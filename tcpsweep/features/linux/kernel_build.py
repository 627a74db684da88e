# SPDX-License-Identifier: MIT
"""Build kernels whose time is virtual, once for a user, and find the ones that were built."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from tcpsweep.core.identity import hashing
from tcpsweep.core.store import compiled_programs, locks, state_files
from tcpsweep.core.words.rounding import bytes_text
from tcpsweep.features.linux import guest_programs, kernel_source, virtual_time
from tcpsweep.features.linux.guest_programs import compiler
from tcpsweep.features.linux.kernel_source import NoKernel, Source
from tcpsweep.features.linux.virtual_time import LINUX

CONFIGURATION = guest_programs.SOURCES / "kernel.config"
RECORD = "kernel.json"
_NAME_PREFIX = "kernel-"  # the beginning of links to kernels' folders; the rest is a name
# The programs that a build needs, and Debian's packages that have them.
_TOOLS = {"make": "make", "flex": "flex", "bison": "bison", "bc": "bc", "cp": "coreutils", "xargs": "findutils"}
_COMPILED = re.compile(r"^  (CC|AS|LD|AR|HOSTCC) ")
_TYPICAL_COMPILED_FILES = 960  # roughly; some compilers and kernels have more
_FULL_BYTES = 100_000_000  # with less space left, a build that failed has probably filled the disk
MINUTES = 5  # how long a build takes on two cores, roughly
# TCP's timers count ticks. User-Mode Linux always has 100 ticks a second; most machines have 250 or 1000.
_TICKS = re.compile(r"(config HZ\n\s+int\n\s+default )100\b")


@dataclass(frozen=True)
class Built:
    """The record of a kernel that was built."""

    version: str  # of its source, such as 6.12.1
    release: str  # as the kernel itself names it; the version and the identity
    source: str  # the path of its source
    seconds: float  # the time that the build took
    size: int  # of the kernel, in bytes
    controls: list[str]  # its congestion controls
    settings: dict[str, str]  # the sysctls of its TCP in a new network namespace


@dataclass(frozen=True)
class Found:
    """A kernel that was built."""

    folder: Path
    built: Built
    names: tuple[str, ...] = ()  # the user's names for it


def identity(source: Source) -> str:
    """A hash over all that determines a kernel: source, configuration and compiler."""
    compiler_version = subprocess.run([*compiler(), "--version"], capture_output=True, text=True, check=False).stdout
    configuration = CONFIGURATION.read_text(encoding="utf-8")
    return hashing.short_hash(source.id, compiler_version.partition("\n")[0], _TICKS.pattern, configuration)


def all_built() -> list[Found]:
    """The kernels of this user that were built, the newest version last."""
    kernels, names = [], _names()
    for path in compiled_programs.folder().glob(f"linux-*/{RECORD}"):
        built = state_files.read(path, Built) if compiled_programs.is_intact(path.parent) else None
        if built:
            kernels.append(Found(path.parent, built, tuple(names.get(path.parent.name, ()))))
    return sorted(
        kernels, key=lambda kernel: ([int(part) for part in kernel.built.version.split(".")], kernel.built.release)
    )


def damaged() -> list[str]:
    """A sentence on each kernel of this user that is not as it was built."""
    folders = sorted(path.parent for path in compiled_programs.folder().glob(f"linux-*/{LINUX}"))
    advice = "`tcpsweep kernel build` builds this kernel again, from its source"
    return [f"{why}: {advice}" for folder in folders if (why := compiled_programs.damage(folder))]


def lend(programs_folder: Path) -> None:
    """Make the kernels of this user, with their names, those of another folder of programs too."""
    programs_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for kernel in all_built():
        (programs_folder / kernel.folder.name).symlink_to(kernel.folder)
        for name in kernel.names:
            (programs_folder / f"{_NAME_PREFIX}{name}").symlink_to(kernel.folder.name)


def _names() -> dict[str, list[str]]:
    """The user's names for kernels, by the name of the kernel's folder. Each name is a symbolic link to this folder."""
    by_folder: dict[str, list[str]] = {}
    for link in sorted(compiled_programs.folder().glob(f"{_NAME_PREFIX}*")):
        if link.is_symlink():
            by_folder.setdefault(link.readlink().name, []).append(link.name.removeprefix(_NAME_PREFIX))
    return by_folder


def check_name(name: str) -> None:
    """Raises `NoKernel` if a kernel cannot have this name in sweep files."""
    if not re.fullmatch(r"[a-z][a-z0-9.-]*", name) or name == virtual_time.NEWEST or name.startswith("linux-"):
        raise NoKernel(
            f"a kernel cannot be named {name!r}: use small letters, digits, dots and hyphens, as in bbr3; "
            f"{virtual_time.NEWEST} and names that begin with linux- have another meaning"
        )


def give_name(kernel: Found, name: str) -> None:
    """Give a kernel a name for sweep files. A kernel that had this name before loses it."""
    check_name(name)
    link = compiled_programs.folder() / f"{_NAME_PREFIX}{name}"
    temporary_link = link.with_name(f".{link.name}.{os.getpid()}")
    temporary_link.unlink(missing_ok=True)
    temporary_link.symlink_to(kernel.folder.name)
    temporary_link.replace(link)


def check_tools() -> None:
    """Raises `NoKernel` if this machine lacks a program that a build needs; it names all missing ones."""
    missing = {package for tool, package in _TOOLS.items() if not shutil.which(tool)}
    if not shutil.which(compiler()[0]):
        missing.add("gcc")
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        raise NoKernel(f"virtual time needs Linux on x86_64; this is {sys.platform} on {os.uname().machine}")
    if missing:
        packages = " ".join(sorted(missing))
        raise NoKernel(
            f"building a kernel needs programs that are missing; to install them: `apt-get install {packages}`"
        )


@compiled_programs.written()
def make(source: Source) -> Found:
    """Build a kernel from its source, unless it was built, and return it. Other processes that need this kernel wait.

    The log of the build is next to its folder. Raises `NoKernel` with the log's first errors and its path.
    """
    check_tools()
    name = f"linux-{source.version}-{identity(source)}"
    folder = compiled_programs.made_folder() / name
    for kernel in all_built():
        if kernel.folder == folder:
            return kernel
    work, log = folder.with_name(f".{name}"), folder.with_name(f"{name}.log")
    with locks.build(folder.with_name(f".{name}.lock"), "this kernel"):
        if not any(kernel.folder == folder for kernel in all_built()):
            announcement = f"building Linux {source.version} for virtual time, once; about {MINUTES} min on two cores"
            print(f"tcpsweep: {announcement}; log: {log}", file=sys.stderr, flush=True)
            shutil.rmtree(work, ignore_errors=True)
            compiled_programs.clear(folder)
            try:
                with log.open("w", encoding="utf-8") as out:
                    _build(source, f"-tcpsweep-{identity(source)}", work, out)
                (work / "made").rename(folder)
            except (OSError, subprocess.SubprocessError) as error:
                why = f"Linux {source.version} cannot be built: {error}; the log is {log}{_disk_advice(folder.parent)}"
                raise NoKernel(why) from None
            except NoKernel as error:
                raise NoKernel(f"{error}{_disk_advice(folder.parent)}") from None
            finally:
                shutil.rmtree(work, ignore_errors=True)
    return next(kernel for kernel in all_built() if kernel.folder == folder)


def _disk_advice(folder: Path) -> str:
    """What to add to a message if the folder's disk is full; empty if it is not."""
    left = shutil.disk_usage(folder).free
    return f"\n{folder} has {bytes_text(left)} left; a build needs about 2 GB" if left < _FULL_BYTES else ""


def _build(source: Source, suffix: str, work: Path, log: TextIO) -> None:
    """Build a kernel in the folder ``work``; its subfolder ``made`` then has the kernel and its record."""
    began_s = time.monotonic()
    tree, objects, built = work / "source", work / "objects", work / "made"
    objects.mkdir(parents=True)
    built.mkdir()
    kernel_source.copy(source, tree)
    kconfig = tree / "arch" / "um" / "Kconfig"
    if kconfig.is_file():
        kconfig.write_text(_TICKS.sub(r"\g<1>1000", kconfig.read_text(encoding="utf-8")), encoding="utf-8")
    command = ["make", "-C", str(tree), f"O={objects}", "ARCH=um", f"CC={shlex.join([*_ccache(), *compiler()])}"]
    command.append(f"LOCALVERSION={suffix}")
    _run([*command, f"KCONFIG_ALLCONFIG={CONFIGURATION}", "allnoconfig"], work, log)
    jobs_option = f"-j{len(os.sched_getaffinity(0))}"
    _run([*command, jobs_option, LINUX], work, log)
    shutil.copy(objects / LINUX, built / LINUX)
    _run(["strip", str(built / LINUX)], work, log)
    release = (objects / "include" / "config" / "kernel.release").read_text(encoding="utf-8").strip()
    size = (built / LINUX).stat().st_size
    probed = _probed(built, work)
    seconds = time.monotonic() - began_s
    record = Built(source.version, release, str(source.path), seconds, size, probed["controls"], probed["settings"])
    (built / RECORD).write_text(json.dumps(asdict(record)), encoding="utf-8")
    compiled_programs.write_record(built, source.path, [], seconds)


def _probed(kernel_folder: Path, work: Path) -> dict[str, Any]:
    """The result of `probe.asked` in the new kernel. Raises `NoKernel` if it does not run, so that it is not kept."""
    output_folder = work / "asked"
    output_folder.mkdir()
    command = [sys.executable, "-I", "-S", str(Path(__file__).with_name("probe.py"))]
    status = virtual_time.run(kernel_folder, command, output_folder, seed=0)
    text = (output_folder / "log.txt").read_text(encoding="utf-8", errors="replace")
    if status:
        raise NoKernel(f"the new kernel runs no program here:\n{text}")
    probed: dict[str, Any] = json.loads(text)
    if probed["hindrance"]:
        raise NoKernel(f"the new kernel can run no hosts: {probed['hindrance']}")
    return probed


def _environment(work: Path) -> dict[str, str]:
    """The environment of a build, without settings of other builds.

    All kernels contain the same names and times. A compiler cache ignores the paths below ``work``.
    """
    left_out_prefixes = ("KBUILD", "KCONFIG", "CFLAGS", "LDFLAGS", "MAKEFLAGS", "MFLAGS", "ARCH", "CROSS_COMPILE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out_prefixes)}
    same_for_all = dict.fromkeys(("KBUILD_BUILD_USER", "KBUILD_BUILD_HOST"), "tcpsweep")
    return kept | same_for_all | {"KBUILD_BUILD_TIMESTAMP": "@0", "LC_ALL": "C", "CCACHE_BASEDIR": str(work)}


def _ccache() -> list[str]:
    """The command that keeps compiled files, if it is installed: a kernel with a small patch is then built faster."""
    return ["ccache"] if shutil.which("ccache") else []


def _run(command: list[str], work: Path, log: TextIO) -> None:
    """Run a command of a build, log its output, and print how much is compiled. Raises `NoKernel` if it fails."""
    log.write(f"$ {shlex.join(command)}\n")
    log.flush()
    compiled_files, shown_percent = 0, 0

    def take(line: str) -> None:
        nonlocal compiled_files, shown_percent
        log.write(line)
        compiled_files += bool(_COMPILED.match(line))
        percent = min(99, 100 * compiled_files // _TYPICAL_COMPILED_FILES)
        if percent >= shown_percent + 10:
            shown_percent = percent
            print(f"tcpsweep: Linux: {percent} % built", file=sys.stderr, flush=True)

    if compiled_programs.follow(command, _environment(work), take):
        log.flush()
        errors = compiled_programs.errors(log.name)
        raise NoKernel(f"`{command[0]}` failed; the whole log is {log.name}\n{errors}")

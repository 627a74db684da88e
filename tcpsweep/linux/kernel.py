# SPDX-License-Identifier: MIT
"""The kernels whose TCP flows can use: their releases, congestion controls and TCP settings.

One kernel is this machine's own. The others have virtual time; `kernel_build` builds them.
If flows cannot use a kernel, its `hindrance` says why.
"""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tcpsweep.identity import hashing
from tcpsweep.linux import kernel_build, virtual_time
from tcpsweep.linux.kernel_source import NoKernel
from tcpsweep.sweep import assignment
from tcpsweep.sweep.matching import Settings

NEWEST = virtual_time.NEWEST


@dataclass(frozen=True)
class Kernel:
    """A kernel whose TCP flows can use."""

    release: str  # such as 6.18.2
    controls: list[str]  # the names of its available congestion controls
    settings: dict[str, str]  # the sysctls of its TCP in a new network namespace
    hindrance: str | None = None  # why flows cannot use it; None if they can

    @property
    def identity(self) -> str:
        """A hash over the properties of the kernel that influence a cell's results."""
        return hashing.short_hash(self.release, json.dumps(self.settings, sort_keys=True))


@functools.cache
def _found(names: tuple[str, ...]) -> Kernel:
    command = [sys.executable, "-I", "-S", str(Path(__file__).with_name("probe.py")), *names]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        return Kernel("", [], {}, done.stderr.strip().rpartition("\n")[2])
    return Kernel(**json.loads(done.stdout))


def find(names: Iterable[str] = ()) -> Kernel:
    """The kernel of this machine, asked only once. It loads these congestion controls if this process may load them."""
    return _found(tuple(sorted(set(names))))


@functools.cache
def built() -> tuple[kernel_build.Found, ...]:
    """The kernels with virtual time that this user has built, the newest version last, looked up only once.

    A message names each kernel that is not as it was built.
    """
    for sentence in kernel_build.damaged():
        print(f"tcpsweep: {sentence}", file=sys.stderr, flush=True)
    return tuple(kernel_build.all_built())


def is_virtual(row: Settings) -> bool:
    """Whether a combination has Linux flows that use a kernel in virtual time.

    They do with `time: virtual`. With `time: auto`, they do if `kernel` names a kernel, or if this user has built one.
    """
    if not assignment.is_kernel_asked(row):
        return False
    is_named = row.get("kernel", NEWEST) != NEWEST
    return row.get("time") == "virtual" or (row.get("time") == "auto" and (is_named or bool(built())))


def find_virtual(named: str = NEWEST) -> Kernel:
    """The newest kernel with virtual time and this name, among the kernels that this user has built.

    A name is the user's own, or linux- and the beginning of a version, such as linux-6.12.
    """
    version = named.removeprefix("linux-")
    for found in reversed(built()):
        is_version = named != version and f"{found.built.release}-".startswith((f"{version}.", f"{version}-"))
        if named == NEWEST or named in found.names or is_version:
            settings = found.built.settings | {"guest": virtual_time.identity()}
            return Kernel(found.built.release, found.built.controls, settings)
    if not built():
        how = f"`tcpsweep kernel build` makes one, once, in about {kernel_build.MINUTES} min on two cores"
        return Kernel("", [], {}, f"`time: virtual` needs a kernel with such time; {how}")
    own = [name for found in built() for name in found.names]
    known = ", ".join([*own, *(f"linux-{found.built.release}" for found in built())])
    return Kernel("", [], {}, f"no kernel {named} was built; there are {known}, or beginnings of versions")


def folder_of(release: str) -> Path:
    """The folder of the kernel with virtual time and this release. Raises `NoKernel` if it is not there."""
    for found in kernel_build.all_built():
        if found.built.release == release:
            return found.folder
    reasons = kernel_build.damaged() or ["`tcpsweep kernel list` shows the kernels"]
    raise NoKernel("; ".join([f"there is no kernel {release}", *reasons]))

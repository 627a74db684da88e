# SPDX-License-Identifier: MIT
"""The kernels whose TCP flows can use: their releases, congestion controls and TCP settings.

Their time is virtual; `kernel_build` builds them. If flows cannot use a kernel, its `hindrance` says why.
"""

from __future__ import annotations

import functools
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from tcpsweep.core.identity import hashing
from tcpsweep.core.sweep import assignment
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.features.linux import kernel_build, virtual_time
from tcpsweep.features.linux.kernel_source import NoKernel

NEWEST = virtual_time.NEWEST
OPTION = "--kernel="  # the simulator's option for the release


@dataclass(frozen=True)
class Kernel:
    """A kernel whose TCP flows can use."""

    release: str  # such as 6.18.2
    controls: list[str]  # the names of its available congestion controls
    settings: dict[str, str]  # the sysctls of its TCP in a new network namespace
    folder: Path = Path()
    hindrance: str | None = None  # why flows cannot use it; None if they can

    @property
    def identity(self) -> str:
        """A hash over the properties of the kernel that influence a cell's results."""
        return hashing.short_hash(self.release, json.dumps(self.settings, sort_keys=True))


@functools.cache
def built() -> tuple[kernel_build.Found, ...]:
    """The kernels that this user has built, the newest version last, looked up only once.

    A message names each kernel that is not as it was built.
    """
    for sentence in kernel_build.damaged():
        print(f"tcpsweep: {sentence}", file=sys.stderr, flush=True)
    return tuple(kernel_build.all_built())


def used(row: Combination) -> Kernel | None:
    """The kernel whose TCP a combination's flows use; None if all of them use ns-3's TCP."""
    return find(row.get("kernel", NEWEST)) if assignment.is_kernel_asked(row) else None


def find(kernel_name: str = NEWEST) -> Kernel:
    """The newest kernel with this name, among the kernels that this user has built.

    A name is the user's own, or linux- and the beginning of a version, such as linux-6.12.
    """
    version = kernel_name.removeprefix("linux-")
    for kernel in reversed(built()):
        is_version = kernel_name != version and f"{kernel.built.release}-".startswith((f"{version}.", f"{version}-"))
        if kernel_name == NEWEST or kernel_name in kernel.names or is_version:
            settings = kernel.built.settings | {"guest": virtual_time.identity()}
            return Kernel(kernel.built.release, kernel.built.controls, settings, kernel.folder)
    if not built():
        advice = f"`tcpsweep kernel build` makes one, once, in about {kernel_build.MINUTES} min on two cores"
        return Kernel("", [], {}, hindrance=f"Linux' TCP needs a kernel; {advice}")
    names = [name for kernel in built() for name in kernel.names]
    choices = ", ".join([*names, *(f"linux-{kernel.built.release}" for kernel in built())])
    return Kernel(
        "", [], {}, hindrance=f"no kernel {kernel_name} was built; there are {choices}, or beginnings of versions"
    )


def folder_of(release: str) -> Path:
    """The folder of the kernel with this release. Raises `NoKernel` if it is not there."""
    for kernel in kernel_build.all_built():
        if kernel.built.release == release:
            return kernel.folder
    reasons = kernel_build.damaged() or ["`tcpsweep kernel list` shows the kernels"]
    raise NoKernel("; ".join([f"there is no kernel {release}", *reasons]))

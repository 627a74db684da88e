# SPDX-License-Identifier: MIT
"""The kernel of this machine: its release, congestion controls and TCP settings, or why it cannot be used."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tcpsweep.identity import hashing


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
    """The kernel of this machine, asked only once. It loads these congestion controls if that is allowed."""
    return _found(tuple(sorted(set(names))))

# SPDX-License-Identifier: MIT
"""Refuse a processor that polars cannot run on: it would crash there without a message."""

import os
import platform
from collections.abc import Collection
from pathlib import Path

from tcpsweep.words.user_error import UserError

_NEEDED = ("avx2", "bmi2", "fma")  # polars' wheel is compiled for them


def check() -> None:
    """Raises `UserError` if this processor lacks an instruction that polars uses.

    As in polars, ``POLARS_SKIP_CPU_CHECK`` in the environment skips this check: other builds of polars need less.
    """
    if platform.machine() != "x86_64" or os.environ.get("POLARS_SKIP_CPU_CHECK"):
        return
    if missing := _missing(_flags(Path("/proc/cpuinfo"))):
        raise UserError(
            f"this processor lacks {', '.join(missing)}, which polars needs. A virtual machine may hide them: give it "
            "the host's processor type (`-cpu host` in QEMU). A processor from before 2013 does not have them"
        )


def _flags(cpuinfo: Path) -> Collection[str]:
    """The first processor's features; all needed ones if the file does not tell them."""
    try:
        lines = cpuinfo.read_text(encoding="utf-8").splitlines()
    except OSError:
        return _NEEDED
    return next((line.split(":", 1)[1].split() for line in lines if line.startswith("flags")), _NEEDED)


def _missing(flags: Collection[str]) -> list[str]:
    return [name for name in _NEEDED if name not in flags]

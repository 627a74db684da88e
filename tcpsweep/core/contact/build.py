# SPDX-License-Identifier: MIT
"""A build: what is compiled once for all sweeps of a user, such as Linux kernels."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Build:
    """What a feature compiles once for all sweeps of a user."""

    # The files that no sweep needs any more, by kind, such as "Linux kernels"
    unneeded: Callable[[], Mapping[str, list[Path]]]
    # Why flows cannot use the build that a user calls by a name; None if they can, or if this build has no names
    hindrance: Callable[[str], str | None] = lambda name: None
    # Let another folder of compiled programs have this user's builds, too
    lend: Callable[[Path], None] = lambda folder: None

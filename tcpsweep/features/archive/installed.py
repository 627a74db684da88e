# SPDX-License-Identifier: MIT
"""The versions of Python and of packages that are installed where an archive is made.

They may differ from a clone's locks if tcpsweep was installed from a wheel.
"""

import contextlib
import importlib.metadata
import platform
import re
from pathlib import Path

from tcpsweep.features.archive.contents import ENVIRONMENT

_VERSION = re.compile(r"[0-9A-Za-z.+-]+")  # an archive may come from others
FILE = f"{ENVIRONMENT}/installed.txt"


def text() -> str:
    """A line for Python and each package that tcpsweep needs, in the form of pip's requirements."""
    lines = [f"# Python {platform.python_version()}"]
    for needed in importlib.metadata.requires("tcpsweep") or ():
        name = re.split("[=<>]", needed)[0]
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):  # cmake may be the system's
            lines.append(f"{name}=={importlib.metadata.version(name)}")
    return "".join(f"{line}\n" for line in lines)


def others(root: Path) -> list[str]:
    """The versions of an unpacked archive that differ from the versions here, such as ``scipy 1.15.0 (here 1.17.1)``.

    There are none if the archive does not list its versions.
    """
    try:
        lines = (root / FILE).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    here = dict(map(_name_version, text().splitlines()))
    named = [
        (name, version) for name, version in map(_name_version, lines) if _VERSION.fullmatch(version) and name in here
    ]
    return [f"{name} {version} (here {here[name]})" for name, version in named if here[name] != version]


def _name_version(line: str) -> tuple[str, str]:
    """A line's name and version."""
    name, _, version = line.removeprefix("# ").replace("==", " ").partition(" ")
    return name, version

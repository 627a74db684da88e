# SPDX-License-Identifier: MIT
"""Find the ns-3 under an installation prefix: its libraries, headers and version.

Known layouts are ns-3's wheel (``lib64/libns3.44-core.so``), an ns-3 built from source, installed or in its ``build``
folder (``lib/libns3.40-core-optimized.so``), and Debian's package (``lib/x86_64-linux-gnu/libns3-core.so``).
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tcpsweep.core.words.user_error import UserError

_LIBRARIES = ("lib64", "lib", "lib/*-linux-gnu")
_CORE = re.compile(r"libns(?P<version>3(\.[0-9]+)*)(-[A-Za-z0-9]+)?-core(-(?P<profile>[a-z]+))?\.so")
# ns-3's build profiles from fast to slow; the names of libraries of the profile "release" do not contain it.
_PROFILES = (None, "optimized", "minsizerel", "relwithdebinfo", "default", "debug")
_VERSION = re.compile(r"3\.[0-9]+(\.[0-9]+)?")


class EngineError(UserError):
    """An ns-3 cannot be used. The message says why and what to do, and the user reads it."""


@dataclass(frozen=True)
class Installation:
    """An ns-3: its prefix, its version such as 3.44, its library ``core``, and the paths of all its libraries."""

    prefix: Path
    version: str
    core: Path
    libraries: tuple[Path, ...]


def find(prefix: Path | str) -> Installation:
    """The ns-3 under a prefix. If there are several builds of one version, the fastest.

    Raises `EngineError` if there is no ns-3 to build programs with, or several versions share the prefix.
    """
    try:
        prefix = Path(prefix).resolve()
        if not prefix.is_dir():
            raise EngineError(f"there is no folder {prefix}{_hint(prefix)}")
        return _find(prefix)
    except (OSError, RuntimeError) as error:  # RuntimeError is Python 3.12's for a loop of symbolic links
        raise EngineError(f"{prefix} cannot be read: {getattr(error, 'strerror', error)}") from None


def _find(prefix: Path) -> Installation:
    """As `find`, in a folder that exists."""
    cores = _cores(prefix)
    if not cores:
        debian = "; to install Debian's: `apt-get install libns3-dev`" if prefix == Path("/usr") else _hint(prefix)
        raise EngineError(f"no ns-3 libraries (libns3*-core.so in {' or '.join(_LIBRARIES)}) under {prefix}{debian}")
    if not has_headers(prefix):
        raise EngineError(f"ns-3 libraries but no ns-3 headers (include/ns3/core-config.h) under {prefix}")
    versions = sorted({_version(prefix, core) for core in cores})
    if len(versions) > 1:
        raise EngineError(
            f"several versions of ns-3 under {prefix} ({', '.join(versions)}), which share one folder for headers; "
            "install each version under its own prefix"
        )
    rank_of_profile = {profile: place for place, profile in enumerate(_PROFILES)}
    core = min(cores, key=lambda core: rank_of_profile.get(_profile(core), len(_PROFILES)))
    return Installation(prefix, versions[0], core, _libraries(core, cores))


def _cores(prefix: Path) -> list[Path]:
    """The libraries ``core`` of all builds under a prefix."""
    paths = [path for folder in _LIBRARIES for path in sorted(prefix.glob(f"{folder}/libns3*-core*.so"))]
    return [path for path in paths if _CORE.fullmatch(path.name)]


def _profile(core: Path) -> str | None:
    match = _CORE.fullmatch(core.name)
    return match["profile"] if match else None


def _libraries(core: Path, cores: Sequence[Path]) -> tuple[Path, ...]:
    """The libraries of the build that ``core`` belongs to; ``cores`` are the ``core`` libraries of all builds."""
    candidates = core.parent.glob(core.name.replace("-core", "-*", 1))
    # If this build's names have no profile, the pattern also matches the other builds' libraries.
    other_endings = tuple(f"-{_profile(other)}.so" for other in cores if _profile(other) not in (None, _profile(core)))
    return tuple(sorted(path for path in candidates if not path.name.endswith(other_endings)))


def has_headers(prefix: Path) -> bool:
    """Whether ns-3's headers are under a prefix."""
    return (prefix / "include" / "ns3" / "core-config.h").is_file()


def _version(prefix: Path, core: Path) -> str:
    """The version of a library, from its name, its pkg-config file or the headers.

    Raises `EngineError` if none of them states it, or the headers' version differs from the library's.
    """
    headers_version = _header_version(prefix)
    package = core.parent / "pkgconfig" / "ns3-core.pc"
    package_version = (
        re.search(r"^Version: *(\S+)", package.read_text(errors="replace"), re.M) if package.is_file() else None
    )
    match = _CORE.fullmatch(core.name)
    candidates = [
        match["version"] if match else "",
        package_version[1] if package_version else "",
        headers_version or "",
    ]
    version = next((candidate for candidate in candidates if _VERSION.fullmatch(candidate)), None)
    if not version:
        raise EngineError(f"unknown version of ns-3: neither the name of {core} nor {package} nor the headers state it")
    if headers_version and headers_version.split(".")[:2] != version.split(".")[:2]:
        raise EngineError(f"the headers under {prefix} belong to ns-3 {headers_version}, but {core} to {version}")
    return version


def _header_version(prefix: Path) -> str | None:
    """The version in the headers; ns-3 writes it there only if it is configured to do so."""
    header = prefix / "include" / "ns3" / "version-defines.h"
    text = header.read_text(errors="replace") if header.is_file() else ""
    major, minor = (re.search(rf"^#define NS3_VERSION_{part} ([0-9]+)$", text, re.M) for part in ("MAJOR", "MINOR"))
    return f"{major[1]}.{minor[1]}" if major and minor else None


def _hint(prefix: Path) -> str:
    """``; did you mean 'DIR'?`` if a folder directly below or above the prefix has an ns-3, else an empty text."""
    for folder in [*sorted(prefix.glob("*/")), *prefix.parents]:
        if os.access(folder, os.R_OK | os.X_OK) and has_headers(folder) and _cores(folder):
            return f"; did you mean '{folder}'?"
    return ""

# SPDX-License-Identifier: MIT
"""The source of a Linux kernel: a folder, a tarball, or the name of a Debian package that installs a tarball."""

import hashlib
import os
import re
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tcpsweep.core.identity import hashing
from tcpsweep.core.store import tarballs
from tcpsweep.core.words import spelling
from tcpsweep.core.words.user_error import UserError

PACKAGES = Path("/usr/src")  # where Debian's packages `linux-source-VERSION` put tarballs
ENDINGS = (".tar.xz", ".tar.gz", ".tar.bz2", ".tar")
# Files that no kernel for virtual time needs: most of a source's bytes. The configuration reads all Kconfig files.
_MAKEFILE_BYTES = 1 << 16  # bytes at the beginning of a Makefile, which has the version in its first lines
_UNNEEDED = re.compile(
    r"(?!.*(Kconfig|Makefile|Kbuild)[^/]*$)"
    r"((Documentation|samples|sound|rust|LICENSES|debian)/"
    r"|arch/(?!um/|x86/)"
    r"|drivers/(gpu|media|staging|infiniband|scsi|accel|crypto|iio|video|mtd)/.*\.[chS]$"
    r"|drivers/net/(ethernet|wireless|can|dsa|wan)/.*\.[chS]$"
    r"|tools/(?!include/|lib/|scripts/|build/))"
)


class NoKernel(UserError):
    """A kernel has no source, or cannot be built or run."""


@dataclass(frozen=True)
class Source:
    """A kernel's source: the folder or tarball, its version such as 6.12.1, and a hash over its content."""

    path: Path
    version: str
    id: str


def find(name: str) -> Source:
    """The source with this path or package name.

    Raises `NoKernel` if there is none, if it cannot be read, or if the package is not installed.
    """
    try:
        return _find(name, Path(name).expanduser())
    except RuntimeError:
        raise NoKernel(f"there is no kernel source {name!r}: no home folder is known for its first part") from None
    except OSError as error:
        raise NoKernel(f"{error.filename or name} cannot be read: {error.strerror or error}") from None


def _find(name: str, path: Path) -> Source:
    if path.is_dir():
        return _source_of_folder(path)
    if not path.is_file() and "/" not in name:
        path = next((tarball for end in ENDINGS if (tarball := PACKAGES / f"{name}{end}").is_file()), path)
    if path.is_file():
        return _source_of_tarball(path)
    if re.fullmatch(r"linux-source-[0-9.]+", name):
        raise NoKernel(f"the package {name} is not installed; to install it: `apt-get install {name}`")
    near = (
        spelling.did_you_mean(path.name, [file.name for file in path.parent.iterdir()]) if path.parent.is_dir() else ""
    )
    raise NoKernel(f"there is no kernel source {name!r}{near}; name a folder, a tarball or an installed package")


def installed() -> list[str]:
    """The names of the packages with sources that are installed, the newest version last."""
    names = {path.name.partition(".tar")[0] for path in PACKAGES.glob("linux-source-*.tar*")}
    return sorted(names, key=lambda name: [int(number) for number in re.findall(r"[0-9]+", name)])


def copy(source: Source, new_folder: Path) -> None:
    """Copy the parts of a source that a build needs into a new folder."""
    new_folder.mkdir(parents=True)
    if source.path.is_dir():
        # A command line cannot hold this many names, so xargs reads them from its standard input.
        names = "\0".join(_needed_files(source.path)).encode()
        command = ["cp", "--archive", "--parents", "--target-directory", new_folder]
        subprocess.run(["xargs", "-0", *map(str, command)], input=names, cwd=source.path, check=True)
        return
    try:
        tarballs.unpack(source.path, new_folder, _path_if_needed)
    except tarballs.Unfit as error:
        raise NoKernel(str(error)) from None


def _path_if_needed(member: str) -> str:
    """The path of a tarball's member in the source; an empty text if no build needs it."""
    name = member.partition("/")[2]
    return "" if _UNNEEDED.match(name) else name


def _source_of_folder(path: Path) -> Source:
    """The source in a folder. Its hash is over the files that a build needs, and the targets of links."""
    if not (path / "Makefile").is_file() or not (path / "arch" / "um").is_dir():
        raise NoKernel(f"{path} is not a kernel's source: expected Makefile and arch/um in it")
    digest = hashlib.sha256()
    for name in _needed_files(path):
        if (path / name).is_symlink():
            target = os.fsencode((path / name).readlink())
            digest.update(f"{name}\0{len(target)}\0".encode() + target)
        else:
            hashing.add_file(digest, name, path / name)
    with (path / "Makefile").open("rb") as file:
        text = file.read(_MAKEFILE_BYTES).decode(errors="replace")
    return Source(path.absolute(), _version(text, path), digest.hexdigest()[: hashing.DIGITS])


def _source_of_tarball(path: Path) -> Source:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    try:
        with tarballs.opened(path) as archive:
            for member in archive:
                if member.isreg() and member.name.removeprefix("./").partition("/")[2] == "Makefile":
                    makefile = archive.extractfile(member)
                    text = makefile.read(_MAKEFILE_BYTES).decode(errors="replace") if makefile else ""
                    return Source(path.absolute(), _version(text, path), digest.hexdigest()[: hashing.DIGITS])
    except tarballs.Unfit as error:
        raise NoKernel(str(error)) from None
    raise NoKernel(f"{path} is not a kernel's source: expected a folder with a Makefile in it")


def _version(makefile: str, path: Path) -> str:
    parts = [re.search(rf"^{name} = *([0-9]+)$", makefile, re.M) for name in ("VERSION", "PATCHLEVEL", "SUBLEVEL")]
    if not all(parts):
        raise NoKernel(f"{path} is not a kernel's source: its Makefile has no VERSION")
    return ".".join(part[1] for part in parts if part)


def _needed_files(folder: Path) -> Iterator[str]:
    """The files and links that a build needs, in order, without what builds left there. Raises `OSError`."""

    def refuse(error: OSError) -> None:
        raise error

    for folder_path, folders, names in os.walk(folder, onerror=refuse):
        relative = Path(folder_path).relative_to(folder).as_posix()
        prefix = "" if relative == "." else f"{relative}/"
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in sorted(names):
            if _UNNEEDED.match(prefix + name) or name.endswith((".o", ".cmd", ".a", ".orig")):
                continue
            mode = (folder / prefix / name).lstat().st_mode
            if stat.S_ISREG(mode) or stat.S_ISLNK(mode):
                yield prefix + name

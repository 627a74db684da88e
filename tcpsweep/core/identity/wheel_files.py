# SPDX-License-Identifier: MIT
"""Compare installed files with the list of a wheel, which pip keeps next to them."""

import base64
import hashlib
from collections.abc import Iterable
from pathlib import Path


def record(package: Path, name: str) -> Path | None:
    """The list of the wheel ``name`` that a package's folder was installed from; None if there is no wheel."""
    return next(iter(sorted(package.parent.glob(f"{name}-*.dist-info/RECORD"))), None)


def damaged(record: Path, paths: Iterable[Path] | None = None) -> Path | None:
    """The first file that differs from a wheel's list; None if none does. Files that are not in the list are left out.

    Default: all files of the list. Its lines have a path, "sha256=" with a digest, and a size, as the specification
    "Recording installed projects" says. Raises `OSError`.
    """
    root = record.parents[1]
    lines = (line.rsplit(",", 2) for line in record.read_text(encoding="utf-8").splitlines())
    digests = {line[0]: line[1].removeprefix("sha256=") for line in lines if len(line) == 3}
    checked = map(root.joinpath, digests) if paths is None else (path for path in paths if path.is_relative_to(root))
    for path in checked:
        digest = digests.get(path.relative_to(root).as_posix())
        if digest and (not path.is_file() or _digest(path) != digest):
            return path
    return None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return base64.urlsafe_b64encode(hashlib.file_digest(file, "sha256").digest()).rstrip(b"=").decode()

# SPDX-License-Identifier: MIT
"""A sweep file's data with absolute paths, for a sweep file in another folder."""

from pathlib import Path
from typing import Any

from tcpsweep.core.sweepfile.document import variant_files
from tcpsweep.core.words.mixes import JOINT

_PATHS = (("scenario",), ("ns3", "prefix"), ("ns3", "source"))


def with_absolute_paths(data: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A sweep file's data with absolute paths, for a file elsewhere; ``folder`` is the sweep file's.

    A network preset's path is relative to the working folder.
    """
    absolute: dict[str, Any] = _absolute(data, folder.absolute(), ())
    return absolute


def _absolute(node: Any, folder: Path, path: tuple[str, ...]) -> Any:
    if isinstance(node, dict):
        return {key: _absolute(value, folder, (*path, str(key))) for key, value in node.items()}
    if isinstance(node, list):
        return [_absolute(value, folder, path) for value in node]
    if not isinstance(node, str):
        return node
    if path == ("scenario",):
        return str(Path(node).absolute()) if "/" in node else node  # is already relative to the working folder
    if JOINT in node and path not in _PATHS:  # a mix may name the files of variants
        return JOINT.join(_absolute(part, folder, path) for part in node.split(JOINT))
    file = folder / Path(node).expanduser() if node.startswith("~") or path in _PATHS or "." in node else None
    return str(file) if file and (path in _PATHS or variant_files.exists(file)) else node

# SPDX-License-Identifier: MIT
"""Which sweep file a sweep's folder was last planned from, to tell where another file takes its place."""

import os
from pathlib import Path

from tcpsweep.store import whole_files
from tcpsweep.sweepfile import yaml_document

_FILE = "origin"


def replaced(folder: Path, path: Path | str) -> Path | None:
    """The other sweep file whose tables and report a run of ``path`` replaces; None if there is none.

    It is the one that the sweep's folder was last planned from, as long as it is there and has the same name for its
    sweep.
    """
    try:
        before = Path((folder / _FILE).read_text(encoding="utf-8"))
        if before.samefile(path):
            return None
        data = yaml_document.read(before).data
    except (OSError, ValueError, yaml_document.Mistakes):
        return None
    return before if isinstance(data, dict) and data.get("sweep") == folder.name else None


def note(folder: Path, path: Path | str) -> None:
    """Write down which sweep file a sweep's folder is planned from."""
    text = os.path.relpath(path)  # so that a copy of the whole folder finds its own
    if not (folder / _FILE).is_file() or (folder / _FILE).read_text(encoding="utf-8") != text:
        folder.mkdir(parents=True, exist_ok=True)
        whole_files.write_whole(folder / _FILE, text)

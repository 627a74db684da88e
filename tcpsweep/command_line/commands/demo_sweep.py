# SPDX-License-Identifier: MIT
"""`tcpsweep demo`: copy the demo's sweep file into the working folder."""

from pathlib import Path

from tcpsweep.command_line.commands import new_sweep
from tcpsweep.identity import source_folders
from tcpsweep.store import whole_files

DEMO = source_folders.ROOT / "config" / "demo.yaml"
_SCHEMA_LINE = "# yaml-language-server:"


def file() -> Path:
    """The demo's sweep file in the working folder, written if it is missing; in a clone, the clone's own file."""
    if Path.cwd() == source_folders.ROOT:
        return DEMO.relative_to(source_folders.ROOT)
    found = Path("demo.yaml")
    if not found.exists():
        lines = DEMO.read_text(encoding="utf-8").splitlines()
        lines = [new_sweep.schema_line(found) if line.startswith(_SCHEMA_LINE) else line for line in lines]
        whole_files.write_whole(found, "\n".join([*lines, ""]))
    return found

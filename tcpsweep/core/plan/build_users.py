# SPDX-License-Identifier: MIT
"""Record which sweeps use a build, such as an ns-3 from source or a kernel, so that prune keeps it.

A note is a file in the build's folder with the path of the sweep's folder.
"""

from collections.abc import Callable
from pathlib import Path

from tcpsweep.core.identity import hashing
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import sweep_record

COMMANDS = "commands.json"  # the file in a sweep's folder with the commands of its simulations


def note(folder: Path, sweep: Path) -> None:
    """Note that the sweep in the folder ``sweep`` is planned with the build in ``folder``."""
    note = folder / "asked" / hashing.short_hash(str(sweep.absolute()))
    if not note.is_file():
        write_whole(note, str(sweep.absolute()))


def sweeps_of_ns3(folder: Path) -> list[Path]:
    """The folders of all sweeps, in any ``results/``, that were last planned with the ns-3 in ``folder``."""

    def is_planned_with(sweep: Path) -> bool:
        try:
            return sweep_record.read(sweep).ns3_prefix == str(folder.absolute())
        except sweep_record.Unreadable:
            return False

    return noted_sweeps(folder, is_planned_with)


def noted_sweeps(folder: Path, still_uses: Callable[[Path], bool]) -> list[Path]:
    """The folders of the sweeps that are noted in a build's folder and still use the build."""
    notes = (folder / "asked").glob("[!.]*")
    return list(filter(still_uses, (Path(note.read_text(encoding="utf-8", errors="replace")) for note in notes)))

# SPDX-License-Identifier: MIT
"""Record which sweeps use an ns-3 that was built from its source, so that a build that is in use is not removed."""

from pathlib import Path

from tcpsweep.identity import hashing
from tcpsweep.ns3 import ns3_build
from tcpsweep.store.whole_files import write_whole
from tcpsweep.sweep import sweep_record


def note_sweep(folder: Path, sweep: Path) -> None:
    """Note in a build's folder that the sweep in ``sweep`` is planned with it; `asking_sweeps` reads the note."""
    note = folder / "asked" / hashing.short_hash(str(sweep.absolute()))
    if ns3_build.is_made(folder) and not note.is_file():
        write_whole(note, str(sweep.absolute()))


def asking_sweeps(folder: Path) -> list[Path]:
    """The folders of all sweeps, in any ``results/``, that were last planned with a build."""
    noted = [Path(note.read_text(encoding="utf-8", errors="replace")) for note in (folder / "asked").glob("[!.]*")]
    return [sweep for sweep in noted if _asks(sweep, folder)]


def _asks(sweep: Path, folder: Path) -> bool:
    try:
        return sweep_record.read(sweep).ns3_prefix == str(folder.absolute())
    except sweep_record.Unreadable:
        return False

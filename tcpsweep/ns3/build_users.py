# SPDX-License-Identifier: MIT
"""Which sweeps were last planned with an ns-3 that was built from its source, so that no build goes that one needs."""

from pathlib import Path

from tcpsweep.identity import hashing
from tcpsweep.ns3 import ns3_build
from tcpsweep.store.whole_files import write_whole
from tcpsweep.sweep import sweep_record


def note_sweep(folder: Path, sweep: Path) -> None:
    """Record beside a build that the sweep in the folder ``sweep`` is planned with it; `asking_sweeps` reads this."""
    note = folder / "asked" / hashing.short_hash(str(sweep.absolute()))
    if ns3_build.is_made(folder) and not note.is_file():
        write_whole(note, str(sweep.absolute()))


def asking_sweeps(folder: Path) -> list[Path]:
    """The folders of the sweeps, wherever they are, that were last planned with a build."""
    noted = [Path(note.read_text(encoding="utf-8", errors="replace")) for note in (folder / "asked").glob("[!.]*")]
    return [sweep for sweep in noted if _asks(sweep, folder)]


def _asks(sweep: Path, folder: Path) -> bool:
    try:
        return sweep_record.read(sweep).ns3_prefix == str(folder.absolute())
    except sweep_record.Unreadable:
        return False

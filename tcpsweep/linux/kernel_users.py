# SPDX-License-Identifier: MIT
"""Record which sweeps use a kernel with virtual time, so that a kernel that is in use is not removed."""

from collections.abc import Iterable
from pathlib import Path

from tcpsweep.identity import hashing
from tcpsweep.linux import kernel_build
from tcpsweep.store.whole_files import write_whole

COMMANDS = "commands.json"  # the file in a sweep's folder with the commands of its simulations
_ARGUMENT = "--kernel="


def note_sweep(sweep: Path, arguments: Iterable[str]) -> None:
    """Note that a sweep uses the kernels that its simulators' arguments name. `unneeded` reads these notes.

    A note is a file in the kernel's folder.
    """
    releases = {each.removeprefix(_ARGUMENT) for each in arguments if each.startswith(_ARGUMENT)}
    for found in kernel_build.all_built() if releases else ():
        note = found.folder / "asked" / hashing.short_hash(str(sweep.absolute()))
        if found.built.release in releases and not note.is_file():
            write_whole(note, str(sweep.absolute()))


def unneeded() -> list[Path]:
    """The folders of kernels that no sweep's latest plan uses, in any ``results/``. The newest kernel is left out."""
    return [found.folder for found in kernel_build.all_built()[:-1] if not any(_asks(found))]


def _asks(found: kernel_build.Found) -> Iterable[bool]:
    for note in (found.folder / "asked").glob("[!.]*"):
        commands = Path(note.read_text(encoding="utf-8", errors="replace")) / COMMANDS
        yield commands.is_file() and f"{_ARGUMENT}{found.built.release}" in commands.read_text(encoding="utf-8")

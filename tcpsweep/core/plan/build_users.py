# SPDX-License-Identifier: MIT
"""Record which sweeps use a built ns-3 or a built kernel with virtual time, so that prune keeps such builds.

A note is a file in the build's folder with the path of the sweep's folder.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from tcpsweep.core.identity import hashing
from tcpsweep.core.ns3 import ns3_build
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.sweep import sweep_record
from tcpsweep.features.linux import kernel_build

COMMANDS = "commands.json"  # the file in a sweep's folder with the commands of its simulations
_KERNEL_OPTION = "--kernel="


def note_ns3(folder: Path, sweep: Path) -> None:
    """Note that the sweep in ``sweep`` is planned with the ns-3 in ``folder``, if tcpsweep built it."""
    if ns3_build.is_made(folder):
        _note(folder, sweep)


def note_kernels(sweep: Path, arguments: Iterable[str]) -> None:
    """Note that a sweep uses the kernels that its simulators' arguments name."""
    releases = {argument.removeprefix(_KERNEL_OPTION) for argument in arguments if argument.startswith(_KERNEL_OPTION)}
    for kernel in kernel_build.all_built() if releases else ():
        if kernel.built.release in releases:
            _note(kernel.folder, sweep)


def sweeps_of_ns3(folder: Path) -> list[Path]:
    """The folders of all sweeps, in any ``results/``, that were last planned with the ns-3 in ``folder``."""

    def is_planned_with(sweep: Path) -> bool:
        try:
            return sweep_record.read(sweep).ns3_prefix == str(folder.absolute())
        except sweep_record.Unreadable:
            return False

    return _noted_sweeps(folder, is_planned_with)


def unneeded_kernels() -> list[Path]:
    """The folders of kernels that no sweep's latest plan uses, in any ``results/``. The newest kernel is left out."""
    return [kernel.folder for kernel in kernel_build.all_built()[:-1] if not _sweeps_of_kernel(kernel)]


def _sweeps_of_kernel(kernel: kernel_build.Found) -> list[Path]:
    def has_command(sweep: Path) -> bool:
        commands = sweep / COMMANDS
        return commands.is_file() and f"{_KERNEL_OPTION}{kernel.built.release}" in commands.read_text(encoding="utf-8")

    return _noted_sweeps(kernel.folder, has_command)


def _note(folder: Path, sweep: Path) -> None:
    note = folder / "asked" / hashing.short_hash(str(sweep.absolute()))
    if not note.is_file():
        write_whole(note, str(sweep.absolute()))


def _noted_sweeps(folder: Path, still_uses: Callable[[Path], bool]) -> list[Path]:
    """The folders of the noted sweeps that still use a build."""
    notes = (folder / "asked").glob("[!.]*")
    return list(filter(still_uses, (Path(note.read_text(encoding="utf-8", errors="replace")) for note in notes)))

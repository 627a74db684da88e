# SPDX-License-Identifier: MIT
"""Read all files of a sweep again, and compare them with their digests."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from tcpsweep.core.frames import finding
from tcpsweep.core.store import cell_files, completion_record, digests, layout
from tcpsweep.core.sweep import sweep_digests, sweep_record
from tcpsweep.core.sweep.sweep_record import PlannedSweep

_TOGETHER = 32  # cells per task of a process
_AGAIN = "run the sweep again"
_MOST_ALONE = 100  # up to this many cells, one process is faster than starting others


class Verified(NamedTuple):
    """The missing and changed files, each with a reason; the closing line; and counts."""

    wrong: list[str]
    words: str
    files: int = 0  # the number of compared files, including missing and changed ones


def sweep(given: str, advice: str = "") -> Verified:
    """Read a sweep's cells, tables, figures and pages again; ``given`` is a form that `finding.folder` takes.

    ``advice`` says what to do if a file differs; the default is to run the sweep again. Damaged cells are noted, so
    that the next run makes them again. Raises `finding.NoSweep` and
    `sweep_record.Unreadable`.
    """
    folder = Path(os.path.abspath(finding.folder(given)))  # noqa: PTH100 (a link that leads elsewhere keeps its name)
    root = folder.parents[len(layout.SWEEPS.parts)]
    planned = sweep_record.read(folder)
    count = len(planned.combinations)
    if len(planned.measures) != count or not all(0 <= run.combination < count for run in planned.cells):
        raise sweep_record.Unreadable(
            f"{folder / sweep_record.FILE} is damaged: its simulations belong to no combination; run the sweep again"
        )
    cells = _folders(planned, root)
    missing = [cell for cell, places in cells.items() if not all(map(os.path.lexists, places))]
    complete = [(cell, places) for cell, places in cells.items() if cell not in set(missing)]
    files, damaged, wrong = 0, 0, []
    for count, problems in _compare_cells(complete):
        files += count
        damaged += bool(problems)
        wrong += problems
    wrong += [f"{cell}: has no result" for cell in missing]
    table_problems = digests.file_problems(folder)
    other_count, other_problems = _other_files(folder, root)
    wrong += table_problems + other_problems
    name = planned.name
    if wrong:
        counts = [(damaged, "simulation{s} differ"), (len(missing), "simulation{s} without a result")]
        counts += [(len(table_problems), "table{s} differ"), (len(other_problems), "other file{s} differ")]
        counts_in_words = ", ".join(f"{n:,} {words.format(s='s' * (n != 1))}" for n, words in counts if n)
        compared = files + other_count + len(wrong)
        return Verified(wrong, f"{name}: {counts_in_words}; {advice or 'run the sweep again to remake them'}", compared)
    others_in_words = (
        f" and {other_count:,} others"
        if other_count
        else "; its figures and pages are not recorded, because no run has ended successfully"
    )
    recorded = sweep_digests.shown_digests(folder)
    assert recorded  # its digests were read above
    digest = sweep_digests.digest_of_cells(planned, planned.finished(root), root)[: sweep_digests.SHOWN]
    table_count = len(digests.read(folder))
    compared = files + table_count + other_count
    if digest != recorded.cells:
        why = f"{folder}: its simulations have the digest {digest}, but its tables were made from {recorded.cells}"
        return Verified([why], f"{name}: its tables do not belong to its simulations; {advice or _AGAIN}", compared)
    counted = f"{len(cells):,} simulations with {files:,} files, {table_count:,} files of tables{others_in_words}"
    digests_shown = f"cells {recorded.cells}, tables {recorded.tables}"
    return Verified([], f"{name}: all files are unchanged: {counted}\n{digests_shown}", compared)


def _folders(planned: PlannedSweep, root: Path) -> dict[str, list[Path]]:
    """Each cell's two folders: its Parquet's, and its metrics'."""
    folders: dict[str, list[Path]] = {}
    for run in planned.cells:
        places = folders.setdefault(run.cell, [root / planned.parquet(run.cell)])
        if (place := root / planned.measured(run)) not in places:
            places.append(place)
    return folders


def _compare_cells(cells: Sequence[tuple[str, list[Path]]]) -> Iterator[tuple[int, list[str]]]:
    """For each cell, what `_compare_cell` returns."""
    cores = len(os.sched_getaffinity(0))
    if cores < 2 or len(cells) <= _MOST_ALONE:
        yield from map(_compare_cell, cells)
        return
    # A fork starts at once, and is safe because this process has no threads.
    with ProcessPoolExecutor(cores, mp_context=get_context("fork")) as pool:
        yield from pool.map(_compare_cell, cells, chunksize=_TOGETHER)


def _compare_cell(cell: tuple[str, list[Path]]) -> tuple[int, list[str]]:
    """The number of undamaged folders' files, and the problems of damaged folders, which are noted."""
    count, wrong = 0, []
    for place in cell[1]:
        if problems := digests.file_problems(place):
            cell_files.note_damage(place, problems)
            wrong += problems
        else:
            count += len(digests.read(place)) + 1
    return count, wrong


def _other_files(folder: Path, root: Path) -> tuple[int, list[str]]:
    """The number of other files that the last successful run recorded, and their problems."""
    path = folder / layout.COMPLETE
    completed = completion_record.read(folder)
    if completed:
        recorded = {
            name: digest
            for step in completed.made.keys() - {"aggregate"}
            for name, digest in completed.made[step].items()
        }
        wrong = []
    elif os.path.lexists(path):
        recorded, wrong = completion_record.legible(folder), [f"{path}: differs from its checksum"]
    else:
        return 0, []
    wrong += [
        f"{name}: differs from its checksum" for name in recorded if not _is_unchanged(root, name, recorded[name])
    ]
    return len(recorded) - len(wrong), wrong


def _is_unchanged(root: Path, name: str, digest: str) -> bool:
    """Whether a file below ``root`` has its recorded digest; a file of another size is not read."""
    try:
        return (
            not Path(name).is_absolute() and ".." not in Path(name).parts and digests.file_digest(root / name) == digest
        )
    except (OSError, ValueError):
        return False

# SPDX-License-Identifier: MIT
"""Read the files of finished cells with their checksums, and repair damaged cells.

A process that finds a damaged file notes the cell in ``results/damaged/``, which needs no lock. The cell then counts as
missing. The next run claims it, removes the damaged files and makes them again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tcpsweep.core.store import claims, digests, layout, removal, whole_files
from tcpsweep.core.words.user_error import UserError

RECORD = "run.json"
# The tables whose bytes are equal if and only if two simulations are identical. The record is not one of them because
# it contains run times, nor are captures because they are optional.
_SIMULATED = ("flow_monitor.parquet", "flows.parquet", "queue.parquet", "traces.parquet", "transfers.parquet")
PROGRAM = "program-"  # the beginning of the names of files with what programs wrote that are flows
_MEASURED = ("audit.parquet", "fairness.parquet", "measures.parquet")


class Damaged(UserError):
    """Files of a cell differ from the files that were written. The user reads the message."""


def sums(folder: Path) -> dict[str, str]:
    """The digests of a cell's files by name; ``folder`` has its Parquet files or its metrics. Raises `Damaged`."""
    try:
        return digests.read(folder)
    except digests.Differs as error:
        raise _noted_damage(folder, [str(error)]) from None


def simulation(sums: Mapping[str, str]) -> str:
    """One digest of a cell's tables and its programs' output, from the digests of its Parquet folder.

    It is equal for identical simulations.
    """
    written = sorted(name for name in sums if name.startswith(PROGRAM))
    return digests.joint_digest(sums, (*_SIMULATED, *written))


def metrics(sums: Mapping[str, str]) -> str:
    """One digest of a cell's metrics, from the digests of their folder."""
    return digests.joint_digest(sums, _MEASURED)


def check(folder: Path, names: Iterable[str] | None = None, but: Container[str] = ()) -> dict[str, str]:
    """Check a cell's files, and note the cell if one is damaged. ``folder`` has its Parquet files or its metrics.

    ``names`` are the files to check (default: all), except those in ``but``. Returns the digests as `sums` does. Raises
    `Damaged`.
    """
    checksums = sums(folder)
    if problems := digests.differing(folder, checksums, names, but):
        raise _noted_damage(folder, problems)
    return checksums


def checked(path: Path) -> Path:
    """Check one file of a cell and return its path. Raises `Damaged`."""
    check(path.parent, [path.name])
    return path


def record(folder: Path) -> dict[str, Any]:
    """The simulator's record of a cell, ``run.json``, from its Parquet folder. Raises `Damaged`."""
    fields: dict[str, Any] = json.loads(record_text(folder))
    return fields


def record_text(folder: Path, checksums: Mapping[str, str] | None = None) -> bytes:
    """The text of `record`. ``checksums`` are the folder's `sums`, if the caller has them. Raises `Damaged`."""
    path, checksums = folder / RECORD, sums(folder) if checksums is None else checksums
    try:
        content = path.read_bytes()
    except OSError as error:
        raise _noted_damage(folder, [f"{path}: {error.strerror}"]) from None
    if hashlib.sha256(content).hexdigest() != checksums.get(path.name):
        raise _noted_damage(folder, [f"{path}: differs from its checksum"])
    return content


def note_damage(folder: Path, words: Iterable[str]) -> None:
    """Note that files of a cell are damaged; ``folder`` is one of its folders. Without write permission, do nothing."""
    parquet = folder if not folder.name.startswith(layout.METRICS) else folder.parent
    marks_folder = parquet.parents[2] / layout.DAMAGED.name
    with contextlib.suppress(OSError):
        whole_files.write_whole(
            marks_folder / layout.damage_mark(parquet.parent.name, parquet.name), "".join(f"{w}\n" for w in words)
        )


def sound_runs(runs: Iterable[layout.Run], parser: str, measures: Sequence[str]) -> list[layout.Run]:
    """The finished runs whose cells lack no file; the damage of the other cells is noted.

    The arguments are those of `layout.finished`.
    """
    sound = []
    for run in layout.finished(runs, parser, measures):
        folders = (layout.path_text(run[0], parser, measure) for measure in (None, measures[run[1]]))
        missing = {folder: names for folder in folders if (names := digests.missing_files(folder))}
        for folder, names in missing.items():
            note_damage(Path(folder), [f"{folder}/{name}: missing" for name in names])
        if not missing:
            sound.append(run)
    return sound


def clear_damaged() -> list[str]:
    """Remove the damaged files of the noted cells; return a message for each removed file, with the reason.

    If the Parquet files are intact, only the metrics are removed. A cell stays if it was made again in the meantime, or
    if another run has claimed it.
    """
    messages = []
    for name in layout.names_in(layout.DAMAGED):
        cell, _, parser = name.rpartition(".")
        with claims.claimed(cell or name) as hindrance:
            if hindrance is None:
                messages += _remove_damaged(layout.parquet(cell, parser)) if cell else []
                removal.remove(layout.DAMAGED / name)
    return messages


def _remove_damaged(place: Path) -> list[str]:
    """Remove the damaged files in a cell's Parquet folder; return a message for each."""
    messages = []
    metrics_folders = [place / name for name in layout.names_in(place) if name.startswith(layout.METRICS)]
    problems_of = {folder: digests.file_problems(folder) for folder in (place, *metrics_folders) if folder.exists()}
    for folder in [place] if problems_of.get(place) else metrics_folders:
        if problems_of.get(folder):
            messages += [f"{problem}: made again" for problem in problems_of[folder]]
            removal.remove(folder)
    return messages


def _noted_damage(folder: Path, problems: list[str]) -> Damaged:
    """Note the damage, and return the error to raise."""
    note_damage(folder, problems)
    return Damaged("\n".join([*problems, "run the sweep again, which makes the cell again"]))

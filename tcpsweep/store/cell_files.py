# SPDX-License-Identifier: MIT
"""The files of finished cells, checked where they are read, and what becomes of a cell that was damaged.

Whoever finds a damaged file says so in ``results/damaged/``, which needs no lock. The cell then counts as missing, and
the next run, which claims it, removes what is damaged and makes it again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Any

from tcpsweep.store import claims, digests, layout, whole_files
from tcpsweep.words.user_error import UserError

RECORD = "run.json"
# The tables whose bytes are equal only if two simulations are. The record has times, and captures are kept by choice.
_SIMULATED = ("flow_monitor.parquet", "flows.parquet", "queue.parquet", "traces.parquet", "transfers.parquet")
_MEASURED = ("audit.parquet", "fairness.parquet", "measures.parquet")


class Damaged(UserError):
    """Files of cells are not what was written; the user reads it."""


def sums(folder: Path) -> dict[str, str]:
    """The digests of the files in a cell's folder of Parquet or of metrics, by their names. Raises `Damaged`."""
    try:
        return digests.read(folder)
    except digests.Differs as error:
        raise _damaged(folder, [str(error)]) from None


def simulation(sums: Mapping[str, str]) -> str:
    """A digest of a cell's tables, from the digests in its folder of Parquet; equal ones mean identical simulations."""
    return digests.joint_digest(sums, _SIMULATED)


def metrics(sums: Mapping[str, str]) -> str:
    """A digest of a cell's metrics, from the digests in their folder."""
    return digests.joint_digest(sums, _MEASURED)


def check(folder: Path, names: Iterable[str] | None = None, but: Container[str] = ()) -> dict[str, str]:
    """Check files in a cell's folder of Parquet or of metrics, all unless named; note the cell if they are damaged.

    Returns the digests as `sums` does. Raises `Damaged`.
    """
    known = sums(folder)
    if found := digests.differing(folder, known, names, but):
        raise _damaged(folder, found)
    return known


def checked(path: Path) -> Path:
    """The path of a cell's file itself, if that is what was written. Raises `Damaged`."""
    check(path.parent, [path.name])
    return path


def record(folder: Path) -> dict[str, Any]:
    """The simulator's record of a cell, ``run.json``, from the folder of its Parquet. Raises `Damaged`."""
    found: dict[str, Any] = json.loads(record_text(folder))
    return found


def record_text(folder: Path, known: Mapping[str, str] | None = None) -> bytes:
    """The text of `record`, given the `sums` of the folder, or not. Raises `Damaged`."""
    path, known = folder / RECORD, sums(folder) if known is None else known
    try:
        content = path.read_bytes()
    except OSError as error:
        raise _damaged(folder, [f"{path}: {error.strerror}"]) from None
    if hashlib.sha256(content).hexdigest() != known.get(path.name):
        raise _damaged(folder, [f"{path}: is not what was written"])
    return content


def note_damage(folder: Path, words: Iterable[str]) -> None:
    """Note that files of a cell are damaged, given one of its folders; nothing where one may not write."""
    parsed = folder if not folder.name.startswith(layout.METRICS) else folder.parent
    marks = parsed.parents[2] / layout.DAMAGED.name
    with contextlib.suppress(OSError):
        whole_files.write_whole(
            marks / layout.damage_mark(parsed.parent.name, parsed.name), "".join(f"{w}\n" for w in words)
        )


def clear_damaged() -> list[str]:
    """Remove what is damaged of the cells that were noted; return what was removed and why, in words.

    Metrics are removed alone if the Parquet that they were measured from is right. A cell that is right by now, because
    it was made again, stays, and so does one that another run has claimed.
    """
    words = []
    for name in layout.names_in(layout.DAMAGED):
        cell, _, parser = name.rpartition(".")
        with claims.claimed(cell or name) as hindrance:
            if hindrance is None:
                words += _cleared(layout.parquet(cell, parser)) if cell else []
                whole_files.remove_file(layout.DAMAGED / name)
    return words


def _cleared(place: Path) -> list[str]:
    """Remove what is damaged in a cell's folder of Parquet; what it was, in words."""
    words = []
    metrics = [place / own for own in layout.names_in(place) if own.startswith(layout.METRICS)]
    wrong = {folder: digests.problems(folder) for folder in (place, *metrics) if folder.exists()}
    for folder in [place] if wrong.get(place) else metrics:
        if wrong.get(folder):
            words += [f"{found}: made again" for found in wrong[folder]]
            whole_files.remove_whole(folder)
    return words


def _damaged(folder: Path, found: list[str]) -> Damaged:
    note_damage(folder, found)
    return Damaged("\n".join([*found, "run the sweep again, which makes the cell again"]))

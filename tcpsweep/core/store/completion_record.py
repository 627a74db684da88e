# SPDX-License-Identifier: MIT
"""The record that a run's last step writes into a sweep's folder: the files of each step, and the closing summary.

It holds the digest of each file, so that an altered or lost file is made again. It also holds its own digest: its
content is printed as the sweep's result, so a damaged record is ignored.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tcpsweep.core.store import digests, layout, state_files
from tcpsweep.core.store.whole_files import write_whole
from tcpsweep.core.words.aligned import Part

STEPS = ("plan", "aggregate", "report", "pages")  # each makes at least one file
_ENTRY = re.compile(r'"((?:results|reports)/[^"\\]+)": "([0-9a-f]{64})"')


@dataclass(frozen=True)
class Completion:
    """A sweep's completion.

    ``made`` maps each step to its files and their digests. ``tables`` has the sweep's summary; it is empty if an older
    version recorded it.
    """

    made: dict[str, dict[str, str]]
    tables: list[Part]


@dataclass(frozen=True)
class _Record:
    """The file's content: a completion with its digest. Older versions recorded the summary in several formats."""

    made: dict[str, dict[str, str]]
    tables: list[Part] | dict[str, Any]
    digest: str


def write(folder: Path, made: Mapping[str, Iterable[Path]], tables: list[Part]) -> None:
    """Record the files that each step of the sweep in a folder made, and the closing summary."""
    by_step = {step: {str(path): digests.file_digest(path) for path in sorted(files)} for step, files in made.items()}
    record = {"made": by_step, "tables": tables, "digest": _own_digest(by_step, tables)}
    write_whole(folder / layout.COMPLETE, json.dumps(record), is_lasting=True)


def read(folder: Path) -> Completion | None:
    """The completion of the sweep in a folder; None if no run has finished there, or its record is damaged."""
    record = state_files.read(folder / layout.COMPLETE, _Record)
    is_whole = record and all(record.made.get(step) for step in STEPS)
    if not record or not is_whole or record.digest != _own_digest(record.made, record.tables):
        return None
    return Completion(record.made, record.tables if isinstance(record.tables, list) else [])


def legible(folder: Path) -> dict[str, str]:
    """The readable digests in a damaged record, by the files' paths."""
    path = folder / layout.COMPLETE
    try:
        text = path.read_bytes().decode(errors="replace") if path.is_file() else ""
    except OSError:
        return {}
    return dict(_ENTRY.findall(text))


def are_there(files: Mapping[str, str]) -> bool:
    """Whether a step's files exist and still have their digests. They are below the folders of results."""
    try:
        return all(map(_is_in_results, files)) and all(
            digests.file_digest(path) == digest for path, digest in files.items()
        )
    except OSError:
        return False


def _is_in_results(path: str) -> bool:
    parts = Path(path).parts
    return parts[:1] in ((str(layout.RESULTS),), (str(layout.REPORTS),)) and ".." not in parts


def _own_digest(made: dict[str, dict[str, str]], tables: list[Part] | dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps([made, tables], sort_keys=True).encode()).hexdigest()

# SPDX-License-Identifier: MIT
"""The ns-3 attributes in force in a sweep's cells, recorded by the simulator, in a file next to the tables."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from tcpsweep.core.store import digests, whole_files
from tcpsweep.core.sweep import sweep_tables


class Alike(msgspec.Struct):
    """The attributes of some cells, and these cells' combinations with their numbers of runs."""

    attributes: dict[str, Any]
    runs: dict[int, int]


class InForce:
    """Collects the attributes of runs; many cells have the same ones, to the byte."""

    def __init__(self) -> None:
        self._runs_by_attributes: dict[bytes, Counter[int]] = {}

    def add(self, attributes: bytes, combination: int) -> None:
        """Add a run: the attributes of its cell, from `recorded`, and its combination."""
        self._runs_by_attributes.setdefault(attributes, Counter())[combination] += 1

    def write(self, folder: Path) -> None:
        """Write the attributes into a sweep's folder."""
        entries = [{"attributes": msgspec.Raw(text), "runs": runs} for text, runs in self._runs_by_attributes.items()]
        whole_files.write_whole(
            folder / sweep_tables.ATTRIBUTES, msgspec.json.encode(entries).decode(), is_lasting=True
        )


class _RunRecord(msgspec.Struct):
    settings: msgspec.Raw = msgspec.Raw(b"{}")


def recorded(record: bytes) -> bytes:
    """The attributes in the text of a cell's ``run.json``, unchanged."""
    return bytes(msgspec.json.decode(record, type=_RunRecord).settings)


def read(folder: Path) -> list[Alike]:
    """The attributes in a sweep's folder; none if the file is missing.

    Raises
    ------
    digests.Differs
    """
    path = sweep_tables.file(folder, sweep_tables.ATTRIBUTES)
    if not path.is_file():
        return []
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[Alike])
    except msgspec.DecodeError:
        raise digests.Differs(f"{path}: is damaged") from None

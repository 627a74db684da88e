# SPDX-License-Identifier: MIT
"""The versions of ns-3 that a user names, as a sweep file's key ``ns3`` has one, each with a label."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tcpsweep.core.ns3 import engine, installation
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.sweepfile.document.yaml_document import Document, Problem
from tcpsweep.core.words.user_error import UserError

_NUMBER = re.compile(r"3\.[0-9]{1,2}(\.[0-9]+)?")
_DEBIAN_PREFIX = Path("/usr")
_NOT_IN_NAME = re.compile(r"[^A-Za-z0-9._-]+")


class NotInstalled(UserError):
    """A version of ns-3 that is named by its number, but not installed."""


@dataclass(frozen=True)
class Version:
    """A version of ns-3 that a sweep runs in."""

    label: str  # in names of sweeps and in tables
    ns3: dict[str, Any]  # as in a sweep file, with absolute paths


def entry(written: Any, folder: Path) -> dict[str, Any]:
    """One entry of the list ``ns3`` as a sweep file's key ``ns3``, with absolute paths; ``folder`` is the file's.

    A number is a version that is installed in the Python environment or in /usr. A text is the folder of an installed
    ns-3 or of a source; ``DIR@COMMIT`` is a commit of a source. Raises `NotInstalled`.
    """
    if isinstance(written, dict):
        paths = {key: _absolute(str(written[key]), folder) for key in ("prefix", "source") if key in written}
        return written | paths
    text = f"{written:.2f}" if isinstance(written, float) else str(written)
    if _NUMBER.fullmatch(text):
        return _installed(text)
    path = Path(_absolute(text, folder))
    if installation.has_headers(path):
        return {"prefix": str(path)}
    source, separator, commit = text.rpartition("@")
    if separator and not path.exists():
        return {"source": _absolute(source, folder), "commit": commit}
    return {"source": str(path)}


def _absolute(path: str, folder: Path) -> str:
    return str((folder / Path(path).expanduser()).absolute())


def _installed(number: str) -> dict[str, Any]:
    """The installed ns-3 of a version."""
    entry_by_number: dict[str, dict[str, Any]] = {engine.find().version: {}}
    if installation.has_headers(_DEBIAN_PREFIX):
        entry_by_number.setdefault(engine.find(_DEBIAN_PREFIX).version, {"prefix": str(_DEBIAN_PREFIX)})
    if number not in entry_by_number:
        known_numbers = " and ".join(entry_by_number)
        raise NotInstalled(
            f"ns-3 {number} is not installed here (installed: {known_numbers}); "
            "write one of these, {prefix: DIR}, or {source: DIR}"
        )
    return entry_by_number[number]


def labelled(document: Document, written_entries: Sequence[Any], folder: Path) -> list[Version]:
    """The versions that a user names, checked with the sweep file, so that no version lacks a name in it.

    Paths are relative to ``folder``. Sources are built. Raises `UserError` with the first version's mistakes.
    """
    entries = _entries(document, written_entries, folder)
    documents = (replace(document, data=document.data | {"ns3": ns3}) for ns3 in entries)
    engines = [checked_sweep.checked(each, ask_ns3=True)[2] for each in documents]
    names = [
        _NOT_IN_NAME.sub("-", ns3["commit"]).strip("-.") if "commit" in ns3 else engine_found.version
        for ns3, engine_found in zip(entries, engines, strict=True)
    ]
    name_counts = Counter(names)
    labels = [
        f"{name}-{engine_found.libraries_id[:6]}" if name_counts[name] > 1 else name
        for name, engine_found in zip(names, engines, strict=True)
    ]
    if repeated := [label for label, count in Counter(labels).items() if count > 1]:
        raise UserError(f"{document.name}: ns-3 {repeated[0]} is named twice; name versions that differ")
    return [Version(label, ns3) for label, ns3 in zip(labels, entries, strict=True)]


def _entries(document: Document, written_entries: Sequence[Any], folder: Path) -> list[dict[str, Any]]:
    """Each `entry`. Raises `Mistakes` at the places of those in the sweep file's own list."""
    entries, problems = [], []
    for number, each in enumerate(written_entries):
        try:
            entries.append(entry(each, folder))
        except NotInstalled as error:
            if written_entries is not document.data.get("ns3"):
                raise
            problems.append(Problem(("ns3", number), str(error)))
    if problems:
        raise document.mistakes(problems)
    return entries

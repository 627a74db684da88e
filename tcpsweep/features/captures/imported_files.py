# SPDX-License-Identifier: MIT
"""The kinds of imported files, and errors for files of no kind."""

import os
import re
import stat
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tcpsweep.core.words.user_error import UserError

RECORD = "import.json"  # in the folder of an import
KINDS = ("capture", "flow monitor", "ascii trace")
_BEGIN_BYTES = 4096
_EVENT = re.compile(rb"[-+drt] [0-9][-+.0-9e]* (?:/NodeList/|ns3::)")


def kind(path: Path) -> str:
    """The kind of a file, one of `KINDS`; a file that is not of the last two kinds is read as a capture.

    Raises `UserError` if it cannot be read, or is no file.
    """
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            what = "a folder" if stat.S_ISDIR(mode) else "no regular file"
            raise UserError(f"{path}: is {what}; expected a pcap or pcapng file, FlowMonitor's XML or an ascii trace")
        begin = _begin(path)
    except OSError as error:
        why = "there is no such file" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror}"
        raise UserError(f"{path}: {why}") from None
    if b"<FlowMonitor" in begin:
        return "flow monitor"
    return "ascii trace" if _EVENT.match(begin) else "capture"


def _begin(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_BEGIN_BYTES)


def stem(path: Path) -> str:
    """A file's name without its suffix, or without both suffixes of a gzip file: `upload` for `upload.pcap.gz`."""
    return Path(path.stem).stem if path.suffix == ".gz" else path.stem


def interfaces(paths: Sequence[Path]) -> dict[str, Path]:
    """The names of the interfaces of captures: their files' names, without suffixes if the names still differ.

    Raises `UserError` if a file is given twice.
    """
    if len({os.path.realpath(path) for path in paths}) < len(paths):
        twice = next(path for place, path in enumerate(paths) if path.resolve() in {p.resolve() for p in paths[:place]})
        raise UserError(f"{twice}: is given twice")
    by_name: dict[str, Path] = {}
    stems = Counter(map(stem, paths))
    for path in paths:
        name = stem(path) if stems[stem(path)] == 1 else path.name
        number = 2
        while name in by_name:
            name = f"{path.name} ({number})"
            number += 1
        by_name[name] = path
    return by_name


def flow_count(record: Mapping[str, Any]) -> int:
    """The number of flows in an import, from its record, which lists only the first ones of very many."""
    return len(record["flows"]) + int(record.get("more_flows", 0))

# SPDX-License-Identifier: MIT
"""The static figures in the page, in their groups, and the tables that the sweep file asks for."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tcpsweep.core.report import page_parts

MOST_DRAWN = 1_000_000  # bytes of drawings in the page; the figures after these are only links to their files


def groups(folder: Path, link: Callable[[str], str]) -> dict[str, list[dict[str, Any]]]:
    """The figures of the sweep in ``folder``, by their heading, as ``figures.json`` has them.

    Each also has ``links`` to its files, which ``link`` makes from their paths, and ``svg`` to show within the page,
    empty once `MOST_DRAWN` is used up.
    """
    by_heading: dict[str, list[dict[str, Any]]] = {}
    drawn_bytes = 0
    for figure in json.loads((folder / "figures.json").read_text(encoding="utf-8")):
        path = folder / figure["files"]["svg"]
        drawn_bytes += path.stat().st_size
        svg = page_parts.inline(path.read_text(encoding="utf-8"), figure["name"]) if drawn_bytes <= MOST_DRAWN else ""
        links = [(kind.upper(), link(path)) for kind, path in figure["files"].items()]
        by_heading.setdefault(figure["group"], []).append(figure | {"svg": svg, "links": links})
    return by_heading


def tables(folder: Path, link: Callable[[str], str]) -> list[dict[str, Any]]:
    """The tables that the sweep file asks for.

    Each has ``name``, ``title``, ``caption``, ``heads``, ``rows`` of texts, ``words`` (which columns hold words),
    ``links``.
    """
    index = folder / "figures" / "tables.json"
    if not index.is_file():
        return []
    entries = json.loads(index.read_text(encoding="utf-8"))
    return [
        table | {"links": [(kind.upper(), link(path)) for kind, path in table["files"].items()]} for table in entries
    ]

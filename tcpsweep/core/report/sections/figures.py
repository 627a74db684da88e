# SPDX-License-Identifier: MIT
"""The static figures in the page, in their groups, and the tables that the sweep file asks for."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from tcpsweep.core.report import page_parts

MOST_DRAWN = 1_000_000  # bytes of drawings in the page; the figures after these are only links to their files


class Figure(NamedTuple):
    """A static figure."""

    name: str
    title: str
    caption: str
    svg: Markup | str  # empty once `MOST_DRAWN` is used up
    links: list[tuple[str, str]]  # the kinds of its files, and the links to them


class AskedTable(NamedTuple):
    """A table that the sweep file asks for."""

    name: str
    title: str
    caption: str
    heads: list[str]
    rows: list[list[str]]
    words: list[bool]  # which columns hold words
    links: list[tuple[str, str]]  # the kinds of its files, and the links to them


def groups(folder: Path, link: Callable[[str], str]) -> dict[str, list[Figure]]:
    """The figures of the sweep in ``folder``, by their heading; ``link`` makes a link from a file's path."""
    by_heading: dict[str, list[Figure]] = {}
    drawn_bytes = 0
    for figure in json.loads((folder / "figures.json").read_text(encoding="utf-8")):
        path = folder / figure["files"]["svg"]
        drawn_bytes += path.stat().st_size
        svg = page_parts.inline(path.read_text(encoding="utf-8"), figure["name"]) if drawn_bytes <= MOST_DRAWN else ""
        links = [(kind.upper(), link(path)) for kind, path in figure["files"].items()]
        drawn = Figure(figure["name"], figure["title"], figure["caption"], svg, links)
        by_heading.setdefault(figure["group"], []).append(drawn)
    return by_heading


def tables(folder: Path, link: Callable[[str], str]) -> list[AskedTable]:
    """The tables that the sweep file asks for."""
    index = folder / "figures" / "tables.json"
    if not index.is_file():
        return []
    entries = json.loads(index.read_text(encoding="utf-8"))
    return [
        AskedTable(
            *(table["name"], table["title"], table["caption"], table["heads"], table["rows"], table["words"]),
            [(kind.upper(), link(path)) for kind, path in table["files"].items()],
        )
        for table in entries
    ]

# SPDX-License-Identifier: MIT
"""The sections of a sweep file that give parameters and attributes their values, walked in one place.

A section is a mapping of names to values, a block, or a list of blocks.
"""

from collections.abc import Iterator
from typing import Any

from tcpsweep.sweepfile.yaml_document import KeyPath

SECTIONS = ("grid", "zip", "fixed", "attributes")
SETTING = ("published", "setting")


def blocks(data: Any, *section: str) -> list[tuple[KeyPath, dict[str, Any]]]:
    """The blocks of a section with their paths; none if the file has no such section.

    Parameters
    ----------
    data : object
        A `yaml_document.Document`'s data; anything but a mapping is skipped.
    *section : str
        The keys that lead to the section, such as ``"grid"``, or ``"published", "setting"``.
    """
    content = data
    for key in section:
        content = content.get(key) if isinstance(content, dict) else None
    several = isinstance(content, list)
    parts: list[tuple[KeyPath, Any]] = [((*section, i), part) for i, part in enumerate(content)] if several else []
    return [(path, part) for path, part in parts or [(section, content)] if isinstance(part, dict)]


def values(data: Any) -> Iterator[tuple[KeyPath, str, Any]]:
    """Every value that a sweep file gives a parameter or an attribute: path, name, value."""
    for section in (*((name,) for name in SECTIONS), SETTING):
        # A list under `fixed` is one value, with a part for each flow; elsewhere it is an axis.
        is_axis = section[0] not in ("fixed", "published")
        for path, block in blocks(data, *section):
            for name, value in block.items():
                if is_axis and isinstance(value, list):
                    yield from (((*path, name, number), name, item) for number, item in enumerate(value))
                else:
                    yield (*path, name), name, value


def place(data: Any, *names: str) -> KeyPath:
    """The path of the first of the named parameters that the file sets; empty if it sets none of them."""
    for name in names:
        for section in SECTIONS:
            for path, block in blocks(data, section):
                if name in block:
                    return (*path, name)
    return ()

# SPDX-License-Identifier: MIT
"""Dotted names of a network's links, flows and traffic, such as ``network.links.first.bandwidth``."""

import functools
from collections.abc import Iterable
from typing import NamedTuple

PREFIX = "network."
KINDS = ("links", "flows", "traffic")
BACK = "back."


class Dotted(NamedTuple):
    """A dotted name's parts: links, flows or traffic; the name of one of them; and its field, such as ``back.loss``."""

    kind: str
    thing: str
    field: str


def split(name: str) -> Dotted | None:
    """A dotted name's parts; None if the name is not a dotted one."""
    if not name.startswith(PREFIX):
        return None
    parts = name.split(".", 3)
    return Dotted(*parts[1:]) if len(parts) == 4 and parts[1] in KINDS else None


@functools.cache  # called for each name in each combination
def is_variant(name: str) -> bool:
    """Whether a dotted name sets the variant of flows or traffic."""
    return name.startswith(PREFIX) and name.endswith(".variant")


def dotted_name(kind: str, thing: str, field: str) -> str:
    """The dotted name of a field."""
    return f"{PREFIX}{kind}.{thing}.{field}"


def names_key(kind: str) -> str:
    """The key under which a combination lists the names of its links, flows or traffic, joined by commas."""
    return PREFIX + kind


def option_name(name: str) -> str:
    """The simulator's option for a dotted name."""
    return name.removeprefix(PREFIX)


def short_title(name: str, among: Iterable[str]) -> str:
    """A short name, such as ``second bandwidth``; it includes the kind if another in ``among`` is the same."""
    parts = split(name)
    if parts is None:
        return name
    title = _short_title(parts)
    same_titles = [
        other
        for other in among
        if other != name and (other_parts := split(other)) and _short_title(other_parts) == title
    ]
    return f"{parts.kind} {title}" if same_titles else title


def _short_title(parts: Dotted) -> str:
    return f"{parts.thing} {parts.field.replace('.', ' ').replace('_', ' ')}"


def column_name(name: str) -> str:
    """The name of a column, of letters, digits and underscores: ``links_second_bandwidth``."""
    if split(name) is None:
        return name
    return "".join(character if character.isalnum() else "_" for character in option_name(name))

# SPDX-License-Identifier: MIT
"""How a network's names, counts and routes are written, and their normal forms: texts, joined by commas."""

import re
from collections.abc import Callable
from typing import Any

from tcpsweep.core.words import arithmetic, link_words

REFERENCE_LINK = "reference_link"
AUTO = "auto"
THING = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_NODE = re.compile(r"[A-Za-z](?:[A-Za-z0-9_.-]|\{[^{},]*\})*")


def thing(value: Any) -> str:
    """The name of a link, a flow or traffic."""
    if not isinstance(value, str) or not THING.fullmatch(value):
        raise ValueError(f"expected a name, a letter and then letters, digits, '_' or '-', got {value!r}")
    return value


def node(value: Any, what: str = "a node's name") -> str:
    """A node's name, or a template of several names, such as ``r{i+1}``, without spaces."""
    text = re.sub(r"\s+(?=[^{}]*\})", "", value) if isinstance(value, str) else ""
    if not _NODE.fullmatch(text):
        expected = f"{what}, a letter and then letters, digits, '_', '.' or '-', or such as r{{i+1}}"
        raise ValueError(f"expected {expected}, got {value!r}")
    arithmetic.member(text, 0)
    return text


def _joined_names(value: Any, what: str, count: int | None = None) -> str:
    name_list = value.split(",") if isinstance(value, str) else value
    if not isinstance(name_list, list) or not name_list or (count and len(name_list) != count):
        raise ValueError(f"expected {what}, got {value!r}")
    return ",".join(node(name, what) for name in name_list)


def reference_link(value: Any) -> str:
    """A link's name, with " back" for the direction from its second node; ``auto`` to let tcpsweep find one."""
    name, *way = value.split() if isinstance(value, str) else [""]
    if not THING.fullmatch(name) or way not in ([], [link_words.BACK]):
        raise ValueError(f"expected the name of a link, such as uplink or radio back, or auto; got {value!r}")
    return " ".join([name, *way])


def ends(value: Any) -> str:
    """A link's two nodes, joined by a comma."""
    return _joined_names(value, "two nodes, such as [a, b]", 2)


def route(value: Any) -> str:
    """The names of links along a route, joined by commas; names in a group end in ``-0``, ``-1`` and so on."""
    names = _joined_names(value, "the names of links, such as [first, second]")
    if "{" in names:
        raise ValueError(f"expected the names of links, such as first or hop-0, got {value!r}")
    return names


def nodes(value: Any) -> str:
    """One or several nodes, joined by commas."""
    return _joined_names(value, "nodes, such as a, [a, b] or host{i}")


def count(value: Any) -> int:
    """A whole number of members, which may be an expression, such as ``4 * 8``."""
    if isinstance(value, str):
        return arithmetic.whole(value, {})
    if not isinstance(value, int | float) or isinstance(value, bool) or value != int(value):
        raise ValueError(f"expected a whole number, got {value!r}")
    return int(value)


FORMATS: dict[str, Callable[[Any], Any]] = {
    "element": thing,
    "node": node,
    "ends": ends,
    "route": route,
    "reference-link": reference_link,
    "nodes": nodes,
    "count": count,
}
# Formats in which an ordered list is one value.
LISTS = ("ends", "route", "nodes")

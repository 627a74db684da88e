# SPDX-License-Identifier: MIT
"""A direction of a link in words: "radio" from its first node to its second, "radio back" in reverse."""

from collections.abc import Iterable

BACK = "back"
ANY_OF = "any of "


def said(name: str, direction: str) -> str:
    """The words for a direction, "forward" or "reverse"."""
    return f"{name} {BACK}" if direction == "reverse" else name


def read(words: str) -> tuple[str, str]:
    """The link's name and the direction from such words."""
    name, _, way = words.partition(" ")
    return name, "reverse" if way.strip() == BACK else "forward"


def any_of(names: Iterable[str]) -> str:
    """The words for one of several links, from their names or patterns such as "hop-*"."""
    return ANY_OF + ", ".join(names)

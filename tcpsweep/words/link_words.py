# SPDX-License-Identifier: MIT
"""A direction of a link in words: "radio" from its first node to its second, "radio back" in reverse."""

BACK = "back"


def said(name: str, direction: str) -> str:
    """The words for a direction, "forward" or "reverse"."""
    return f"{name} {BACK}" if direction == "reverse" else name


def read(words: str) -> tuple[str, str]:
    """The link's name and the direction from such words."""
    name, _, way = words.partition(" ")
    return name, "reverse" if way.strip() == BACK else "forward"

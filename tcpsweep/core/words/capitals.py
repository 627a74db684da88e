# SPDX-License-Identifier: MIT
"""Titles within sentences."""

_PERSON = "Jain"


def uncapitalised(title: str) -> str:
    """A title with a small first letter, unless it begins with a name or an abbreviation."""
    first = title.split(" ", 1)[0]
    is_name = first.startswith(_PERSON) or first[1:] != first[1:].lower()
    return title if is_name else title[:1].lower() + title[1:]

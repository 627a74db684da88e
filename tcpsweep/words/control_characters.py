# SPDX-License-Identifier: MIT
"""Characters that a page or a terminal obeys instead of showing them: controls, and those that turn text around."""

import re
import unicodedata

# Unicode's controls but tab and line feed, its line and paragraph separators, the marks, embeddings, overrides and
# isolates of its bidirectional algorithm (UAX 9), halves of surrogate pairs, and what is no character.
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)


def first_place(text: str) -> int | None:
    """The place of the first such character in a text; None if it has none."""
    found = _OBEYED.search(text)
    return found.start() if found else None


def character_name(character: str) -> str:
    """A character as a message names it, such as ``U+202E (RIGHT-TO-LEFT OVERRIDE)``."""
    name = unicodedata.name(character, "")
    return f"U+{ord(character):04X}" + (f" ({name})" if name else "")


def escaped(text: str) -> str:
    """A text with each such character written as Python writes it, such as U+001B as a backslash and x1b."""
    return _OBEYED.sub(lambda found: ascii(found[0])[1:-1], text)

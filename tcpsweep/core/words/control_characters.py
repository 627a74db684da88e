# SPDX-License-Identifier: MIT
"""Characters that pages and terminals obey instead of showing: controls, and characters that reverse text."""

import re
import unicodedata

# Unicode's controls except tab and line feed, its line and paragraph separators, the marks, embeddings, overrides and
# isolates of its bidirectional algorithm (UAX 9), halves of surrogate pairs, and noncharacters.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)


def first_place(text: str) -> int | None:
    """The index of the first such character in a text; None if there is none."""
    match = _CONTROLS.search(text)
    return match.start() if match else None


def character_name(character: str) -> str:
    """A character's name for messages, such as ``U+202E (RIGHT-TO-LEFT OVERRIDE)``."""
    name = unicodedata.name(character, "")
    return f"U+{ord(character):04X}" + (f" ({name})" if name else "")


def escaped(text: str) -> str:
    """A text in which Python's escapes replace such characters, such as a backslash and x1b for U+001B."""
    return _CONTROLS.sub(lambda match: ascii(match[0])[1:-1], text)

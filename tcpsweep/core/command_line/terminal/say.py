# SPDX-License-Identifier: MIT
"""Print texts for people. Names and words in them may come from others."""

from typing import TextIO

from tcpsweep.core.words import control_characters


def say(text: str = "", file: TextIO | None = None, end: str = "\n", flush: bool = False) -> None:
    """Print a text, with escapes in place of characters that a terminal obeys; by default on standard output."""
    print(control_characters.escaped(text), file=file, end=end, flush=flush)

# SPDX-License-Identifier: MIT
"""The nearest valid spelling of a word that somebody mistyped."""

import difflib
from collections.abc import Iterable


def nearest(word: object, words: Iterable[str], cutoff: float = 0.6) -> str:
    """``; did you mean 'x'?`` for the nearest of ``words``, or nothing."""
    folded = {str(item).lower(): item for item in words}
    word = str(word).lower()
    near = difflib.get_close_matches(word, folded, n=1, cutoff=cutoff)
    near = near or [item for item in folded if word and item.startswith(word)]
    return f"; did you mean {folded[near[0]]!r}?" if near else ""

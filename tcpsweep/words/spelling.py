# SPDX-License-Identifier: MIT
"""The nearest valid spelling of a word that somebody mistyped."""

import difflib
from collections.abc import Collection, Iterable

_MOST_LISTED = 8
_ALIKE = 0.75  # of words that begin with different letters: few mistype the first


def did_you_mean(word: object, words: Iterable[str], cutoff: float = 0.6) -> str:
    """``; did you mean 'x'?`` for the nearest of ``words``, or nothing."""
    folded = {str(item).lower(): item for item in words}
    word = str(word).lower()
    near = [
        item
        for item in difflib.get_close_matches(word, folded, n=3, cutoff=cutoff)
        if item[:1] == word[:1] or difflib.SequenceMatcher(None, item, word).ratio() >= _ALIKE
    ]
    near = near or [item for item in folded if word and item.startswith(word)]
    return f"; did you mean {folded[near[0]]!r}?" if near else ""


def listed(words: Collection[str]) -> str:
    """The words, separated by commas: the first ones, and how many there are, where they are many."""
    shown = ", ".join(list(words)[:_MOST_LISTED]) or "none"
    return shown if len(words) <= _MOST_LISTED else f"{shown}, … ({len(words)} in all)"


def none_of_these(message: str, before: str, word: str, known: Collection[str]) -> str:
    """A message on a word that is none of those known, which are listed after ``before``."""
    return message_with_hint(message, f"{before} {listed(known)}", did_you_mean(word, known))


def message_with_hint(message: str, choices: str, near: str) -> str:
    """A message on a wrong word, with the nearest valid one, or else with the list of choices."""
    return message + (near or (f"; {choices}" if choices else ""))

# SPDX-License-Identifier: MIT
"""Find the nearest valid spelling of a mistyped word."""

import difflib
from collections.abc import Collection, Iterable

_MOST_LISTED = 8
_ALIKE = 0.75  # for words that begin with different letters, because few people mistype the first


def did_you_mean(word: object, words: Iterable[str], cutoff: float = 0.6) -> str:
    """``; did you mean 'x'?`` for the nearest of ``words``, or nothing."""
    word_by_lower_case = {str(item).lower(): item for item in words}
    word = str(word).lower()
    near = [
        item
        for item in difflib.get_close_matches(word, word_by_lower_case, n=3, cutoff=cutoff)
        if item[:1] == word[:1] or difflib.SequenceMatcher(None, item, word).ratio() >= _ALIKE
    ]
    near = near or [item for item in word_by_lower_case if word and item.startswith(word)]
    return f"; did you mean {word_by_lower_case[near[0]]!r}?" if near else ""


def listed(words: Collection[str]) -> str:
    """The words, separated by commas; of many words, the first ones and the total."""
    shown = ", ".join(list(words)[:_MOST_LISTED]) or "none"
    return shown if len(words) <= _MOST_LISTED else f"{shown}, … ({len(words)} in all)"


def none_of_these(message: str, before: str, word: str, words: Collection[str]) -> str:
    """A message on an unknown word; the known words follow ``before``."""
    return message_with_hint(message, f"{before} {listed(words)}", did_you_mean(word, words))


def message_with_hint(message: str, choices: str, near: str) -> str:
    """A message on a wrong word, with the nearest valid one, or with the list of choices if none is near."""
    return message + (near or (f"; {choices}" if choices else ""))

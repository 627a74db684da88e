# SPDX-License-Identifier: MIT
"""Merge warnings that differ only in their numbers, as in a sweep of delays."""

import re
from collections.abc import Mapping

# Text in backticks is to be copied literally, so warnings that differ there are not merged.
_NUMBER = re.compile(r"`[^`]*`|(?<![\w.])(\d+(?:\.\d+)?)([A-Za-z%]*)(?!\w)")


def merged(counts: Mapping[str, int]) -> dict[str, int]:
    """Texts with their counts; texts that differ only in numbers become one with the range of each number."""
    alike: dict[str, list[str]] = {}
    for text in counts:
        alike.setdefault(_NUMBER.sub(lambda found: found[0] if found[1] is None else "#" + found[2], text), []).append(
            text
        )
    return {_with_ranges(texts): sum(counts[text] for text in texts) for texts in alike.values()}


def _with_ranges(texts: list[str]) -> str:
    """The first text, with the minimum and maximum of each number that varies."""
    values = [[float(found[1]) for found in _NUMBER.finditer(text) if found[1] is not None] for text in texts]
    columns = iter(zip(*values, strict=True))

    def number(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0]
        column = next(columns)
        least, greatest = (f"{end:.10g}{found[2]}" for end in (min(column), max(column)))
        return found[0] if least == greatest else f"{least} to {greatest}"

    return _NUMBER.sub(number, texts[0])

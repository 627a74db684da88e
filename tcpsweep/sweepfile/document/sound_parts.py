# SPDX-License-Identifier: MIT
"""The parts of a wrong sweep file that can be checked further, so that one check reports all mistakes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tcpsweep.sweepfile.document.yaml_document import KeyPath, Problem

# Keys that make the combinations: without one of their values, the combinations are not those that the file means.
_OF_COMBINATIONS = (
    *("scenario", "network", "pairs", "grid", "zip", "fixed", "attributes", "only", "exclude"),
    *("runs", "repetitions", "precision", "at_most", "refine", "search"),
)
_LISTS = ("figures", "tables", "expect")


@dataclass(frozen=True)
class SoundPart:
    """A part of a sweep file's data."""

    data: dict[str, Any]  # without the wrong values
    kept: dict[str, list[int]]  # key to the original numbers of its list's remaining entries

    def in_file(self, problems: Iterable[Problem]) -> Iterator[Problem]:
        """The part's problems, with their paths in the whole file."""
        for problem in problems:
            path = problem.path
            if len(path) > 1 and path[0] in self.kept and isinstance(path[1], int):
                path = (path[0], self.kept[str(path[0])][path[1]], *path[2:])
            yield replace(problem, path=path)


def sound_part(data: Any, problems: Iterable[Problem]) -> SoundPart | None:
    """A sweep file's data without the keys and list entries in which `schema_check.problems` found problems.

    None if the problems leave the combinations open.
    """
    if not isinstance(data, dict):
        return None
    sound: dict[str, Any] = {"sweep": "unnamed"} | data
    dropped: dict[KeyPath, None] = {}
    for path in (problem.path for problem in problems):
        if path[:1] and path[0] in _OF_COMBINATIONS:
            return None
        if path[:1] == ("sweep",):
            sound["sweep"] = "unnamed"
        elif len(path) > 1 and path[0] in _LISTS and isinstance(path[1], int):
            dropped[path[:2]] = None
        elif path:
            sound.pop(str(path[0]), None)
    if "scenario" not in sound:
        return None
    kept: dict[str, list[int]] = {}
    for key in _LISTS:
        if isinstance(sound.get(key), list):
            kept[key] = [number for number in range(len(sound[key])) if (key, number) not in dropped]
            sound[key] = [sound[key][number] for number in kept[key]]
    if "published" in data and "published" not in sound:  # which figures may need
        kept["figures"], sound["figures"] = [], []
    return SoundPart(sound, kept)


def unseen(data: Any, part: SoundPart | None) -> Iterator[tuple[KeyPath, Any]]:
    """The list entries, with their paths, that a file's sound part lacks; all entries without a sound part."""
    for key in _LISTS:
        content = data.get(key) if isinstance(data, dict) else None
        if isinstance(content, list):
            seen = part.kept.get(key, []) if part else []
            yield from (((key, number), entry) for number, entry in enumerate(content) if number not in seen)
        elif content is not None and part is None:
            yield (key,), content

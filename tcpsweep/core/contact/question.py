# SPDX-License-Identifier: MIT
"""A question: a key of the sweep file that asks something of the sweep, such as the crossover of two variants.

A feature's question is a record of functions, and leaves out those that it does not need. Problems are
`yaml_document.Problem`. Data are those of a sweep file that may have schema errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile

Problems: TypeAlias = Iterable[Any]


def _unchanged(file: SweepFile, sweep: Any) -> tuple[Any, Problems]:
    return sweep, ()


@dataclass(frozen=True, kw_only=True)
class AddedCombinations:
    """How a question changes the combinations that a sweep file's axes make."""

    # Problems of the key that the schema cannot detect, in data that may have schema errors
    key_problems: Callable[[Any], Problems]
    # The file in which axes replace the key
    file_with_axes: Callable[[SweepFile], SweepFile]
    # The number of combinations that each combination of the axes becomes
    factor: Callable[[SweepFile], int]
    # From the combinations of the axes, and whether they are sound: those that remain the sweep's own, those for the
    # question's tables only, and problems
    own_and_added: Callable[[SweepFile, list[Any], bool], tuple[list[Any], list[Any], Problems]]


@dataclass(frozen=True, kw_only=True)
class NextRounds:
    """How a question lets a sweep grow from round to round."""

    # The keys that determine the rounds, first the question's
    keys: tuple[str, ...]
    # What it asks of the rounds, a `rounds.AskedRounds`
    asked_rounds: Callable[[SweepFile], Any]
    # Why conditions must not name an axis, in words; empty if they may
    why_unknown: Callable[[SweepFile, str], str] = lambda file, name: ""
    # The sweep in its first round and its problems, from those with all first points; None if they stay as they are
    first_round: Callable[[SweepFile, Any, list[Any]], tuple[Any, list[Any]]] | None = None
    # The largest number of simulations in all rounds, and what later rounds add, in words; from the number without them
    most_cells: Callable[[Any, int], tuple[int, str]] = lambda sweep, most: (most, "")
    # The state after a round, in words, from the sweep, its folder, and whether it has ended; empty before results
    state_words: Callable[[Any, Path, bool], str]


@dataclass(frozen=True, kw_only=True)
class Question:
    """What a feature lets people ask of a sweep."""

    key: str
    # The sweep with the question's record and combinations, and problems; from the sweep of the axes
    asked_of_axes: Callable[[SweepFile, Any], tuple[Any, Problems]] = _unchanged
    # The same for a question about sound combinations, once the sweep has no other problems
    asked_of_combinations: Callable[[SweepFile, Any], tuple[Any, Problems]] = _unchanged
    # Problems of an entry of the key's list, by its path, in a file whose combinations are unknown
    entry_problems: Callable[[Any, tuple[str | int, ...], Any], Problems] = lambda data, path, entry: ()
    # What is compared with each combination: by the path of its key, its name and the number of comparisons
    comparisons: Callable[[SweepFile], Mapping[tuple[str | int, ...], tuple[str, int]]] = lambda file: {}
    # Warnings before the sweep runs
    warnings: Callable[[Any], Iterable[str]] = lambda sweep: ()
    # The metrics that it is about
    metrics: Callable[[Any], Iterable[str]] = lambda sweep: ()
    sets_repetitions: bool = False  # whether it determines how many repetitions are enough
    added: AddedCombinations | None = None
    rounds: NextRounds | None = None

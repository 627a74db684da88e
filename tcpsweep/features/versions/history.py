# SPDX-License-Identifier: MIT
"""The commits between two versions of ns-3 that can change a sweep, and the search for those that do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from tcpsweep.core.ns3 import ns3_commit
from tcpsweep.core.words import control_characters
from tcpsweep.core.words.user_error import UserError

Point = TypeVar("Point")
# Files in the folders of modules that no build reads, as `ns3_modules.ASIDE`.
_NOT_BUILT = ("doc/**", "examples/**", "bindings/**", "test/**/*.cc")
_LOG = ("log", "-z", "--format=%H%x09%cs%x09%s")  # a subject may have any character but NUL, or be empty
_VERSION_FILE = "CHANGES.md"  # only names the version


class Commit(NamedTuple):
    """A commit of ns-3."""

    id: str
    date: str
    subject: str


class Step(NamedTuple):
    """Where an outcome changes: between two neighbours, or among commits that cannot be tried."""

    before: int  # the last point with the old outcome
    after: int  # the first point with the new one


def commits(repository: Path, first: str, last: str, modules: Sequence[str]) -> list[Commit]:
    """The commit ``first``, and all later ones up to ``last`` that change a file which a build of the modules reads.

    Only the first parents of merges count. The build at ``last`` is that of the last commit. Raises `UserError`.
    """
    ids = [ns3_commit.resolved(repository, commit) for commit in (first, last)]
    between = f"{ids[0]}..{ids[1]}"
    read_paths = {path for commit in ids for path in ns3_commit.paths(repository, commit, modules)} - {_VERSION_FILE}
    excluded = [f":(exclude,glob){kind}/*/{pattern}" for kind in ("src", "contrib") for pattern in _NOT_BUILT]
    with ns3_commit.objects(repository, ids[1]) as git:
        if not git("rev-list", "--first-parent", "--max-count=1", between):
            raise UserError(f"{repository}: {first} does not come before {last}")
        if ns3_commit.text(git("merge-base", *ids)) != ids[0]:
            raise UserError(f"{repository}: {first} is not in the history of {last}; name two commits of one branch")
        first_entry = git(*_LOG, "--max-count=1", ids[0])
        later_entries = git(*_LOG, "--reverse", "--first-parent", between, "--", *sorted(read_paths), *excluded)
    lines = (first_entry + later_entries).decode(errors="replace").split("\0")
    return [Commit(*control_characters.escaped(line).split("\t", 2)) for line in filter(None, lines)]


def steps(count: int, outcome: Callable[[int], str | None]) -> list[Step]:
    """Where the outcome changes among points 0 to ``count`` − 1, found by halving.

    ``outcome`` returns None for a point that cannot be tried. Between two points with equal outcomes, none is looked
    for. The first and the last point must have an outcome.
    """

    def between(low: int, high: int) -> list[Step]:
        if outcome(low) == outcome(high):
            return []
        middle = (low + high) // 2
        for point in sorted(range(low + 1, high), key=lambda point: abs(point - middle)):
            if outcome(point) is not None:
                return [*between(low, point), *between(point, high)]
        return [Step(low, high)]

    return between(0, count - 1)


def most_trials(count: int) -> int:
    """The number of points that one change needs among ``count``, with both ends."""
    return 2 + max(0, (count - 2).bit_length()) if count > 1 else count

# SPDX-License-Identifier: MIT
"""Print the part of a lock that sweeps take: what requirements.in names above its line on tests, and what that wants.

Called by envs/setup.sh with requirements.in and the lock, with nothing but the standard library. The lock says below
each package by what it is wanted; a package of which it does not say so stays.
"""

import re
import sys
from pathlib import Path

REST = "# --- not for sweeps"
_PACKAGE = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==(?:.*\\\n)*.*\n?((?:[ ]+#.*\n?)*)", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def wanted_by(comment: str) -> set[str]:
    """The packages, and files, that a lock's comment names below a package."""
    words = comment.replace("# via", " ").replace("#", " ").split()
    return set(words) - {"-r"}


def roots(text: str) -> set[str]:
    """The packages that requirements.in names for sweeps."""
    lines = [line.partition("#")[0].strip() for line in text.partition(REST)[0].splitlines()]
    return {found[0].lower() for line in lines if (found := _NAME.match(line))}


def part(asked: str, lock: str) -> str:
    """The part of a lock that sweeps take, given the text of requirements.in and of the lock."""
    wanting = {found[1]: wanted_by(found[2]) for found in _PACKAGE.finditer(lock)}
    taken = {name for name, by in wanting.items() if not by} | roots(asked)
    while more := {name for name, by in wanting.items() if by & taken} - taken:
        taken |= more
    return "".join(found[0] for found in _PACKAGE.finditer(lock) if found[1] in taken)


if __name__ == "__main__":
    sys.stdout.write(part(*(Path(name).read_text(encoding="utf-8") for name in sys.argv[1:3])))

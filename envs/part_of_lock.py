# SPDX-License-Identifier: MIT
"""Print the part of a lock that sweeps or tests need: the packages above a line in requirements.in, with dependencies.

envs/setup.sh calls it with `sweeps` or `tests`, requirements.in and the lock. It uses only the standard library. The
lock names the users of each package below it. A package without users is always included.
"""

import re
import sys
from pathlib import Path

# In requirements.in, this line ends the packages for sweeps or tests.
END = "# --- not for {}"
_PACKAGE = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==(?:.*\\\n)*.*\n?((?:[ ]+#.*\n?)*)", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def wanted_by(comment: str) -> set[str]:
    """The packages and files that need a package, from the comment below it in a lock."""
    words = comment.replace("# via", " ").replace("#", " ").split()
    return set(words) - {"-r"}


def roots(text: str, purpose: str) -> set[str]:
    """The packages for a purpose, ``sweeps`` or ``tests``, in requirements.in."""
    lines = [line.partition("#")[0].strip() for line in text.partition(END.format(purpose))[0].splitlines()]
    return {found[0].lower() for line in lines if (found := _NAME.match(line))}


def part(purpose: str, asked: str, lock: str) -> str:
    """The part of a lock for a purpose, from the texts of requirements.in, ``asked``, and of the lock."""
    wanting = {found[1]: wanted_by(found[2]) for found in _PACKAGE.finditer(lock)}
    taken = {name for name, by in wanting.items() if not by} | roots(asked, purpose)
    while more := {name for name, by in wanting.items() if by & taken} - taken:
        taken |= more
    return "".join(found[0] for found in _PACKAGE.finditer(lock) if found[1] in taken)


if __name__ == "__main__":
    sys.stdout.write(part(sys.argv[1], *(Path(name).read_text(encoding="utf-8") for name in sys.argv[2:4])))

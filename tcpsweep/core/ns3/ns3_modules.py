# SPDX-License-Identifier: MIT
"""The part of an ns-3's source that a build of some modules reads."""

import re
from collections.abc import Callable, Iterable

from tcpsweep.core.ns3.installation import EngineError

KINDS = ("src", "contrib")
LISTS = tuple(f"{part}/CMakeLists.txt" for part in (*KINDS, "examples", "scratch"))
# Files that no build needs. Keep the headers of tests: some modules list them with their own headers.
ASIDE = re.compile(r"(^|/)doc/|(^|/)(src|contrib)/[^/]+/((examples|bindings)/|test/.*(?<!\.h)$)")
_LINKED = re.compile(r"\$\{lib([A-Za-z0-9_-]+)\}")


def needed(name: str) -> str:
    """A file's name; an empty text if no build needs the file."""
    return "" if ASIDE.search(name) else name


def folders(linked: Iterable[str], cmake: Callable[[str], str | None], where: object) -> list[str]:
    """The folders, such as ``src/core``, of the modules that a scenario links and of their dependencies at any depth.

    ``cmake`` returns the text of the ``CMakeLists.txt`` in a folder, or None if there is none. Raises `EngineError`,
    which names ``where``, if a module is missing.
    """
    linked = tuple(linked)
    folder_of_module: dict[str, str] = {}
    waiting = list(linked)
    while waiting:
        name = waiting.pop()
        for folder in (f"{kind}/{name}" for kind in KINDS if name not in folder_of_module):
            if (text := cmake(folder)) is not None:
                folder_of_module[name] = folder
                waiting += _LINKED.findall(text)
                break
    if missing := [name for name in linked if name not in folder_of_module]:
        raise EngineError(f"{where} has no module {', '.join(missing)}")
    return list(folder_of_module.values())

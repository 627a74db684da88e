# SPDX-License-Identifier: MIT
"""The environment of ns-3's programs. A starting job imports this module, but no module that compiles."""

import functools
import os
from pathlib import Path

# Debian's libtcmalloc-minimal4: a simulation allocates and frees many small blocks in one thread. Look in the folders
# of distributions, because asking the linker takes 0.15 s if the library is missing.
ALLOCATOR = "libtcmalloc_minimal.so.4"
LIBRARY_FOLDERS = ("lib/*-linux-gnu", "lib64", "lib")


def environment() -> dict[str, str]:
    """The environment for ns-3's programs.

    It lacks ns-3's own variables, which would change simulations but not their ids. It preloads a faster allocator if
    one is installed.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NS_")}
    library = _allocator()
    return kept | {"LD_PRELOAD": f"{library} {kept.get('LD_PRELOAD', '')}".strip()} if library else kept


@functools.cache
def _allocator(root: Path = Path("/usr")) -> Path | None:
    return next((path for folder in LIBRARY_FOLDERS for path in root.glob(f"{folder}/{ALLOCATOR}")), None)

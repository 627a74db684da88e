# SPDX-License-Identifier: MIT
"""The libraries of an ns-3 that simulations load, and hashes of their content.

Other libraries of ns-3 are left out: no program of ours links them.
"""

import functools
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

_NAME = re.compile(rb"lib[^/\0]+\.so[.0-9]*")
_OF_NS3 = "libns3"
_RUN_PATH = b"$ORIGIN"


def linked(core: Path, modules: Iterable[str]) -> dict[Path, str]:
    """The libraries of these modules, and all libraries next to ``core`` that they need, each with a hash.

    The hash is over the file without its run paths. Modules without a library are left out: compiling a program for
    them fails with a message. Raises `OSError`.
    """
    found: dict[Path, str] = {}
    waiting = [core, *(core.with_name(core.name.replace("-core", f"-{module}", 1)) for module in modules)]
    while waiting:
        path = waiting.pop()
        if path in found or not os.path.lexists(path):
            continue
        known = path.stat()
        found[path], needed = _read(path, known.st_ino, known.st_size, known.st_mtime_ns)
        waiting += [core.with_name(name) for name in needed]
    return {path: found[path] for path in sorted(found)}


def identity(found: Mapping[Path, str]) -> str:
    """A hash over the content of ns-3's own libraries, from `linked`."""
    own = [f"{path.name} {content}\n" for path, content in found.items() if path.name.startswith(_OF_NS3)]
    return hashlib.sha256("".join(own).encode()).hexdigest()


@functools.cache
def _read(path: Path, *_stat: int) -> tuple[str, frozenset[str]]:
    """A library's hash and the names of libraries in it, read once in a process unless the file changes."""
    data = path.read_bytes()
    names = {data[begin:end] for begin, end in _texts(data, b".so")}
    return _content(data), frozenset(name.decode("latin-1") for name in names if _NAME.fullmatch(name))


def _content(data: bytes) -> str:
    """A hash over a library without the texts that say in which folders it looks for other libraries.

    ns-3's wheel has other files for each version of Python. Only these texts differ: they name the folder in which the
    wheel was built.
    """
    digest, rest, begin = hashlib.sha256(), memoryview(data), 0
    for first, last in _texts(data, _RUN_PATH):
        digest.update(rest[begin:first])
        begin = last
    digest.update(rest[begin:])
    return digest.hexdigest()


def _texts(data: bytes, word: bytes) -> Iterator[tuple[int, int]]:
    """The begin and end of each text, between two zero bytes, that contains a word."""
    at = data.find(word)
    while at >= 0:
        begin, end = data.rfind(b"\0", 0, at) + 1, data.find(b"\0", at)
        end = len(data) if end < 0 else end
        yield begin, end
        at = data.find(word, end)

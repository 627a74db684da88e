# SPDX-License-Identifier: MIT
"""The ns-3 that a sweep runs in: its place and its identity, which includes the libraries that simulations load.

Other libraries of ns-3 are left out: no program of ours links them.
"""

import functools
import hashlib
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tcpsweep.core.identity import cpp_code, hashing, source_folders
from tcpsweep.core.ns3 import installation, ns3_build, ns3_source, wheel
from tcpsweep.core.ns3.installation import EngineError
from tcpsweep.core.store import compiled_programs, kept_texts

_LIBRARY_NAME = re.compile(rb"lib[^/\0]+\.so[.0-9]*")
_OF_NS3 = "libns3"
_RUN_PATH = b"$ORIGIN"


@dataclass(frozen=True)
class Engine:
    """An ns-3 that programs are compiled for."""

    prefix: Path  # where it is installed; not part of its identity
    version: str  # such as 3.44
    # A hash over its libraries and headers, or over source and compiler flags if it is built from source.
    libraries_id: str
    # Its library ``core``. If it is built from source, its only library. Not part of its identity.
    core: Path | None = None
    march: str | None = None  # the target processor, if it is built from source
    # Its source, if `ns3_build.make` builds it before the first program is compiled for it.
    source: ns3_source.Source | None = None

    @property
    def name(self) -> str:
        """Its name in the names of build folders."""
        # The prefix counts because a program looks for its libraries at the paths that it was linked with.
        return f"ns{self.version}-{self.libraries_id}-{hashing.short_hash(str(self.prefix))}"


# In this file of the Python environment's folder, the set-up notes an ns-3 that it chose instead of the wheel.
_CHOICE_FILE = "ns3.path"

_STUB = re.compile(r'#include "(/.+)"')
_STUB_BYTES = 1000  # which few other headers are below


def chosen() -> dict[str, str]:
    """The ns-3 that the set-up chose, in the form of a sweep file's ``ns3``; empty for the wheel."""
    note = Path(sys.prefix) / _CHOICE_FILE
    if not note.is_file():
        return {}
    path = note.read_text(encoding="utf-8").removesuffix("\n")
    return {"prefix" if installation.has_headers(Path(path)) else "source": path}


def find(prefix: Path | str | None = None) -> Engine:
    """The ns-3 under a prefix. Default: the ns-3 that the set-up chose, or else the wheel in the Python environment.

    A missing wheel is installed. Raises `EngineError` if there is none to compile programs for.
    """
    if prefix is None and (choice := chosen()):
        if "source" in choice:
            return find_source(choice["source"])
        prefix = choice["prefix"]
    if prefix is not None and (built := ns3_build.find(folder := Path(prefix).absolute())):
        core = ns3_build.library(built.name, folder)
        return Engine(folder, built.version, built.libraries_id, core, built.march)
    installed = installation.find(wheel.find() if prefix is None else prefix)
    try:
        libraries_id = _libraries_id(installed.core, installed.prefix)
    except OSError as error:
        raise EngineError(f"{error.filename or installed.prefix} cannot be read: {error.strerror or error}") from None
    return Engine(installed.prefix, installed.version, libraries_id, installed.core)


def find_source(
    path: Path | str, march: str = ns3_build.MARCH, own_modules: tuple[str, ...] = (), commit: str | None = None
) -> Engine:
    """The ns-3 of a source folder or tarball, or of a git repository's commit.

    It is built before the first program is compiled for it. ``march`` is the target processor, as in GCC's ``-march``,
    or `ns3_build.PLAIN`. ``own_modules`` are the modules that only this scenario
    links, in addition to the modules that all scenarios link. Raises `EngineError` if there is no such source or no
    compiler.
    """
    with compiled_programs.written():
        below = compiled_programs.made_folder() / "sources"
    source = ns3_source.find(path, below, own_modules, commit)
    prefix = ns3_build.place(source, march, compiled_programs.folder())
    core, libraries_id = ns3_build.library(source.name, prefix), ns3_build.identity(source, march)
    return Engine(prefix, source.version, libraries_id, core, march, source)


def is_unchanged(ns3: Engine) -> bool:
    """Whether the libraries and headers under an engine's prefix are still those that its identity stands for.

    All are read again. An ns-3 that tcpsweep built has digests of its own.
    """
    if ns3.march or ns3.core is None:
        return True
    return _libraries_id(ns3.core, ns3.prefix, is_fresh=True) == ns3.libraries_id


def _libraries_id(core: Path, prefix: Path, *, is_fresh: bool = False) -> str:
    """A hash over libraries and headers.

    The libraries are read each time. What follows from the headers is cached until one of them changes, except with
    ``is_fresh``. Raises `EngineError` if files of ns-3's wheel differ from the wheel.
    """
    cache = compiled_programs.folder() / "libraries.kept"
    hash_by_library = _linked_libraries(core, _modules())
    headers = _headers(prefix / "include" / "ns3")
    headers_stat = [(path, status.st_size, status.st_mtime_ns) for _, path, status in headers]
    key = hashing.short_hash(_libraries_hash(hash_by_library), json.dumps(headers_stat))
    ids: dict[str, str] = json.loads(kept_texts.read(cache) or "{}")
    if key not in ids or is_fresh:
        wheel.check(prefix, [*hash_by_library, *(Path(path) for _, path, _ in headers)])
        digest = hashlib.sha256(_libraries_hash(hash_by_library).encode())
        for name, path, _ in headers:
            digest.update(name.encode() + b"\0" + hashlib.sha256(Path(path).read_bytes()).digest())
        ids[key] = digest.hexdigest()[: hashing.DIGITS]
        kept_texts.write(cache, json.dumps(ids))
    return ids[key]


def _modules() -> set[str]:
    """The modules that any scenario links."""
    programs = [path.stem for path in source_folders.SCENARIOS.glob("*.modules")]
    return {*ns3_source.modules(), *(name for program in programs for name in cpp_code.own_modules(program))}


def _headers(folder: Path, include_folder: str = "ns3") -> list[tuple[str, str, os.stat_result]]:
    """The headers in a folder: each one's name, as programs include it, its path, and its `os.stat_result`."""
    headers: list[tuple[str, str, os.stat_result]] = []
    with os.scandir(folder) as entries:  # each command reads a thousand of them
        for entry in sorted(entries, key=lambda entry: entry.name):
            name = f"{include_folder}/{entry.name}"
            headers += _headers(Path(entry.path), name) if entry.is_dir() else [(name, *_header(entry))]
    return headers


def _header(entry: os.DirEntry[str]) -> tuple[str, os.stat_result]:
    """A header's path and its `os.stat_result`. In ns-3's folder ``build``, a header only includes the real one."""
    status = entry.stat()
    if status.st_size <= _STUB_BYTES:
        with open(entry.path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123 (faster)
            stub = _STUB.fullmatch(file.read().strip())
        if stub:
            return stub[1], os.stat(stub[1])  # noqa: PTH116 (as for the others)
    return entry.path, status


def _linked_libraries(core: Path, modules: Iterable[str]) -> dict[Path, str]:
    """The libraries of these modules, and all libraries next to ``core`` that they need, each with a hash.

    The hash is over the file without its run paths. Modules without a library are left out: compiling a program for
    them fails with a message. Raises `OSError`.
    """
    hashes: dict[Path, str] = {}
    waiting = [core, *(core.with_name(core.name.replace("-core", f"-{module}", 1)) for module in modules)]
    while waiting:
        path = waiting.pop()
        if path in hashes or not os.path.lexists(path):
            continue
        status = path.stat()
        hashes[path], needed = _read_library(path, status.st_ino, status.st_size, status.st_mtime_ns)
        waiting += [core.with_name(name) for name in needed]
    return {path: hashes[path] for path in sorted(hashes)}


def _libraries_hash(hashes: Mapping[Path, str]) -> str:
    """A hash over the content of ns-3's own libraries, from `_linked_libraries`."""
    lines = [f"{path.name} {content}\n" for path, content in hashes.items() if path.name.startswith(_OF_NS3)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@functools.cache
def _read_library(path: Path, *_stat: int) -> tuple[str, frozenset[str]]:
    """A library's hash and the names of libraries in it, read once in a process.

    The file's `stat` is a part of the cache's key, so that a changed file is read again.
    """
    data = path.read_bytes()
    texts = {data[begin:end] for begin, end in _text_spans(data, b".so")}
    return _content_hash(data), frozenset(name.decode("latin-1") for name in texts if _LIBRARY_NAME.fullmatch(name))


def _content_hash(data: bytes) -> str:
    """A hash over a library without the texts that say in which folders it looks for other libraries.

    ns-3's wheel has other files for each version of Python. Only these texts differ: they name the folder in which the
    wheel was built.
    """
    digest, view, kept_from = hashlib.sha256(), memoryview(data), 0
    for begin, end in _text_spans(data, _RUN_PATH):
        digest.update(view[kept_from:begin])
        kept_from = end
    digest.update(view[kept_from:])
    return digest.hexdigest()


def _text_spans(data: bytes, word: bytes) -> Iterator[tuple[int, int]]:
    """The begin and end of each text, between two zero bytes, that contains a word."""
    found = data.find(word)
    while found >= 0:
        begin, end = data.rfind(b"\0", 0, found) + 1, data.find(b"\0", found)
        end = len(data) if end < 0 else end
        yield begin, end
        found = data.find(word, end)

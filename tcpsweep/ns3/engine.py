# SPDX-License-Identifier: MIT
"""The ns-3 that a sweep runs in: where it is, what identifies it, what it knows, and building against it."""

import functools
import hashlib
import importlib.util
import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tcpsweep.identity import cpp_code, hashing, source_folders
from tcpsweep.ns3 import installation, ns3_build, ns3_source
from tcpsweep.ns3.installation import EngineError
from tcpsweep.store import compiled_programs, whole_files
from tcpsweep.store.compiled_programs import build

LOAD = "--load="
# Debian's libtcmalloc-minimal4; simulations free what they allocate at once, over and over, in one thread. It is looked
# for where distributions have it: to ask the linker takes 0.15 s where it is not.
ALLOCATOR = "libtcmalloc_minimal.so.4"
LIBRARY_FOLDERS = ("lib/*-linux-gnu", "lib64", "lib")


@dataclass(frozen=True)
class Engine:
    """An ns-3: its installation prefix, its version, a hash of its libraries' bytes, and the path of the core library.

    The prefix and the path are no part of what identifies it. One that is built from its source, for a processor as
    ``march`` names it, is identified by that and the flags; it has the ``source`` until it is built, and ``core`` is
    its one library.
    """

    prefix: Path
    version: str
    libraries_id: str
    core: Path | None = None
    march: str | None = None
    source: ns3_source.Source | None = None

    @property
    def name(self):
        """The name that build folders have for it."""
        # Programs find their libraries where these lay when they were linked.
        return f"ns{self.version}-{self.libraries_id}-{hashing.short_hash(str(self.prefix))[:4]}"


def find(prefix=None):
    """The ns-3 under a prefix, or else that of the Python environment, installed from its wheel.

    Raises
    ------
    EngineError
        There is none that programs can be built against.
    """
    if prefix is not None and (built := ns3_build.find(prefix)):
        return Engine(**built)
    found = installation.find(_wheel() if prefix is None else prefix)
    return Engine(found.prefix, found.version, _libraries_id(found.libraries), found.core)


def of_source(path, march=ns3_build.MARCH, own_modules=()):
    """The ns-3 whose source lies at a path; it is built when something is first compiled for it.

    Parameters
    ----------
    path : path
        A folder or a tarball.
    march : str
        The processors that it is for, as GCC's ``-march`` names them.
    own_modules : tuple of str
        The modules that are built beside those that all scenarios link.

    Raises
    ------
    EngineError
        There is no such source, or no compiler.
    """
    source = ns3_source.find(path, compiled_programs.BUILD / "sources", own_modules)
    prefix = ns3_build.place(source, march, compiled_programs.BUILD.absolute())
    return Engine(
        prefix, source.version, ns3_build.identity(source), ns3_build.library(source.name, prefix), march, source
    )


def _wheel():
    spec = importlib.util.find_spec("ns3")
    if not spec or not spec.submodule_search_locations:
        raise EngineError(
            "ns-3 is not installed in this Python environment; run `make setup`, "
            "or name another with `ns3: {prefix: DIR}` in the sweep file"
        )
    return Path(next(iter(spec.submodule_search_locations)))


def _libraries_id(libraries):
    """A hash over the libraries' bytes, kept in `build/` for as long as none of them changes."""
    cache = compiled_programs.BUILD / "libraries.json"
    stats = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in libraries]
    key = hashing.short_hash(json.dumps(stats))
    known = json.loads(cache.read_text()) if cache.is_file() else {}
    if key not in known:
        digest = hashlib.sha256()
        for path in libraries:
            digest.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
        known[key] = digest.hexdigest()[: hashing.DIGITS]
        whole_files.write_whole(cache, json.dumps(known))
    return known[key]


def program(engine, name):
    """Where ``ns3-scenarios/<name>.cc`` compiled is or will be, its code as it stands now.

    It is a program, or, as the ``name`` is ``variants/<variant>``, a library.
    """
    folder, _, stem = name.rpartition("/")
    return (
        compiled_programs.BUILD
        / engine.name
        / f"{stem}-{cpp_code.cpp_id(name)}"
        / (f"lib{stem}.so" if folder else stem)
    )


def compile_program(engine, name):
    """Compile ``ns3-scenarios/<name>.cc`` where that is not done yet.

    Returns
    -------
    Path
        What `program` says.

    Raises
    ------
    BuildError
    EngineError
    """
    definitions = [f"-DNS3_CORE={engine.core}", f"-DNS3_VERSION={engine.version}", f"-DPROGRAM={name}"]
    if engine.march:
        definitions += ns3_build.definitions(engine.march)
    if engine.source:  # also where the program is there already, which could not run without it
        ns3_build.make(engine.source, engine.march, engine.prefix)
    return build(source_folders.SCENARIOS, program(engine, name), definitions)


def environment():
    """The environment of ns-3's programs.

    It is without ns-3's variables, which would change simulations behind their ids, and with a faster allocator where
    that is installed.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NS_")}
    library = _allocator()
    return kept | {"LD_PRELOAD": f"{library} {kept.get('LD_PRELOAD', '')}".strip()} if library else kept


@functools.cache
def _allocator(root=Path("/usr")):
    return next((path for folder in LIBRARY_FOLDERS for path in root.glob(f"{folder}/{ALLOCATOR}")), None)


def libraries_of(engine, own_modules):
    """The libraries of modules that `inspect` does not link; none where all modules are one library.

    Raises
    ------
    EngineError
        This ns-3 lacks a module.
    """
    headers = engine.prefix / "include" / "ns3"
    if missing := [name for name in own_modules if not (headers / f"{name}-module.h").is_file()]:
        raise EngineError(f"the ns-3 under {engine.prefix} is without {', '.join(missing)}, which the scenario needs")
    if engine.core.name.endswith("-monolib.so"):
        return []
    return [engine.core.with_name(engine.core.name.replace("-core", f"-{name}")) for name in own_modules]


@functools.cache
def catalogue(engine, own_modules=()):
    """Every TypeId that this ns-3 registers.

    Parameters
    ----------
    engine : Engine
    own_modules : tuple of str
        The modules that count beside those that all scenarios link.

    Returns
    -------
    dict
        TypeId to ``parent``, ``constructible`` and ``attributes`` (name to type, values, default, help).

    Raises
    ------
    BuildError
    EngineError
    """
    if not program(engine, "inspect").is_file():
        print(f"tcpsweep: compiling a small program to ask ns-3 {engine.version} what it has, once", file=sys.stderr)
    binary = compile_program(engine, "inspect")
    libraries = libraries_of(engine, own_modules)
    kept = binary.with_name("-".join(["catalogue", *own_modules]) + ".json")
    if not kept.is_file():
        whole_files.write_whole(kept, inspect(engine, libraries=libraries))
    return json.loads(kept.read_text(encoding="utf-8"))["types"]


def inspect(engine, *arguments, libraries=(), lines=""):
    """What the program ``inspect`` says.

    Parameters
    ----------
    libraries : list of Path
        Libraries whose types count as well, of variants or of ns-3's modules.
    lines : str
        Its standard input.

    Raises
    ------
    EngineError
        With its last words.
    """
    command = [compile_program(engine, "inspect"), *arguments, *load(libraries)]
    done = subprocess.run(command, input=lines, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise EngineError(f"{shlex.join(map(str, command))} failed:\n{done.stderr}")
    return done.stdout


def load(libraries):
    """The argument with which a program loads libraries first, as a list; empty where there are none."""
    return [LOAD + ",".join(map(str, libraries))] if libraries else []


def line_of(types, name):
    """A type and those above it, as far as the catalogue has them."""
    line = []
    while name in types and name not in line:
        line.append(name)
        name = types[name]["parent"]
    return line


def descendants(types, ancestor):
    """The names of the constructible types below ``ancestor``."""
    return [name for name in types if types[name]["constructible"] and ancestor in line_of(types, name)[1:]]


def try_attributes(engine, settings, libraries=()):
    """Whether ns-3 takes values for attributes.

    Parameters
    ----------
    settings : list of (str, str)
        Attributes' full names, known to the catalogue or of these libraries' types, and values.
    libraries : list of Path
        Libraries of variants or of ns-3's modules.

    Returns
    -------
    list of bool
    """
    if not settings:
        return []
    lines = "".join(f"{name}={value}\n" for name, value in settings)
    said = inspect(engine, "--check", libraries=libraries, lines=lines)
    return [answer["ok"] for answer in json.loads(said)]

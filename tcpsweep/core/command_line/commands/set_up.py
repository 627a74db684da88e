# SPDX-License-Identifier: MIT
"""`tcpsweep setup`: install ns-3 next to an installed tcpsweep, and report other missing programs.

In a clone, the set-up also compiles a sweep's programs while it loads other packages.
"""

import os
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

from tcpsweep.core.identity import source_folders
from tcpsweep.core.ns3 import catalogue, engine, programs
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.store import locks
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.words.user_error import UserError

_COMPILERS = ("g++", "c++", "clang++")


def complete() -> str:
    """Install packages that sweeps need and this Python environment lacks; return a line on the result.

    In a clone, this is `make setup`. Elsewhere, pip installs the locked wheel of ns-3, without its Python bindings, and
    checks its hash. Raises `UserError` if a program is missing that it cannot install.
    """
    if source_folders.IS_CLONE:
        if subprocess.run(["sh", str(source_folders.ROOT / "envs" / "setup.sh"), "--sweeps"], check=False).returncode:
            raise UserError("the set-up failed; see above")
        return f"set up: {source_folders.ROOT / '.venv'}"
    _check_compiler()
    ns3 = engine.find()
    return f"set up: ns-3 {ns3.version} in {ns3.prefix}"


def _check_compiler() -> None:
    compilers = [shlex.split(os.environ["CXX"])[0]] if os.environ.get("CXX") else _COMPILERS
    if not any(map(shutil.which, compilers)):
        raise UserError(
            f"there is no C++ compiler ({', '.join(compilers)}): on Debian or Ubuntu, run `apt-get install g++`"
        )


def compile_ahead(path: Path) -> None:
    """Compile the program that reads ns-3's catalogue, and the scenario's program, if ns-3 needs no building.

    If the sweep starts meanwhile, it waits for these programs. Raises `BuildError`, `EngineError` and
    `yaml_document.Mistakes`.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells make background processes ignore Ctrl-C
    document, sweep, ns3 = checked_sweep.read(path)
    if document.data.get("ns3") or ns3.source:
        return
    with locks.programs():
        catalogue.types(ns3)
        programs.compile_program(ns3, schema.program(sweep.scenario))

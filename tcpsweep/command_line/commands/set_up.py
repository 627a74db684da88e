# SPDX-License-Identifier: MIT
"""`tcpsweep setup`: install ns-3 next to an installed tcpsweep, and report other missing programs."""

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys

from tcpsweep.identity import source_folders
from tcpsweep.ns3 import engine, installation
from tcpsweep.words.user_error import UserError

LOCK = source_folders.ROOT / "envs" / "ns3.txt"
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
    try:
        found = engine.find()
    except installation.EngineError:
        _install_ns3()
        found = engine.find()
    return f"set up: ns-3 {found.version} in {found.prefix}"


def _check_compiler() -> None:
    wanted = [shlex.split(os.environ["CXX"])[0]] if os.environ.get("CXX") else _COMPILERS
    if not any(map(shutil.which, wanted)):
        raise UserError(
            f"there is no C++ compiler ({', '.join(wanted)}): on Debian or Ubuntu, run `apt-get install g++`"
        )


def _install_ns3() -> None:
    pinned = re.search(r"^ns3==\S+", LOCK.read_text(encoding="utf-8"), re.MULTILINE)
    name = pinned[0] if pinned else "ns3"
    if importlib.util.find_spec("pip") is None:
        raise UserError(f"this Python environment has no pip: install {name} without its dependencies (`--no-deps`)")
    print(f"tcpsweep: installing {name} into {sys.prefix}, once, 35 MB", file=sys.stderr, flush=True)
    command = [
        sys.executable,
        "-P",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--require-hashes",
        "-r",
        str(LOCK),
    ]
    if subprocess.run(command, check=False).returncode:
        raise UserError(f"pip could not install {name}; see above")
    importlib.invalidate_caches()

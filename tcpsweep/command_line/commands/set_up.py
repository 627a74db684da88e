# SPDX-License-Identifier: MIT
"""`tcpsweep setup`: install ns-3 next to an installed tcpsweep, and report other missing programs."""

import os
import shlex
import shutil
import subprocess

from tcpsweep.identity import source_folders
from tcpsweep.ns3 import engine
from tcpsweep.words.user_error import UserError

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
    found = engine.find()
    return f"set up: ns-3 {found.version} in {found.prefix}"


def _check_compiler() -> None:
    wanted = [shlex.split(os.environ["CXX"])[0]] if os.environ.get("CXX") else _COMPILERS
    if not any(map(shutil.which, wanted)):
        raise UserError(
            f"there is no C++ compiler ({', '.join(wanted)}): on Debian or Ubuntu, run `apt-get install g++`"
        )

# SPDX-License-Identifier: MIT
"""The folders of the project's own sources: next to the package in a clone, inside it in an installed wheel."""

import os
from pathlib import Path

ELSEWHERE = "TCPSWEEP_SCENARIOS"  # the environment variable that names another folder of programs in C++
STACKS_ELSEWHERE = "TCPSWEEP_QUIC_STACKS"  # the one that names another folder of QUIC stacks

PACKAGE = Path(__file__).resolve().parents[2]
_IN_WHEEL = PACKAGE / "project"  # setup.py puts it there
IS_CLONE = not _IN_WHEEL.is_dir()
ROOT = PACKAGE.parent if IS_CLONE else _IN_WHEEL
SCENARIOS = Path(os.environ.get(ELSEWHERE) or ROOT / "ns3-scenarios").resolve()

SET_UP = "make setup" if IS_CLONE else "tcpsweep setup"  # the command that installs missing packages


def python_path() -> str:
    """The value of PYTHONPATH with which another Python process imports this package."""
    others = [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    first = str(PACKAGE.parent)
    return os.pathsep.join([first, *(folder for folder in others if folder != first)])


def quic_stacks() -> Path:
    """The folder of the QUIC stacks, which are behind ns3-scenarios/lib/quic/quic-stack.h."""
    return Path(os.environ.get(STACKS_ELSEWHERE) or ROOT / "quic-stacks").resolve()

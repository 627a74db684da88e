# SPDX-License-Identifier: MIT
"""Programs that tests use and the set-up does not install; a test without its program fails in CI, else is skipped."""

import importlib
import os
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# A test's timeout for work that takes seconds, on a busy machine.
PATIENCE_S = 1200
# The commands that make what some tests need, and that the set-up does not run.
_COMMANDS = ("make docs", "tcpsweep kernel build")


def tool(name):
    """The path of a program that the set-up does not install. Without it, the test fails in CI, else is skipped."""
    return shutil.which(name) or lacking(name)


def lacking(*packages):
    """End a test because Debian packages are missing.

    In `make test`, which has only the programs that the README asks for, the test fails, because it should be long.
    """
    names = " ".join(packages)
    if os.environ.get("TCPSWEEP_BARE_TESTS"):
        pytest.fail(f"`make test` does not have {names}: mark this test as long")
    if os.environ.get("CI"):
        pytest.fail(f"not installed: {names}")
    pytest.skip(f"not installed: {names}; `apt-get install {names}`")


def module(name):
    """Import a module that the set-up does not install. Without it, the test fails in CI, else is skipped."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        if os.environ.get("CI"):
            pytest.fail(f"not installed: {name}")
        pytest.skip(f"not installed: {name}; `.venv/bin/python -m pip install {name}`")


def made_for_docs():
    """The programs of `.venv-docs`. If `make docs` was not run, the test fails in CI, and is skipped elsewhere."""
    venv = ROOT / ".venv-docs"
    if not (venv / ".complete").exists():
        if os.environ.get("CI"):
            pytest.fail(f"not made: {venv.name}")
        pytest.skip(f"not made: {venv.name}; `make docs`")
    return venv / "bin"


def unbuilt():
    """End a test because no kernel was built. As in `made_for_docs`, it fails in CI."""
    if os.environ.get("CI"):
        pytest.fail("no kernel was built")
    pytest.skip("no kernel was built; `tcpsweep kernel build` makes one")


def forbidden(why):
    """End a test that this machine does not allow. As in `lacking`, it fails in CI, which should have the rights."""
    if os.environ.get("CI"):
        pytest.fail(f"not allowed here: {why}")
    pytest.skip(f"not allowed here: {why}")


def not_run(reasons):
    """Lines that say which packages to install so that skipped tests run; none if none would help.

    Parameters
    ----------
    reasons : list of str
        The reasons for skipping, one for each test.
    """
    counts = {command: sum(f"`{command}`" in reason for reason in reasons) for command in _COMMANDS}
    lines = [f"{count} tests did not run because they need: {command}" for command, count in counts.items() if count]
    lacked = Counter(found[1] for reason in reasons if (found := re.search(r"not installed: (.+); `apt-get", reason)))
    if not lacked:
        return lines
    packages = sorted({package for names in lacked for package in names.split()})
    return [
        *lines,
        f"{lacked.total()} tests did not run because programs are missing that only tests need:",
        *(f"  {number} for {names}" for names, number in lacked.most_common()),
        f"Install them with: apt-get install {' '.join(packages)}",
    ]

# SPDX-License-Identifier: MIT
"""Programs beside the set-up that tests use, and what becomes of a test where they are missing."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def tool(name):
    """The path of a program that is no part of the set-up: where it is missing, CI fails and others skip and say so."""
    return shutil.which(name) or lacking(name)


def lacking(package):
    """End a test that a Debian package is missing for."""
    if os.environ.get("CI"):
        pytest.fail(f"{package} is not installed")
    pytest.skip(f"{package} is not installed; `apt-get install {package}`")

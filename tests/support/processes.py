# SPDX-License-Identifier: MIT
"""Whether processes are there, and waiting until they are not."""

import time
from pathlib import Path

from tests.support.tools import PATIENCE_S


def is_alive(process):
    """Whether a process is there, and no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ends_soon(lasts):
    """Wait until ``lasts()`` is false."""
    end = time.monotonic() + PATIENCE_S
    while lasts():
        assert time.monotonic() < end
        time.sleep(0.01)

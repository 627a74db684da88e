# SPDX-License-Identifier: MIT
"""Whether processes exist, waiting until they end, and the peak memory of a process."""

import subprocess
import sys
import time
from pathlib import Path

from tests.support.tools import PATIENCE_S, ROOT

# Not getrusage's ru_maxrss, which begins with the parent process's value.
_TELL = """
import re
found = re.search(r"VmHWM:\\s+([0-9]+) kB", open("/proc/self/status").read())
print(int(found[1]) // 1024)
"""


def ran(*command, **options):
    """A command that was run to its end: its status and its output."""
    kept = {"capture_output": True, "text": True, "check": False, "timeout": PATIENCE_S}
    return subprocess.run(command, **kept | options)


def is_alive(process):
    """Whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ends_soon(lasts):
    """Wait while ``lasts()`` is true."""
    end = time.monotonic() + PATIENCE_S
    while lasts():
        assert time.monotonic() < end
        time.sleep(0.01)


def peak_mb(code, *arguments):
    """The peak memory of a new Python process that runs this code, in MB."""
    command = [sys.executable, "-c", code + _TELL, *arguments]
    return int(ran(*command, cwd=ROOT, check=True).stdout)

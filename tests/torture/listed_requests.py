# SPDX-License-Identifier: MIT
"""List the requests of a process that simulators are forked from, and hand them on: NAME PROGRAM FILE.

The program gets this process's output as its own, so that its answers, and its end, need nobody to hand them on.
"""

import ctypes
import os
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1
name, program, place = sys.argv[1:]
libc = ctypes.CDLL(None)
own = os.getpid()


def end_with_this():
    """Let the program be killed when this process is."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != own:
        os._exit(1)


with subprocess.Popen(
    [name, "--serve"], executable=program, stdin=subprocess.PIPE, bufsize=0, preexec_fn=end_with_this
) as process:
    while size := sys.stdin.buffer.read(4):
        request = sys.stdin.buffer.read(struct.unpack("=I", size)[0])
        _log, _program, *arguments = (text.decode() for text in request[:-1].split(b"\0"))
        with Path(place).open("a", encoding="utf-8") as begun:
            begun.write(f"{time.time()} {' '.join(arguments)}\n")
        process.stdin.write(size + request)

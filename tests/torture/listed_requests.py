# SPDX-License-Identifier: MIT
"""List the requests to a process that forks simulators, and pass them on: NAME PROGRAM FILE.

The program inherits this process's output, so that its answers and its end need not be passed on.
"""

import functools
import os
import struct
import subprocess
import sys
import time
from pathlib import Path

from tcpsweep.core.processes import forks

name, program, place = sys.argv[1:]
end_with_this = functools.partial(forks.end_with_parent, os.getpid())

with subprocess.Popen(
    [name, "--serve"], executable=program, stdin=subprocess.PIPE, bufsize=0, preexec_fn=end_with_this
) as process:
    while size := sys.stdin.buffer.read(4):
        request = sys.stdin.buffer.read(struct.unpack("=I", size)[0])
        _log, _program, *arguments = (text.decode() for text in request[:-1].split(b"\0"))
        with Path(place).open("a", encoding="utf-8") as begun:
            begun.write(f"{time.time()} {' '.join(arguments)}\n")
        process.stdin.write(size + request)

# SPDX-License-Identifier: MIT
"""How the command of a step finds the process that is ready for it (`step_process`), and has it do the work."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

ADDRESS = "TCPSWEEP_STEPS"  # in the environment of a run's commands
BEGUN = b"begun"
_LONGEST_ANSWER = 64


def status(arguments: Sequence[str]) -> int | None:
    """Have a step run by the process that is ready for it; its exit status, None if it is to run here.

    Parameters
    ----------
    arguments : sequence of str
        The command's.
    """
    address = os.environ.get(ADDRESS)
    if not address or sys.stdout is None or sys.stderr is None:
        return None
    told = {"arguments": [*arguments], "folder": str(Path.cwd()), "environment": dict(os.environ)}
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as there:
        try:
            there.connect(f"\0{address}")
            socket.send_fds(there, [json.dumps(told).encode("ascii")], [1, 2])
            if there.recv(len(BEGUN)) != BEGUN:
                return None
        except OSError:  # nobody is there any more, or the environment is larger than a message may be
            return None
        try:
            answer = there.recv(_LONGEST_ANSWER)
        except ConnectionError:
            answer = b""
    ended = int(answer) if answer else -signal.SIGKILL
    return ended if ended >= 0 else 128 - ended

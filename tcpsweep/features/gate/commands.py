# SPDX-License-Identifier: MIT
"""The command line of the gate."""

import argparse
import sys
from pathlib import Path

from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.contact.command import argument, run


@run(
    "compare two versions of your congestion control, of a QUIC stack or of a kernel, for a pull request",
    argument(
        "base",
        "the old version: a C++ file, such as ../base/TcpMine.cc, the folder of a QUIC stack, such as "
        "../base/quic-stacks/noq, or a kernel, such as linux-6.12",
    ),
    argument("head", "the new version"),
    argument(
        "--sweep",
        "the sweep file with the network conditions (default: eight conditions of tcpsweep's, in five minutes)",
        type=Path,
        metavar="FILE",
    ),
    examples=[
        "tcpsweep gate ../base/TcpMine.cc ./TcpMine.cc",
        "tcpsweep gate linux-6.12 my-patch --sweep my-sweep.yaml",
    ],
)
def _gate(args: argparse.Namespace) -> None:
    from tcpsweep.features.gate import gate_run

    said, status = gate_run.run(args.base, args.head, args.sweep)
    say(said)
    sys.exit(status)


COMMANDS = (_gate,)

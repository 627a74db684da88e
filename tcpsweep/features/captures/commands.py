# SPDX-License-Identifier: MIT
"""The command line of imports."""

import argparse
from pathlib import Path

from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.contact.command import argument, results


@results(
    "make tables and a report from packet captures",
    argument(
        "files",
        "captures (pcap, pcapng), FlowMonitor's flow.xml, an ascii trace of ns-3",
        nargs="+",
        type=Path,
        metavar="FILE",
    ),
    argument("--name", "the name of the import (default: the first file's)"),
    argument("--path", "also the delay and loss between the places of two captures", action="store_true"),
    argument("--partial", "read a damaged file up to the damaged place", action="store_true"),
    examples=["tcpsweep import trace.pcap", "tcpsweep import client.pcap server.pcap --name upload"],
)
def _import(args: argparse.Namespace) -> None:
    from tcpsweep.core.store import locks
    from tcpsweep.features.captures import capture_import

    with locks.programs(), locks.job():
        folder, page, words = capture_import.run(args.files, args.name, args.partial, args.path)
    say(words)
    say(f"tables: {folder}\nreport: {page}")


COMMANDS = (_import,)

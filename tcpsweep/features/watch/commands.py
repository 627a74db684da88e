# SPDX-License-Identifier: MIT
"""The command line of watching a sweep."""

import argparse
import functools
import sys

from tcpsweep.core.command_line import command
from tcpsweep.core.command_line.command import A_SWEEP, Command, argument, collect

COMMANDS: list[Command] = []
run = functools.partial(collect, COMMANDS, group="Run")


@run(
    "watch a sweep: finished simulations, failures, time left, first results",
    argument("sweep", A_SWEEP),
    argument("--every", "seconds between two looks (default: 5)", type=command.seconds, default=5.0, metavar="S"),
    argument("--once", "look once, print, and end", action="store_true"),
    examples=["tcpsweep watch my-sweep", "tcpsweep watch my-sweep --once"],
)
def _watch(args: argparse.Namespace) -> None:
    from tcpsweep.features.watch import watched_sweep

    if watched_sweep.run(args.sweep, args.every, args.once):
        sys.exit(1)

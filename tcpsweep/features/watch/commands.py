# SPDX-License-Identifier: MIT
"""The command line of watching a sweep."""

import argparse
import sys

from tcpsweep.core.contact.command import A_SWEEP, argument, run


def _seconds(text: str) -> float:
    """A time of a second or more."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if 1 <= value <= 86400:
        return value
    raise argparse.ArgumentTypeError(f"expected a number of seconds from 1 to 86400, got {text!r}")


@run(
    "watch a sweep: finished simulations, failures, time left, first results",
    argument("sweep", A_SWEEP),
    argument("--every", "seconds between two looks (default: 5)", type=_seconds, default=5.0, metavar="S"),
    argument("--once", "look once, print, and end", action="store_true"),
    examples=["tcpsweep watch my-sweep", "tcpsweep watch my-sweep --once"],
)
def _watch(args: argparse.Namespace) -> None:
    from tcpsweep.features.watch import watched_sweep

    if watched_sweep.run(args.sweep, args.every, args.once):
        sys.exit(1)


COMMANDS = (_watch,)

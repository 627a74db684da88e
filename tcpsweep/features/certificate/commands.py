# SPDX-License-Identifier: MIT
"""The command line of the certificate."""

import argparse
from pathlib import Path

from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.contact.command import A_SWEEP, argument, results


@results(
    "certify ns-3's TCP: show where it is equivalent to Linux' TCP in a sweep that has run",
    argument("sweep", f"{A_SWEEP}; it has `stack: ns-3` and `stack: linux`"),
    argument("--shares", "also write the shares that reports show, as YAML", type=Path, metavar="FILE"),
    argument("--add", "add to the shares in FILE, whose networks are others", action="store_true"),
    examples=["tcpsweep certificate config/certificate.yaml"],
)
def _certificate(args: argparse.Namespace) -> None:
    from tcpsweep.core.words import control_characters
    from tcpsweep.core.words.user_error import UserError
    from tcpsweep.features.certificate import certificate_files, certificate_shares

    if args.add and not args.shares:
        raise UserError("--add needs --shares FILE, the file that it adds to")
    page, said = certificate_files.write(args.sweep)
    if args.shares:
        certificate_shares.write(args.sweep, args.shares, is_added=args.add)
    say(f"{control_characters.escaped(said)}\ncertificate: {page}")


COMMANDS = (_certificate,)

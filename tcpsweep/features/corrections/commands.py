# SPDX-License-Identifier: MIT
"""The command that writes the documentation's page of ns-3's known defects."""

import argparse
import functools
from pathlib import Path

from tcpsweep.command_line.command import Command, argument, collect

COMMANDS: list[Command] = []
command = functools.partial(collect, COMMANDS)


@command("write the documentation's page of ns-3's known defects", argument("page", "the page to write", type=Path))
def _defects(args: argparse.Namespace) -> None:
    from tcpsweep.command_line.commands import defects_page
    from tcpsweep.store import whole_files

    whole_files.write_whole(args.page, defects_page.page())

# SPDX-License-Identifier: MIT
"""The command that writes the documentation's page of ns-3's known defects."""

import argparse
import functools
from pathlib import Path

from tcpsweep.core.command_line.command import Command, argument, collect

COMMANDS: list[Command] = []
command = functools.partial(collect, COMMANDS)


@command("write the documentation's page of ns-3's known defects", argument("page", "the page to write", type=Path))
def _defects(args: argparse.Namespace) -> None:
    from tcpsweep.core.store import whole_files
    from tcpsweep.features.corrections import defects_page

    whole_files.write_whole(args.page, defects_page.page())

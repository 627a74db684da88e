# SPDX-License-Identifier: MIT
"""The command that writes the documentation's page of ns-3's known defects."""

import argparse
from pathlib import Path

from tcpsweep.core.contact.command import argument, unlisted


@unlisted("write the documentation's page of ns-3's known defects", argument("page", "the page to write", type=Path))
def _defects(args: argparse.Namespace) -> None:
    from tcpsweep.core.store import whole_files
    from tcpsweep.features.corrections import defects_page

    whole_files.write_whole(args.page, defects_page.page())


COMMANDS = (_defects,)

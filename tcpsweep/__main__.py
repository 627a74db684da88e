# SPDX-License-Identifier: MIT
"""``python -m tcpsweep`` is the command ``tcpsweep``."""

from collections.abc import Sequence

from tcpsweep import pipeline
from tcpsweep.core.command_line import main
from tcpsweep.registry import commands, connect


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command in the command line, or in ``arguments``."""
    connect.connect()
    main.main(arguments, of_features=(*pipeline.COMMANDS, *commands.COMMANDS))


if __name__ == "__main__":
    run()

# SPDX-License-Identifier: MIT
"""``python -m tcpsweep`` is the command ``tcpsweep``."""

from collections.abc import Sequence

from tcpsweep import pipeline
from tcpsweep.core.command_line import for_people, main
from tcpsweep.registry import commands, connect


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command in the command line, or in ``arguments``."""
    connect.connect()
    main.main(
        (*for_people.COMMANDS, *commands.COMMANDS, *pipeline.COMMANDS),
        arguments,
        before_runs=commands.BEFORE_RUNS,
        before_checks=commands.BEFORE_CHECKS,
    )


if __name__ == "__main__":
    run()
